public import RowcastDiff
public import RowcastModel

/// One subscriber's place in the history of a list: the state it has, and nothing else.
///
/// The difference is made here, when the subscriber asks, so neither the publisher nor other subscribers wait for it;
/// unless another subscriber has just made the same one.
@usableFromInline
actor Subscription<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline let publisher: PublisherAccess<Section, Row>
  /// Stands for this subscription with the publisher.
  @usableFromInline let card = DifferenceDesk.Card()
  /// The state that the subscriber was brought to. Its content equals that at ``seen``.
  @usableFromInline final var delivered: ListState<Section, Row>?
  /// The newest revision looked at. Later than the delivered one if the net difference was nothing.
  @usableFromInline final var seen: Int?
  /// The last difference that was made or taken, kept for other subscribers.
  @usableFromInline final var last: DifferenceDesk.Difference?
  /// Whether an update is being made, and who waits for his turn: several tasks may read the same stream.
  @usableFromInline final var isBusy = false
  @usableFromInline final var queue: [AsyncStream<Void>.Continuation] = []

  @inlinable
  init(to publisher: some ListPublisher<Section, Row>) {
    self.publisher = PublisherAccess(publisher)
  }

  /// The update to the newest state, as soon as that differs from the one delivered last.
  ///
  /// - Returns: `nil` at the end of the list, or if the calling task is cancelled.
  @inlinable
  final func next() async -> ListUpdate<Section, Row>? {
    if isBusy, await !nextTurn() { return nil }
    isBusy = true
    defer { endTurn() }
    while let delivery = await publisher.delivery(seen, card) {
      if let update = await advance(to: delivery) { return update }
    }
    return nil
  }

  @inlinable
  final func advance(to delivery: Delivery<Section, Row>) async -> ListUpdate<Section, Row>? {
    let state = delivery.state
    guard let before = delivered, let seen else {
      seen = state.revision
      delivered = state
      return ListUpdate(
        revision: state.revision, previous: nil, changes: publisher.difference(.init(), state.snapshot),
        snapshot: state.snapshot)
    }
    let changes = delivery.difference?.changes ?? publisher.difference(before.snapshot, state.snapshot)
    last = delivery.difference
    if delivery.isForOthers {
      let new = DifferenceDesk.Difference(changes, over: seen..<state.revision)
      last = new
      await publisher.leave(new)
    }
    self.seen = state.revision
    // Equal content, newer snapshot: the newer one shares more with what is to come.
    delivered?.snapshot = state.snapshot
    if changes.isEmpty { return nil }
    delivered?.revision = state.revision
    return ListUpdate(
      revision: state.revision, previous: before.revision, changes: changes, snapshot: state.snapshot)
  }

  /// The updates, one each time that somebody asks.
  @inlinable final nonisolated var stream: AsyncStream<ListUpdate<Section, Row>> {
    AsyncStream {
      let update = await self.next()
      // Who is cancelled gets nothing, even if there was something.
      return Task.isCancelled ? nil : update
    }
  }
}

// MARK: - Turns

extension Subscription {
  /// Waits for its turn to read.
  ///
  /// - Returns: Whether it came; it does not if the calling task is cancelled before.
  @usableFromInline
  final func nextTurn() async -> Bool {
    let (turns, turn) = AsyncStream.makeStream(of: Void.self)
    queue.append(turn)
    // A cancelled task is woken by the stream itself.
    for await _ in turns { return true }
    return false
  }

  /// Gives the turn to the first who still waits.
  @usableFromInline
  final func endTurn() {
    while !queue.isEmpty {
      if case .enqueued = queue.removeFirst().yield() { return }
    }
    isBusy = false
  }
}

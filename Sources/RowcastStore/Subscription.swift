public import RowcastDiff
public import RowcastModel

/// One subscriber's place in the history of a list: the state that it has, and nothing else.
///
/// The difference is made here, when the subscriber requests an update, so neither the publisher nor other subscribers wait
/// for it. If another subscriber has left the same difference with the publisher, it is taken.
@usableFromInline
package actor Subscription<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline let publisher: PublisherAccess<Section, Row>
  /// The state that the subscriber was brought to. Its content equals that at ``seen``.
  @usableFromInline final var delivered: ListState<Section, Row>?
  /// The newest revision looked at. Later than the delivered one if the net difference was nothing.
  @usableFromInline final var seen: Int?
  /// The last difference that was shared, kept for other subscribers.
  @usableFromInline final var last: DifferenceCache.Difference?
  /// Whether an update is being made.
  @usableFromInline final var isBusy = false
  /// Further tasks that read the same stream, each waiting for its turn.
  @usableFromInline final var turns = WaiterList()
  /// Finds the state that the subscriber has already, before the first update.
  @usableFromInline final var findStart: (@Sendable () async -> ListState<Section, Row>?)?
  /// Whether a net difference of nothing is an update, too: for a subscriber that has other states from elsewhere.
  @usableFromInline let yieldsEmpty: Bool

  /// - Parameters:
  ///   - publisher: The list.
  ///   - yieldsEmpty: Whether a net difference of nothing is an update, too.
  ///   - start: Finds the state that the subscriber has; without one, the first update is the whole list.
  @inlinable
  package init(
    to publisher: some ListPublisher<Section, Row>, yieldingEmpty yieldsEmpty: Bool = false,
    startingAt start: (@Sendable () async -> ListState<Section, Row>?)? = nil
  ) {
    self.publisher = PublisherAccess(publisher)
    self.yieldsEmpty = yieldsEmpty
    findStart = start
  }

  /// The update to the newest state, as soon as that differs from the one delivered last.
  ///
  /// - Returns: `nil` at the end of the list, or if the calling task is cancelled.
  @inlinable
  package final func next() async -> ListUpdate<Section, Row>? {
    if isBusy, await !nextTurn() { return nil }
    isBusy = true
    defer { endTurn() }
    if let findStart {
      self.findStart = nil
      delivered = await findStart()
      seen = delivered?.revision
    }
    while let delivery = await publisher.delivery(seen) {
      let update = advance(to: delivery)
      if delivery.isShared, let last { await publisher.store(last) }
      if let update { return update }
    }
    return nil
  }

  /// Takes a delivery in. The difference is made here unless it came along.
  ///
  /// - Returns: The update, unless nothing changed.
  @inlinable
  final func advance(to delivery: Delivery<Section, Row>) -> ListUpdate<Section, Row>? {
    let state = delivery.state
    guard let before = delivered, let seen else {
      seen = state.revision
      delivered = state
      return ListUpdate(
        revision: state.revision, previous: nil, changes: publisher.difference(.init(), state.snapshot),
        snapshot: state.snapshot, epoch: publisher.epoch)
    }
    let changes = delivery.difference?.changes ?? publisher.difference(before.snapshot, state.snapshot)
    last = delivery.isShared ? DifferenceCache.Difference(changes, over: seen..<state.revision) : delivery.difference
    assert(state.revision > seen && seen >= before.revision, "\(before.revision), \(seen), then \(state.revision)")
    self.seen = state.revision
    // Equal content, newer snapshot: the newer one shares more with what is to come.
    delivered?.snapshot = state.snapshot
    if changes.isEmpty, !yieldsEmpty { return nil }
    delivered?.revision = state.revision
    return ListUpdate(
      revision: state.revision, previous: before.revision, changes: changes, snapshot: state.snapshot,
      epoch: publisher.epoch)
  }

  /// The updates, one for each request.
  @inlinable package final nonisolated var stream: AsyncStream<ListUpdate<Section, Row>> {
    AsyncStream {
      let update = await self.next()
      // A cancelled task gets nothing, even if there was something.
      return Task.isCancelled ? nil : update
    }
  }
}

// MARK: - Turns

extension Subscription {
  /// Waits for the turn to read.
  ///
  /// - Returns: Whether it came; it does not if the calling task is cancelled before.
  @usableFromInline
  final func nextTurn() async -> Bool {
    let signal = Signal()
    let token = turns.add(signal)
    if await signal.wait() { return true }
    turns.remove(token)
    return false
  }

  /// Gives the turn to the first task that still waits.
  @usableFromInline
  final func endTurn() { isBusy = turns.wakeFirst() }
}

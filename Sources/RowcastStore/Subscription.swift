public import RowcastDiff
public import RowcastModel

/// One subscriber's place in the history of a list: the state it has, and nothing else.
///
/// The difference is made here, when the subscriber asks, so neither the publisher nor other subscribers wait for it;
/// unless another subscriber has just made the same one.
@usableFromInline
actor Subscription<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>

  private let publisher: any ListPublisher<Section, Row>
  /// Makes differences where the types are known, so that the code is specialised for them.
  private let difference: @Sendable (Snapshot, Snapshot) -> ListChanges
  /// The state that the subscriber was brought to. Its content equals that at ``seen``.
  private var delivered: ListState<Section, Row>?
  /// The newest revision looked at. Later than the delivered one if the net difference was nothing.
  private var seen: Int?
  /// The last difference, kept for other subscribers.
  private var last: DifferenceDesk.Difference?
  /// Whether an update is being made, and who waits for his turn: several tasks may read the same stream.
  private var isBusy = false
  private var queue: [CheckedContinuation<Void, Never>] = []

  @usableFromInline
  init(
    to publisher: any ListPublisher<Section, Row>,
    difference: @escaping @Sendable (Snapshot, Snapshot) -> ListChanges
  ) {
    self.publisher = publisher
    self.difference = difference
  }

  /// The update to the newest state, as soon as that differs from the one delivered last.
  ///
  /// - Returns: `nil` at the end of the list, or if the calling task is cancelled.
  @usableFromInline
  func next() async -> ListUpdate<Section, Row>? {
    while !Task.isCancelled, let state = await publisher.state(after: seen) {
      while isBusy { await withCheckedContinuation { queue.append($0) } }
      isBusy = true
      let update = await advance(to: state)
      isBusy = false
      if !queue.isEmpty { queue.removeFirst().resume() }
      if Task.isCancelled { return nil }
      if let update { return update }
    }
    return nil
  }

  private func advance(to state: ListState<Section, Row>) async -> ListUpdate<Section, Row>? {
    // Another task that reads the same stream may have come first.
    guard state.revision > seen ?? -1 else { return nil }
    guard let before = delivered, let seen else {
      seen = state.revision
      delivered = state
      return ListUpdate(
        revision: state.revision, previous: nil, changes: difference(Snapshot(), state.snapshot),
        snapshot: state.snapshot)
    }
    let changes = await changes(over: seen..<state.revision, from: before.snapshot, to: state.snapshot)
    self.seen = state.revision
    // Equal content, newer snapshot: the newer one shares more with what is to come.
    delivered?.snapshot = state.snapshot
    if changes.isEmpty { return nil }
    delivered?.revision = state.revision
    return ListUpdate(
      revision: state.revision, previous: before.revision, changes: changes, snapshot: state.snapshot)
  }

  private func changes(over span: Range<Int>, from before: Snapshot, to after: Snapshot) async -> ListChanges {
    if let made = await publisher.desk.take(over: span) {
      last = made
      return made.changes
    }
    let new = DifferenceDesk.Difference(difference(before, after), over: span)
    last = new
    await publisher.desk.leave(new)
    return new.changes
  }

  /// The updates, one each time that somebody asks.
  @usableFromInline nonisolated var stream: AsyncStream<ListUpdate<Section, Row>> {
    AsyncStream {
      let update = await self.next()
      // The task may have been cancelled on the way back from the subscription.
      return Task.isCancelled ? nil : update
    }
  }
}

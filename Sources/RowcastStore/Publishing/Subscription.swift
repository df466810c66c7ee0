public import RowcastDiff
public import RowcastModel

/// One subscriber's place in the history of a list: the state that it has, and nothing else.
///
/// The difference is made here, when the subscriber requests an update, so neither the publisher nor other subscribers wait
/// for it. If another subscriber has left the same difference with the publisher, it is taken.
@usableFromInline
package final actor Subscription<Publisher: ListPublisher> {
  @usableFromInline typealias State = ListState<Publisher.Section, Publisher.Row>
  @usableFromInline package typealias Update = ListUpdate<Publisher.Section, Publisher.Row>

  @usableFromInline let publisher: Publisher
  /// The state that the subscriber has. Its content equals that at ``seen``.
  @usableFromInline final var delivered: State?
  /// The newest revision looked at. Later than the delivered one if the net difference was nothing.
  @usableFromInline final var seen: Int?
  /// The last difference that was shared, kept for other subscribers.
  @usableFromInline final var last: DifferenceCache.Difference?
  /// Finds the state that the subscriber has already, before the first update.
  @usableFromInline final var findStart: (@Sendable () async -> ListState<Publisher.Section, Publisher.Row>?)?
  /// True if a net difference of nothing is an update, too, also at the start: for a subscriber that has states from elsewhere.
  @usableFromInline let yieldsEmpty: Bool

  /// Starts with the state that `start` finds; without one, the first update is the whole list.
  @inlinable
  package init(
    to publisher: Publisher, yieldingEmpty yieldsEmpty: Bool = false,
    startingAt start: (@Sendable () async -> ListState<Publisher.Section, Publisher.Row>?)? = nil
  ) {
    self.publisher = publisher
    self.yieldsEmpty = yieldsEmpty
    findStart = start
  }

  /// The update to the newest state, as soon as that differs from the one delivered last.
  ///
  /// Several tasks may read at once: each update is delivered to the first that receives it, and the others continue to wait. The
  /// result is `nil` at the end of the list, or if the calling task is cancelled.
  @inlinable
  package final func next() async -> Update? {
    if let findStart {
      let start = await findStart()
      // Another task that reads the stream may have found it first.
      if self.findStart != nil { (self.findStart, delivered, seen) = (nil, start, start?.revision) }
      if yieldsEmpty, let start {
        let newest = await onSharedExecutor({ [publisher] in await publisher.newest().state })
        if newest.revision == start.revision, seen == start.revision { return confirm(newest, from: start) }
      }
    }
    while let delivery = await onSharedExecutor({ [publisher, seen] in await publisher.delivery(after: seen) }) {
      let update = advance(to: delivery)
      if delivery.isWanted, let last { await onSharedExecutor { [publisher] in await publisher.store(last) } }
      if let update { return update }
    }
    return nil
  }

  /// The update that tells a subscriber that its state is the newest, perhaps of a later run.
  @inlinable
  final func confirm(_ state: State, from start: State) -> Update {
    delivered = state
    return ListUpdate(
      revision: state.revision, previous: start.revision, changes: ListChanges(), snapshot: state.snapshot,
      epoch: state.lineage.epoch, previousEpoch: start.lineage.epoch, lineage: state.lineage)
  }

  /// Processes a delivery. The difference is computed here unless the delivery has it. Returns the update, unless nothing
  /// changed, or another task has received this state or a later one.
  @inlinable
  final func advance(to delivery: Delivery<Publisher.Section, Publisher.Row>) -> Update? {
    let state = delivery.state
    guard let before = delivered, let seen else {
      (delivered, seen) = (state, state.revision)
      return ListUpdate(
        revision: state.revision, previous: nil, changes: ListSnapshot().changes(to: state.snapshot),
        snapshot: state.snapshot, epoch: state.lineage.epoch, lineage: state.lineage)
    }
    if state.revision <= seen { return nil }
    let span = seen..<state.revision
    let shared = delivery.difference.flatMap { $0.value.span == span ? $0 : nil }
    let changes = shared?.value.changes ?? before.snapshot.changes(to: state.snapshot)
    last = delivery.isWanted ? DifferenceCache.Difference((span, changes)) : shared
    self.seen = state.revision
    // Equal content, newer snapshot: the newer one shares more with later ones.
    delivered?.snapshot = state.snapshot
    if changes.isEmpty, !yieldsEmpty { return nil }
    delivered = state
    return ListUpdate(
      revision: state.revision, previous: before.revision, changes: changes, snapshot: state.snapshot,
      epoch: state.lineage.epoch, previousEpoch: before.lineage.epoch, lineage: state.lineage)
  }

  /// The updates, one for each request.
  @inlinable package final nonisolated var stream: AsyncStream<Update> {
    AsyncStream {
      let update = await self.next()
      // A cancelled task gets nothing, even if there was something.
      return Task.isCancelled ? nil : update
    }
  }
}

public import RowcastDiff
public import RowcastModel

/// One subscriber's place in the history of a list: the state that it has, and nothing else.
///
/// The difference is made here, when the subscriber requests an update, so neither the publisher nor other subscribers wait
/// for it. If another subscriber has left the same difference with the publisher, it is used.
@usableFromInline
package final actor Subscription<Publisher: ListPublisher> {
  @usableFromInline typealias State = ListState<Publisher.Section, Publisher.Row>
  @usableFromInline typealias Snapshot = ListSnapshot<Publisher.Section, Publisher.Row>
  @usableFromInline package typealias Update = ListUpdate<Publisher.Section, Publisher.Row>

  @usableFromInline let publisher: Publisher
  /// The state that the subscriber has. Its content equals that at ``seen``.
  @usableFromInline final var delivered: State?
  /// The newest revision looked at. Later than the delivered one if the net difference was empty.
  @usableFromInline final var seen: Int?
  /// The last difference that was shared, kept for other subscribers.
  @usableFromInline final var last: DifferenceCache.Difference?
  /// Finds the state that the subscriber has already, before the first update.
  @usableFromInline final var findStart: (@Sendable () async -> ListState<Publisher.Section, Publisher.Row>?)?
  /// The differ. It is the only part of a subscription that is worth specialising for each kind of row, where the subscription is
  /// made.
  @usableFromInline let changes: @Sendable (Snapshot, Snapshot) -> ListChanges
  /// True if an empty net difference is an update, too, also at the start: for a subscriber that has states from elsewhere.
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
    changes = { $0.changes(to: $1) }
  }

  /// The update to the newest state, as soon as that differs from the one delivered last.
  ///
  /// Several tasks may read at once: each update is delivered to the first that receives it, and the others continue to wait. The
  /// result is `nil` at the end of the list, or if the calling task is cancelled.
  @usableFromInline
  package final func next() async -> Update? {
    if let findStart {
      let start = await findStart()
      // Another task that reads the stream may have found it first.
      if self.findStart != nil { (self.findStart, delivered, seen) = (nil, start, start?.revision) }
      if yieldsEmpty, let start {
        let newest = await onSharedExecutor({ [publisher] in await publisher.newest().state })
        if newest.revision == start.revision, seen == start.revision {
          // The subscriber has the newest state, perhaps of a later run.
          delivered = newest
          return newest.update(since: start, ListChanges())
        }
      }
    }
    while let delivery = await onSharedExecutor({ [publisher, seen] in await publisher.delivery(after: seen) }) {
      let update = advance(to: delivery)
      if delivery.isWanted, let last { await publisher.sharedStep { $0.differences.store(last) } }
      if let update { return update }
    }
    return nil
  }

  /// Processes a delivery. The difference is computed here unless the delivery has it. Returns the update, unless nothing
  /// changed, or another task has received this state or a later one.
  final func advance(to delivery: Delivery<Publisher.Section, Publisher.Row>) -> Update? {
    let state = delivery.state
    guard let before = delivered, let seen else {
      (delivered, seen) = (state, state.revision)
      return state.update(since: nil, changes(ListSnapshot(), state.snapshot))
    }
    if state.revision <= seen { return nil }
    let span = seen..<state.revision
    let shared = delivery.difference.flatMap { $0.value.span == span ? $0 : nil }
    let changes = shared?.value.changes ?? self.changes(before.snapshot, state.snapshot)
    last = delivery.isWanted ? DifferenceCache.Difference((span, changes)) : shared
    self.seen = state.revision
    // Equal content, newer snapshot: the newer one shares more with later ones.
    delivered?.snapshot = state.snapshot
    if changes.isEmpty, !yieldsEmpty { return nil }
    delivered = state
    return state.update(since: before, changes)
  }

  /// The updates, one for each request.
  @usableFromInline package final nonisolated var stream: AsyncStream<Update> { values { $0 } }

  /// The updates, converted by a function: one value for each request.
  @usableFromInline
  package final nonisolated func values<Value>(_ value: @escaping @Sendable (Update) -> Value) -> AsyncStream<Value> {
    AsyncStream {
      let update = await self.next()
      // A cancelled task gets nothing, even if an update is ready.
      return Task.isCancelled ? nil : update.map(value)
    }
  }
}

/// A list, the number of the change that made it, and the runs up to it.
@usableFromInline
package struct ListState<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline package var snapshot: ListSnapshot<Section, Row>
  @usableFromInline package var revision: Int
  @usableFromInline package var lineage: Lineage

  @inlinable
  package init(snapshot: ListSnapshot<Section, Row>, revision: Int, lineage: Lineage = Lineage()) {
    self.snapshot = snapshot
    self.revision = revision
    self.lineage = lineage
  }

  @usableFromInline package var position: ListPosition { ListPosition(epoch: lineage.epoch, revision: revision) }

  /// The update that leads here from a former state, or from nothing.
  @usableFromInline
  package func update(since former: ListState?, _ changes: ListChanges) -> ListUpdate<Section, Row> {
    ListUpdate(
      revision: revision, previous: former?.revision, changes: changes, snapshot: snapshot, epoch: lineage.epoch,
      previousEpoch: former?.lineage.epoch, lineage: lineage)
  }

  /// The state with another of its positions: a list has two where one run ends and the next one begins.
  @usableFromInline
  package func at(_ position: ListPosition) -> ListState {
    if lineage.epoch == position.epoch { return self }
    return ListState(snapshot: snapshot, revision: revision, lineage: Lineage(of: position.epoch, since: revision))
  }
}

/// A newer state for a subscriber, with the difference from the one that it has, if that is cached; `isWanted` asks the
/// subscriber to store the difference that it makes.
@usableFromInline
package typealias Delivery<Section: SectionViewModel, Row: RowViewModel> = (
  state: ListState<Section, Row>, difference: DifferenceCache.Difference?, isWanted: Bool
)

/// The answer to a request for a state after a revision.
@usableFromInline
package enum Poll<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  case ready(Delivery<Section, Row>)
  /// The signal is sent when there may be a newer state. A task that was not woken leaves its place; with several places
  /// every task does, as the signal was sent from only one of them.
  case waiting(Signal, hasSeveralPlaces: Bool, leave: @Sendable () async -> Void)
  /// No other state follows.
  case ended
}

/// An actor with a newest list, which a ``Subscription`` follows.
@usableFromInline
package protocol ListPublisher<Section, Row>: Actor {
  associatedtype Section: SectionViewModel
  associatedtype Row: RowViewModel

  /// Differences that subscribers have made.
  var differences: DifferenceCache { get set }

  /// The shared observer of watched parts, kept alive by its watchers.
  var partWatchers: (any AnyObject & Sendable)? { get set }

  /// The newest state, and whether it is the last.
  func newest() async -> (state: ListState<Section, Row>, isFinal: Bool)

  /// The newest state, if its revision is not `revision`, or a place among those that wait for one.
  ///
  /// - Parameters:
  ///   - revision: The revision that the caller has; `nil` for one that has none.
  ///   - isCalled: True if the caller was woken. Others may have to wait until it is their turn, although there is a newer state.
  /// - Returns: The state, the place, or the end.
  func poll(after revision: Int?, isCalled: Bool) async -> Poll<Section, Row>
}

extension ListPublisher {
  /// The newest state as soon as it is not the one at `revision` any more.
  ///
  /// The task waits outside of the actor: woken there, it would occupy the actor only to leave again. The result is `nil`
  /// if the list has ended, or the calling task is cancelled.
  package nonisolated func delivery(after revision: Int?) async -> Delivery<Section, Row>? {
    var isCalled = false
    while true {
      switch await poll(after: revision, isCalled: isCalled) {
      case .ready(let delivery): return delivery
      case .ended: return nil
      case .waiting(let signal, let hasSeveralPlaces, let leave):
        let isWoken = await signal.wait()
        if hasSeveralPlaces || !isWoken { await leave() }
        if !isWoken || Task.isCancelled { return nil }
        isCalled = true
      }
    }
  }

  /// The delivery of the newest state to a subscriber at a revision; `nil` for one that has no state.
  @usableFromInline
  package func delivery(of state: ListState<Section, Row>, to revision: Int?) -> Delivery<Section, Row> {
    guard let revision else { return (state, nil, false) }
    let (difference, isWanted) = differences.lookUp(revision..<state.revision)
    return (state, difference, isWanted)
  }
}

/// The newest difference that a subscriber of a list has made, for others at the same revision. It is part of the actor
/// whose list it is.
///
/// No task waits for a difference: a subscriber uses the cached one, or computes its own. It stores that only if another
/// subscriber has asked for the same one before, so a lone subscriber stores nothing. The cache keeps no difference alive;
/// the subscribers that have it do, until their next.
@usableFromInline
package struct DifferenceCache: Sendable {
  /// A difference, and the revisions that it leads from and to.
  @usableFromInline package typealias Difference = SharedBox<(span: Range<Int>, changes: ListChanges)>

  private(set) weak var newest: Difference?
  /// The range that was last looked up without a result.
  private var missed: Range<Int>?

  /// Creates an empty cache.
  @usableFromInline
  package init() {}

  /// Looks up the difference over a range of revisions.
  ///
  /// - Returns: The difference, if it is here; and true if it is to be stored once it is made.
  @usableFromInline
  package mutating func lookUp(_ span: Range<Int>) -> (difference: Difference?, isWanted: Bool) {
    if let newest, newest.value.span == span { return (newest, false) }
    defer { missed = span }
    return (nil, missed == span)
  }

  /// Stores a difference for others, unless one that leads as far is stored already.
  @usableFromInline
  package mutating func store(_ difference: Difference) {
    let span = difference.value.span
    if let known = newest?.value.span, known == span || known.upperBound > span.upperBound { return }
    assert(!span.isEmpty, "A difference leads from revision \(span.lowerBound) to itself")
    newest = difference
  }
}

/// A value that several owners share.
@usableFromInline
package final class SharedBox<Value: Sendable>: Sendable {
  @usableFromInline package let value: Value

  package init(_ value: Value) { self.value = value }
}

import RowcastDiff
public import RowcastModel
public import RowcastStore

/// Keeps a list that is made of others, by bringing it up to date when a task reads it.
///
/// Nothing runs between two reads: upstreams do not know that they are read, unless a task waits for them to change.
/// All subscribers of the list share what is computed for the first of them.
///
/// Its executor is safe to use: it is that of the neighbour, which the actor holds.
@safe
@usableFromInline
actor ViewCore<Section: SectionViewModel, Row: RowViewModel>: ListPublisher {
  /// The executor of the neighbour: a task goes from the one to the other without a switch.
  @usableFromInline nonisolated let unownedExecutor: UnownedSerialExecutor
  private let neighbour: any Actor
  @usableFromInline package let epoch = ListPosition.randomEpoch()
  @usableFromInline package final var differences = DifferenceCache()
  @usableFromInline package final var hub = WeakReference()
  @usableFromInline let upstreams: Upstreams
  /// The end of the chain of operators.
  @usableFromInline let node: ListNode<Section, Row>
  @usableFromInline final var current: ListState<Section, Row>?

  /// - Parameters:
  ///   - origin: What makes the chain of operators.
  ///   - neighbour: An actor that is asked each time that this one is.
  @usableFromInline
  init(_ origin: ListOrigin<Section, Row>, beside neighbour: any Actor = LoneActor()) {
    self.neighbour = neighbour
    unsafe unownedExecutor = unsafe neighbour.unownedExecutor
    upstreams = Upstreams()
    node = origin.makeNode(upstreams)
  }

  /// The list as it is now.
  @inlinable
  final func state() async -> ListState<Section, Row> {
    await fetch()
    return pull()
  }

  /// The rows that are missing in the list as it is now because a mapping failed.
  @usableFromInline
  final func failures() async -> [Row.ID: any Error] {
    _ = await state()
    return node.failures()
  }

  @inlinable
  final func fetch() async { for link in upstreams.links { await link.fetch() } }

  /// Makes what is to be made of the values that were read, all at once.
  @inlinable
  final func pull() -> ListState<Section, Row> {
    let step = node.pull()
    if let current, step == nil { return current }
    let newest = ListState(snapshot: step?.after ?? ListSnapshot(), revision: upstreams.revision)
    current = newest
    return newest
  }
}

// MARK: - Waiting

extension ViewCore {
  /// The answer to a request for a state after a revision.
  @usableFromInline
  enum Poll: Sendable {
    case ready(Delivery<Section, Row>)
    /// The signal stands in the lists of all upstreams that may change.
    case waiting(Signal, [Upstreams.WaiterRemoval])
    case ended
  }

  @inlinable
  package final func newest() async -> (state: ListState<Section, Row>, isFinal: Bool) {
    // Other readers fetch, too, and may find the end between two reads of this one: only what is fetched when the end is
    // known already is all there is.
    let isFinal = !upstreams.awaitsRows
    return (await state(), isFinal)
  }

  @inlinable
  final func poll(after revision: Int?) async -> Poll {
    let (newest, isLast) = await newest()
    if newest.revision != revision { return .ready(delivery(of: newest, to: revision)) }
    if isLast { return .ended }
    // What this task has seen is what was pulled just now, whatever others pull while it goes to the upstreams.
    let (signal, removals) = await makeWaiter(since: upstreams.awaitsRows ? upstreams.seen : [])
    return .waiting(signal, removals)
  }

  @inlinable
  package nonisolated(nonsending) final func delivery(after revision: Int?) async -> Delivery<Section, Row>? {
    while true {
      switch await poll(after: revision) {
      case .ready(let delivery): return delivery
      case .ended: return nil
      case .waiting(let signal, let removals):
        await signal.wait()
        for remove in removals { await remove() }
        if Task.isCancelled { return nil }
      }
    }
  }

  /// Has a signal sent at the first change of any upstream after some revisions; at once if there is one already.
  @usableFromInline
  final func makeWaiter(since seen: [(link: Upstreams.Link, revision: Int)]) async -> (
    Signal, [Upstreams.WaiterRemoval]
  ) {
    let signal = Signal()
    var removals: [Upstreams.WaiterRemoval] = []
    if seen.isEmpty { signal.send() }
    for (link, revision) in seen {
      guard let removal = await link.addWaiter(signal, revision) else {
        signal.send()
        break
      }
      removals.append(removal)
    }
    return (signal, removals)
  }
}

/// An actor that does nothing: the neighbour of actors that have no other.
@usableFromInline
actor LoneActor {
  @inlinable
  init() {}
}

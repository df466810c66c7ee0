import RowcastDiff
public import RowcastModel
public import RowcastStore

/// Keeps a list that is made of others, by bringing it up to date when a task reads it.
///
/// Nothing runs between two reads: upstreams do not know that they are read, unless a task waits for them to change.
/// All subscribers of the list share what is computed for the first of them.
@usableFromInline
actor ViewCore<Section: SectionViewModel, Row: RowViewModel>: ListSource {
  @usableFromInline nonisolated let origin: ListOrigin<Section, Row>
  @usableFromInline package nonisolated let epoch = ListPosition.randomEpoch()
  @usableFromInline package final var differences = DifferenceCache()
  @usableFromInline package final weak var hub: (any AnyObject & Sendable)?
  @usableFromInline let upstreams: Upstreams
  /// The end of the chain of operators.
  @usableFromInline let node: ListNode<Section, Row>
  @usableFromInline final var current: ListState<Section, Row>?
  /// Whether the list may be another one than the current one.
  @usableFromInline final var isChanged = false

  @usableFromInline
  init(_ origin: @escaping ListOrigin<Section, Row>) {
    self.origin = origin
    upstreams = Upstreams()
    node = origin(upstreams)
  }

  /// The list as it is now, for tasks that may prefer an executor of their own.
  @usableFromInline nonisolated var latest: ListState<Section, Row> {
    get async { await onSharedExecutor { await self.state() } }
  }

  /// The rows that are missing in the list as it is now because a mapping failed.
  @usableFromInline nonisolated var failures: [Row.ID: any Error] {
    get async { await onSharedExecutor { await self.pulledFailures() } }
  }

  private func pulledFailures() async -> [Row.ID: any Error] {
    _ = await state()
    return node.failures()
  }

  /// The list as it is now.
  @inlinable
  final func state() async -> ListState<Section, Row> {
    while true {
      await fetch()
      if let newest = pull() { return newest }
    }
  }

  @inlinable
  final func fetch() async {
    for index in upstreams.links.indices { await upstreams.links[index].reader.fetch(on: self) }
  }

  /// Makes what is to be made of the values that were read, all at once; nothing if one of them is to be read again.
  @inlinable
  final func pull() -> ListState<Section, Row>? {
    if node.pull() { isChanged = true }
    if upstreams.links.contains(where: { $0.state.isGivenUp }) { return nil }
    if let current, !isChanged { return current }
    isChanged = false
    let newest = ListState(snapshot: node.snapshot(), revision: upstreams.revision)
    assert(newest.revision >= current?.revision ?? 0, "revision \(newest.revision) after \(current?.revision ?? 0)")
    current = newest
    return newest
  }
}

// MARK: - Waiting

extension ViewCore {
  @inlinable
  package final func newest() async -> (state: ListState<Section, Row>, isFinal: Bool) {
    // Other readers fetch, too, and may find the end between two reads of this one: only what is fetched when the end is
    // known already is all there is.
    let isFinal = !upstreams.awaitsRows
    return (await state(), isFinal)
  }

  @inlinable
  package final func poll(after revision: Int?) async -> Poll<Section, Row> {
    let (newest, isLast) = await newest()
    if newest.revision != revision { return .ready(delivery(of: newest, to: revision)) }
    if isLast { return .ended }
    return await makeWaiter()
  }

  /// Has a signal sent at the first change of any upstream after what was pulled; at once if there is one already.
  @usableFromInline
  final func makeWaiter() async -> Poll<Section, Row> {
    let signal = Signal()
    var removals: [Upstreams.WaiterRemoval] = []
    // What this task has seen was pulled just now, whatever others pull while it goes to the upstreams.
    let seen = upstreams.awaitsRows ? upstreams.seen : []
    if seen.isEmpty { signal.send() }
    for (reader, revision) in seen {
      guard let removal = await reader.addWaiter(signal, after: revision, on: self) else {
        signal.send()
        break
      }
      removals.append(removal)
    }
    return .waiting(signal, hasSeveralPlaces: true) { [removals] in for remove in removals { await remove() } }
  }
}

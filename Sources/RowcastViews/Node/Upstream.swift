public import RowcastModel
public import RowcastStore

/// A value with its revision. Another one may follow unless it is final.
@usableFromInline
typealias UpstreamValue<Value> = (value: Value, revision: Int, isFinal: Bool)

/// Removes a signal from the waiters of an upstream.
@usableFromInline
typealias WaiterRemoval = @Sendable () async -> Void

/// A source that a list reads: a store, an arrangement, a list of an app's own type, or a part of a list.
@usableFromInline
protocol Upstream<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// The newest value, or `nil` if it is the one at a revision and others may follow.
  func value(after revision: Int?) async -> UpstreamValue<Value>?
  /// Adds a signal that is sent at the next change after a revision. Returns its removal; `nil` if there is a newer value
  /// already, or will be none.
  func enqueue(_ signal: Signal, after revision: Int) async -> WaiterRemoval?
}

/// The newest value that a list has read of an upstream, whatever the type of the value.
@usableFromInline
class AnyUpstreamState {
  /// The revision of the value; `nil` before the first.
  @usableFromInline final var revision: Int?
  /// The revision of the value that the list was made from, or found to be made from.
  final var pulledRevision: Int?
  /// True if the value is the last.
  @usableFromInline final var isFinal = false
  /// True if the list was not made from the value, because there is another one.
  @usableFromInline final var isGivenUp = false
}

/// The newest value that a list has read of an upstream. All its operators read the same state, and so the same revision.
@usableFromInline
final class UpstreamState<Value: Sendable>: AnyUpstreamState {
  @usableFromInline var value: Value?
  /// True if functions of the app get the value, or got it before.
  @usableFromInline private(set) var keepsOriginal = false
  /// True if the value was replaced by one that keeps less alive.
  @usableFromInline var isReplaced = false
  /// The failures of a derived list, by the ids of its rows, if they were read.
  fileprivate var knownFailures: (any Sendable)?

  @usableFromInline override init() {}

  /// Replaces the value by one that keeps less alive, unless functions of the app get it.
  @usableFromInline
  func replace(with value: Value) {
    if keepsOriginal { return }
    (self.value, isReplaced) = (value, true)
  }

  /// Keeps values as they are from now on; one that was replaced is read once more.
  @usableFromInline
  func keepOriginal() {
    keepsOriginal = true
    if isReplaced { (value, revision, isFinal, isReplaced) = (nil, nil, false, false) }
  }

  /// Stores a value, unless another reader has stored it, or a later one, in the meantime.
  @inlinable
  func receive(_ newest: consuming UpstreamValue<Value>) {
    if let revision, isFinal || newest.revision < revision || newest.revision == revision && !newest.isFinal { return }
    if newest.revision == revision, isReplaced || keepsOriginal {
      isFinal = newest.isFinal
      return
    }
    (value, revision, isFinal) = newest
    (isGivenUp, isReplaced) = (false, false)
  }

  /// The failures of a derived list.
  @usableFromInline
  func failures<Section, Row>() -> [Row.ID: any Error] where Value == ListSnapshot<Section, Row> {
    knownFailures as? [Row.ID: any Error] ?? [:]
  }
}

/// An upstream that a list reads, and its state.
///
/// Operators retain the state, and suspended readers retain the link: a state that only its link retains is unread. The functions
/// take the state from the link, and do not retain it during a call.
final class UpstreamLink {
  typealias Fetch = (_ link: UpstreamLink, _ reader: isolated any Actor) async -> Void
  typealias Enqueue = (
    _ link: UpstreamLink, _ signal: Signal, _ revision: Int, _ reader: isolated any Actor
  ) async -> WaiterRemoval?
  /// Reads a store in its space. Returns a closure that stores the value in its state; `nil` if there is none.
  typealias Read = @Sendable (_ revision: Int?) -> (@Sendable (AnyUpstreamState) -> Void)?

  /// The object that is read. It is kept alive so that no other object can have its identity.
  let object: AnyObject
  /// The space of a store.
  let space: ListSpace?
  let read: Read
  /// The stores, spaces and lists of an app's own types from which the value is made. They change with the value of a parameter.
  var roots: Set<ObjectIdentifier> { didSet { if roots != oldValue { areRootsNew = true } } }
  /// True until the roots are compared with the roots of the other upstreams.
  var areRootsNew = true
  /// True if the upstream has rows. A list ends when all its upstreams with rows have ended.
  var hasRows: Bool
  private(set) var state: AnyUpstreamState
  /// Reads the newest value of any upstream but a store, and its failures.
  let fetch: Fetch
  let fetchFailures: Fetch
  /// See ``Upstream/enqueue(_:after:)``.
  let enqueue: Enqueue

  init(
    _ object: AnyObject, _ state: AnyUpstreamState, space: ListSpace? = nil, roots: Set<ObjectIdentifier>? = nil,
    hasRows: Bool = true, fetch: @escaping Fetch = { _, _ in }, fetchFailures: @escaping Fetch = { _, _ in },
    enqueue: @escaping Enqueue, read: @escaping Read = { _ in nil }
  ) {
    (self.object, self.state, self.space, self.hasRows, self.read) = (object, state, space, hasRows, read)
    self.roots = roots ?? [ObjectIdentifier(space ?? object)]
    (self.fetch, self.fetchFailures, self.enqueue) = (fetch, fetchFailures, enqueue)
  }

  /// The object that is read at one moment: the space, or the list itself.
  var path: AnyObject { space ?? object }

  /// True if an operator reads the state.
  var isRead: Bool { !isKnownUniquelyReferenced(&state) }
}

/// The upstreams of one list.
///
/// The stores of one space are read in one step, so that no transaction happens in between. Everything else is read one after the
/// other.
@usableFromInline
final class Upstreams {
  var links: [UpstreamLink] = []
  /// The links of objects.
  var linksOfObjects: [ObjectIdentifier: UpstreamLink] = [:]
  private var addedStoreCount = 0

  /// Roots that the list must read itself, as its sources are made from them on several paths.
  var contested: Set<ObjectIdentifier>
  /// The roots of all values, until others may be.
  var knownRoots: Set<ObjectIdentifier>?
  /// The lists that are rebuilt here, each with one node for as long as any operators read it. The lists are kept alive, so that
  /// no other ones have their identities.
  var nodes: [ObjectIdentifier: (view: AnyObject, node: () -> AnyObject?)] = [:]
  /// The number of consecutive abandoned rebuilds.
  @usableFromInline var givenUp = 0
  /// How often the list and all its sources were brought up to date.
  private(set) var pullCount = 0
  /// The row that is explained; `nil` for all lists that are not made for an explanation.
  let trace: RowTrace?

  @usableFromInline
  init(contested: Set<ObjectIdentifier> = [], trace: RowTrace? = nil) {
    (self.contested, self.trace) = (contested, trace)
  }

  /// Begins to bring the list up to date.
  @usableFromInline
  func beginPull() {
    pullCount += 1
    trace?.begin()
  }

  /// The number of upstreams; for tests.
  var count: Int { links.count }

  /// The sum of all revisions. It may fall when an upstream is replaced.
  @usableFromInline var revision: Int { links.reduce(0) { $0 + ($1.state.revision ?? 0) } }

  /// Records a pull. Returns false if a value is missing, or must be read again.
  @usableFromInline
  func notePull() -> Bool {
    guard links.allSatisfy({ $0.state.revision != nil && !$0.state.isGivenUp }), !findContested() else { return false }
    for link in links { link.state.pulledRevision = link.state.revision }
    givenUp = 0
    return true
  }

  /// True if the list is made from all current values.
  var arePulled: Bool { links.allSatisfy { $0.state.pulledRevision == $0.state.revision } }

  /// True if each state has a value.
  var hasAllValues: Bool { links.allSatisfy { $0.state.revision != nil } }

  /// True if rows may still be inserted.
  @usableFromInline var awaitsRows: Bool { links.contains { $0.hasRows && !$0.state.isFinal } }

  /// Brings all states up to date.
  @usableFromInline
  func fetch(on reader: isolated any Actor) async {
    var (groups, indexes): ([(space: ListSpace, stores: [UpstreamLink])], [ObjectIdentifier: Int]) = ([], [:])
    for link in links where !link.state.isFinal {
      guard let space = link.space else { continue }
      if let index = indexes[ObjectIdentifier(space)] {
        groups[index].stores.append(link)
      } else {
        indexes[ObjectIdentifier(space)] = groups.count
        groups.append((space, [link]))
      }
    }
    let groupedCount = addedStoreCount
    for (space, stores) in groups {
      var count: Int
      repeat {
        count = addedStoreCount
        let open = (count == groupedCount ? stores : links.filter { $0.space === space }).filter { !$0.state.isFinal }
        if open.isEmpty { break }
        let reads = open.map { ($0.read, $0.state.revision) }
        let values = await space.perform { reads.map { read, revision in read(revision) } }
        // If another reader has added a store since, these values are older than its value.
        if count == addedStoreCount { for (link, deliver) in zip(open, values) { deliver?(link.state) } }
      } while count != addedStoreCount
    }
    for link in links where link.space == nil && !link.state.isFinal { await link.fetch(link, reader) }
  }

  /// Brings the failures of all states up to date.
  func fetchFailures(on reader: isolated any Actor) async {
    for link in links { await link.fetchFailures(link, reader) }
  }

  /// Adds a signal that is sent when one of the upstreams changes; see ``Upstream/enqueue(_:after:)``.
  func enqueue(_ signal: Signal, on reader: isolated any Actor) async -> WaiterRemoval? {
    // The revisions from which the list was made, whatever other tasks read while this one calls the upstreams.
    let seen = links.filter { !$0.state.isFinal }.map { ($0, $0.state.revision ?? -1) }
    var removals: [WaiterRemoval] = []
    for (link, revision) in seen {
      guard let removal = await link.enqueue(link, signal, revision, reader) else {
        for remove in removals { await remove() }
        return nil
      }
      removals.append(removal)
    }
    return { [removals] in for remove in removals { await remove() } }
  }

  /// Brings operators that replace others up to date. Returns false if they cannot be shown yet: values are missing, or some of
  /// the operators were given up, or have added sources that must be read first.
  @usableFromInline
  func complete(_ pull: () -> Void) -> Bool {
    guard hasAllValues else { return false }
    let former = givenUp
    pull()
    if givenUp > former || !hasAllValues { return false }
    dropUnread()
    return true
  }

  /// Removes the upstreams that no operator reads, after operators were replaced.
  @usableFromInline
  func dropUnread() {
    knownRoots = nil
    for (view, shared) in nodes where shared.node() == nil { nodes[view] = nil }
    links.removeAll {
      if $0.isRead { return false }
      linksOfObjects[ObjectIdentifier($0.object)] = nil
      return true
    }
  }

  /// The state of an object, if it is read already. All operators that read an object share its state.
  @usableFromInline
  func known<Value>(_ object: AnyObject) -> UpstreamState<Value>? {
    linksOfObjects[ObjectIdentifier(object)]?.state as? UpstreamState<Value>
  }

  func add(_ link: UpstreamLink) {
    // A link keeps its object alive, so that no other one has its identity.
    linksOfObjects[ObjectIdentifier(link.object)] = link
    links.append(link)
  }

  /// The state of an upstream.
  ///
  /// - Parameters:
  ///   - upstream: The upstream.
  ///   - object: The object that identifies it, unless it is the upstream itself.
  ///   - roots: The roots of its values, unless it is a root itself.
  ///   - hasRows: True if the list does not end before it.
  /// - Returns: The state that all operators of the list share.
  @usableFromInline
  func state<Source: Upstream>(
    of upstream: Source, object: AnyObject? = nil, roots: Set<ObjectIdentifier>? = nil, hasRows: Bool = true
  ) -> UpstreamState<Source.Value> {
    let identity = ObjectIdentifier(object ?? upstream)
    if let link = linksOfObjects[identity], let known = link.state as? UpstreamState<Source.Value> {
      link.hasRows = link.hasRows || hasRows
      return known
    }
    let state = UpstreamState<Source.Value>()
    add(
      UpstreamLink(object ?? upstream, state, roots: roots, hasRows: hasRows) { link, _ in
        // Only the link is held during the call.
        let revision = link.state.revision
        guard let newest = await upstream.value(after: revision) else { return }
        (link.state as? UpstreamState<Source.Value>)?.receive(newest)
      } enqueue: { _, signal, revision, _ in
        await upstream.enqueue(signal, after: revision)
      })
    return state
  }

  /// The state of a derived list.
  @usableFromInline
  func state<Section, Row>(of view: ViewCore<Section, Row>) -> UpstreamState<ListSnapshot<Section, Row>> {
    if let known: UpstreamState<ListSnapshot<Section, Row>> = known(view) { return known }
    let state = UpstreamState<ListSnapshot<Section, Row>>()
    add(
      UpstreamLink(view, state, roots: view.roots) { link, _ in
        // Only the link is held during the call.
        let revision = link.state.revision
        guard let (newest, roots) = await view.value(after: revision) else { return }
        (link.state as? UpstreamState<ListSnapshot<Section, Row>>)?.receive(newest)
        if link.state.revision == newest.revision { link.roots = roots }
      } fetchFailures: { link, _ in
        let failures = await view.failures()
        (link.state as? UpstreamState<ListSnapshot<Section, Row>>)?.knownFailures = failures
      } enqueue: { _, signal, revision, _ in
        await view.enqueue(signal, after: revision)
      })
    return state
  }

  /// The state of a store.
  @inlinable
  func state<Section, Row>(of store: StoreCore<Section, Row>) -> UpstreamState<ListSnapshot<Section, Row>> {
    state(of: store, in: store.space) { store, revision in store.assumeIsolated { $0.value(after: revision) } }
  }

  /// The state of an upstream that runs on the executor of a space. `read` reads it there.
  @inlinable
  func state<Source: Upstream>(
    of upstream: Source, in space: ListSpace,
    read: @escaping @Sendable (Source, _ revision: Int?) -> UpstreamValue<Source.Value>?
  ) -> UpstreamState<Source.Value> {
    if let known: UpstreamState<Source.Value> = known(upstream) { return known }
    let state = UpstreamState<Source.Value>()
    add(upstream, state, in: space) { revision in
      guard let newest = read(upstream, revision) else { return nil }
      return { ($0 as? UpstreamState<Source.Value>)?.receive(newest) }
    }
    return state
  }

  @usableFromInline
  func add<Source: Upstream>(
    _ upstream: Source, _ state: UpstreamState<Source.Value>, in space: ListSpace,
    read: @escaping @Sendable (_ revision: Int?) -> (@Sendable (AnyUpstreamState) -> Void)?
  ) {
    add(
      UpstreamLink(
        upstream, state, space: space,
        enqueue: { _, signal, revision, _ in await upstream.enqueue(signal, after: revision) }, read: read))
    addedStoreCount += 1
  }
}

extension StoreCore: Upstream {
  @inlinable
  final func value(after revision: Int?) -> UpstreamValue<ListSnapshot<Section, Row>>? {
    if state.revision == revision, !isFinished { return nil }
    return (state.snapshot, state.revision, isFinished)
  }

  @usableFromInline
  final func enqueue(_ signal: Signal, after revision: Int) -> WaiterRemoval? {
    guard let place = addWaiter(signal, after: revision) else { return nil }
    return { await self.step { $0.waiters.remove(place) } }
  }
}

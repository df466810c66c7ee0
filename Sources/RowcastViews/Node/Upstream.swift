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
  /// The revision of the value that the list was made of, or found to be made of.
  final var pulledRevision: Int?
  /// True if the value is the last.
  @usableFromInline final var isFinal = false
  /// True if the list was not made of the value, because there is another one.
  @usableFromInline final var isGivenUp = false
}

/// The newest value that a list has read of an upstream. All its operators read the same state, and so the same revision.
@usableFromInline
class UpstreamState<Value: Sendable>: AnyUpstreamState {
  @usableFromInline final var value: Value?

  @usableFromInline override init() {}

  /// Stores a value, unless another reader has stored a later one in the meantime.
  @inlinable
  final func receive(_ newest: consuming UpstreamValue<Value>) {
    if let revision, isFinal || newest.revision < revision { return }
    (value, revision, isFinal) = newest
    isGivenUp = false
  }
}

/// The state of a derived source: its newest list and its failures.
@usableFromInline
final class ViewState<Section: SectionViewModel, Row: RowViewModel>: UpstreamState<ListSnapshot<Section, Row>> {
  @usableFromInline fileprivate(set) var failures: [Row.ID: any Error] = [:]
}

/// An upstream that a list reads, and its state.
///
/// Operators hold the state, and suspended readers hold this: a state that nothing else holds is unread.
class UpstreamLink {
  /// The object that is read. It is kept alive so that no other object can have its identity.
  let object: AnyObject
  /// The space of a store.
  let space: ListSpace?
  /// The stores, spaces and lists of an app's own types from which the value is made. Parameters name others with time.
  final var roots: Set<ObjectIdentifier> { didSet { if roots != oldValue { areRootsNew = true } } }
  /// True if nobody has looked whether other upstreams have some of the roots.
  final var areRootsNew = true
  /// True if the upstream has rows. A list ends when all its upstreams with rows have ended.
  final var hasRows: Bool
  final var state: AnyUpstreamState

  init(_ object: AnyObject, _ state: AnyUpstreamState, space: ListSpace?, roots: Set<ObjectIdentifier>?, hasRows: Bool)
  {
    (self.object, self.state, self.space, self.hasRows) = (object, state, space, hasRows)
    self.roots = roots ?? [ObjectIdentifier(space ?? object)]
  }

  /// True if an operator reads the state.
  final var isRead: Bool { !isKnownUniquelyReferenced(&state) }

  /// Reads the newest value.
  func fetch(on reader: isolated any Actor) async {}

  /// Reads the failures of the newest value.
  func fetchFailures(on reader: isolated any Actor) async {}

  /// See ``Upstream/enqueue(_:after:)``.
  func enqueue(_ signal: Signal, after revision: Int, on reader: isolated any Actor) async -> WaiterRemoval? { nil }
}

private class TypedUpstreamLink<Value: Sendable>: UpstreamLink {
  private let upstream: any Upstream<Value>

  init(
    _ upstream: any Upstream<Value>, _ state: UpstreamState<Value>, object: AnyObject?, space: ListSpace?,
    roots: Set<ObjectIdentifier>?, hasRows: Bool
  ) {
    self.upstream = upstream
    super.init(object ?? upstream, state, space: space, roots: roots, hasRows: hasRows)
  }

  override func fetch(on reader: isolated any Actor) async {
    // Only the link is held during the call.
    let revision = state.revision
    guard let newest = await upstream.value(after: revision) else { return }
    (state as? UpstreamState<Value>)?.receive(newest)
  }

  override func enqueue(
    _ signal: Signal, after revision: Int, on reader: isolated any Actor
  ) async -> WaiterRemoval? {
    await upstream.enqueue(signal, after: revision)
  }
}

private final class ViewLink<Section: SectionViewModel, Row: RowViewModel>:
  TypedUpstreamLink<ListSnapshot<Section, Row>>
{
  private let view: ViewCore<Section, Row>

  init(_ view: ViewCore<Section, Row>, _ state: ViewState<Section, Row>) {
    self.view = view
    super.init(view, state, object: nil, space: nil, roots: view.roots, hasRows: true)
  }

  override func fetch(on reader: isolated any Actor) async {
    let revision = state.revision
    guard let (newest, roots) = await view.reading(after: revision) else { return }
    (state as? ViewState<Section, Row>)?.receive(newest)
    if state.revision == newest.revision { self.roots = roots }
  }

  override func fetchFailures(on reader: isolated any Actor) async {
    let failures = await view.failures()
    (state as? ViewState<Section, Row>)?.failures = failures
  }
}

/// An object that is not kept alive. No other one gets its place in memory, and so its identity.
struct UnownedObject {
  unowned let object: AnyObject
}

/// The upstreams of one list.
///
/// The stores of one space are read in one step, so that no transaction happens in between. Everything else is read one after the
/// other.
@usableFromInline
final class Upstreams {
  /// Reads a store in its space. Returns a closure that stores the value in its state; `nil` if there is none.
  @usableFromInline typealias Read = @Sendable (_ revision: Int?) -> (@Sendable (AnyUpstreamState) -> Void)?

  private var links: [UpstreamLink] = []
  /// The links of objects.
  private var linksOfObjects: [ObjectIdentifier: UpstreamLink] = [:]
  private var spaces: [(space: ListSpace, stores: [(link: UpstreamLink, read: Read)])] = []
  private var addedStoreCount = 0

  /// Roots that the list must read itself, as lists that it reads are made of them on several paths.
  private(set) var contested: Set<ObjectIdentifier>
  /// The roots of all values, until others may be.
  private var knownRoots: Set<ObjectIdentifier>?
  /// A node, as long as an operator reads it.
  private final class WeakNode {
    weak var node: AnyObject?

    init(_ node: AnyObject) { self.node = node }
  }
  /// The nodes of the lists that are made anew here, one for each list, however many operators read it.
  private var nodes: [ObjectIdentifier: WeakNode] = [:]
  /// The number of consecutive abandoned rebuilds.
  @usableFromInline var givenUp = 0
  /// How often the list and all that it is made of were brought up to date.
  private(set) var pullCount = 0
  /// The row that is explained; `nil` for all lists but those that are made for this.
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

  /// True if a list that is made of others is read as it is, and its operators are not made anew.
  @usableFromInline
  func isReadAsItIs<Section, Row>(_ view: ViewCore<Section, Row>) -> Bool {
    if trace != nil { return false }
    return contested.isEmpty
      || contested.isDisjoint(with: linksOfObjects[ObjectIdentifier(view)]?.roots ?? view.roots)
  }

  /// The roots of all values.
  var roots: Set<ObjectIdentifier> {
    if let knownRoots { return knownRoots }
    let roots = links.reduce(into: Set()) { $0.formUnion($1.roots) }
    knownRoots = roots
    return roots
  }

  /// Finds roots that are read on several paths: the next pull makes the lists that are made of them anew. Returns true if there
  /// are others than before.
  @usableFromInline
  func findContested() -> Bool {
    guard links.contains(where: \.areRootsNew) else { return false }
    for link in links { link.areRootsNew = false }
    knownRoots = nil
    contested.formIntersection(roots)
    let shared = sharedRoots.subtracting(contested)
    contested.formUnion(shared)
    return !shared.isEmpty
  }

  /// The objects whose identities are roots.
  var rootObjects: [UnownedObject] { links.map { UnownedObject(object: $0.space ?? $0.object) } }

  /// The roots that are read on several paths: the root itself, or lists that are made of it.
  var sharedRoots: Set<ObjectIdentifier> {
    var paths: [ObjectIdentifier: AnyObject] = [:]
    var shared: Set<ObjectIdentifier> = []
    for link in links {
      let path = link.space ?? link.object
      for root in link.roots {
        if let other = paths.updateValue(path, forKey: root), other !== path { shared.insert(root) }
      }
    }
    return shared
  }

  /// The number of upstreams; for tests.
  var count: Int { links.count }

  /// The sum of all revisions: that of the upstream if there is only one. It falls when an upstream is exchanged.
  @usableFromInline var revision: Int { links.reduce(0) { $0 + ($1.state.revision ?? 0) } }

  /// Records a pull. Returns false if a value is missing, or must be read again.
  @usableFromInline
  func notePull() -> Bool {
    guard links.allSatisfy({ $0.state.revision != nil && !$0.state.isGivenUp }), !findContested() else { return false }
    for link in links { link.state.pulledRevision = link.state.revision }
    givenUp = 0
    return true
  }

  /// True if the list is made of all values as they are.
  var arePulled: Bool { links.allSatisfy { $0.state.pulledRevision == $0.state.revision } }

  /// True if each state has a value.
  @usableFromInline var hasAllValues: Bool { links.allSatisfy { $0.state.revision != nil } }

  /// True if rows may still be inserted.
  @usableFromInline var awaitsRows: Bool { links.contains { $0.hasRows && !$0.state.isFinal } }

  /// Brings all states up to date.
  @usableFromInline
  func fetch(on reader: isolated any Actor) async {
    for space in spaces.map(\.space) {
      var count: Int
      repeat {
        count = addedStoreCount
        let open = spaces.first { $0.space === space }?.stores.filter { !$0.link.state.isFinal } ?? []
        if open.isEmpty { break }
        let reads = open.map { ($0.read, $0.link.state.revision) }
        let values = await space.perform { reads.map { read, revision in read(revision) } }
        // If another reader has added a store meanwhile, these values are not of the moment at which that one was read.
        if count == addedStoreCount { for (store, deliver) in zip(open, values) { deliver?(store.link.state) } }
      } while count != addedStoreCount
    }
    for link in links where link.space == nil && !link.state.isFinal { await link.fetch(on: reader) }
  }

  /// Brings the failures of all states up to date.
  func fetchFailures(on reader: isolated any Actor) async {
    for link in links { await link.fetchFailures(on: reader) }
  }

  /// Adds a signal that is sent when one of the upstreams changes; see ``Upstream/enqueue(_:after:)``.
  func enqueue(_ signal: Signal, on reader: isolated any Actor) async -> WaiterRemoval? {
    // The revisions of which the list was made, whatever other tasks read while this one calls the upstreams.
    let seen = links.filter { !$0.state.isFinal }.map { ($0, $0.state.revision ?? -1) }
    var removals: [WaiterRemoval] = []
    for (link, revision) in seen {
      guard let removal = await link.enqueue(signal, after: revision, on: reader) else {
        for remove in removals { await remove() }
        return nil
      }
      removals.append(removal)
    }
    return { [removals] in for remove in removals { await remove() } }
  }

  /// Removes what no operator reads, after operators were replaced.
  @usableFromInline
  func dropUnread() {
    knownRoots = nil
    nodes = nodes.filter { $0.value.node != nil }
    links.removeAll {
      if $0.isRead { return false }
      linksOfObjects[ObjectIdentifier($0.object)] = nil
      return true
    }
    for index in spaces.indices {
      spaces[index].stores.removeAll { linksOfObjects[ObjectIdentifier($0.link.object)] !== $0.link }
    }
    spaces.removeAll { $0.stores.isEmpty }
  }

  /// Makes operators for other sources, anew if they read a root on several paths.
  @usableFromInline
  func replaceOperators(_ make: () -> Void) {
    repeat {
      make()
      dropUnread()
    } while findContested()
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
  ///   - roots: The roots of its values, unless it is one itself.
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
    add(TypedUpstreamLink(upstream, state, object: object, space: nil, roots: roots, hasRows: hasRows))
    return state
  }

  /// The state of a list that is made of others.
  @usableFromInline
  func state<Section, Row>(of view: ViewCore<Section, Row>) -> ViewState<Section, Row> {
    if let known = linksOfObjects[ObjectIdentifier(view)]?.state as? ViewState<Section, Row> { return known }
    let state = ViewState<Section, Row>()
    add(ViewLink(view, state))
    return state
  }

  /// The node of a list that is made of others, made anew for this list.
  @usableFromInline
  func node<Section, Row>(of view: ViewCore<Section, Row>) -> SharedNode<Section, Row> {
    if let known = nodes[ObjectIdentifier(view)]?.node as? SharedNode<Section, Row> { return known }
    let node = SharedNode(view, noting(view.makeNode(self), view.refusal), in: self)
    nodes[ObjectIdentifier(view)] = WeakNode(node)
    return node
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
    _ upstream: Source, _ state: UpstreamState<Source.Value>, in space: ListSpace, read: @escaping Read
  ) {
    let link = TypedUpstreamLink(upstream, state, object: nil, space: space, roots: nil, hasRows: true)
    add(link)
    let index = spaces.firstIndex { $0.space === space } ?? spaces.count
    if index == spaces.count { spaces.append((space, [])) }
    spaces[index].stores.append((link, read))
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
    guard let token = addWaiter(signal, after: revision) else { return nil }
    return { await self.removeWaiter(token) }
  }
}

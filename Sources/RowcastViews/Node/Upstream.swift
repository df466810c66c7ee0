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
  /// The object that is read. It is kept alive so that no other object can have its identity.
  let object: AnyObject?
  /// The space of a store.
  let space: ListSpace?
  /// The stores, spaces and lists of an app's own types from which the values are made.
  let roots: Set<ObjectIdentifier>
  /// True if the upstream has rows. A list ends when all its upstreams with rows have ended.
  let hasRows: Bool
  /// The revision of the value; `nil` before the first.
  @usableFromInline final var revision: Int?
  /// True if the value is the last.
  @usableFromInline final var isFinal = false
  /// True if the list was not made of the value, because there is another one.
  @usableFromInline final var isGivenUp = false

  init(object: AnyObject?, space: ListSpace?, roots: Set<ObjectIdentifier>?, hasRows: Bool) {
    (self.object, self.space, self.hasRows) = (object, space, hasRows)
    self.roots = roots ?? Set([space ?? object].compactMap { $0.map(ObjectIdentifier.init) })
  }

  /// Reads the newest value.
  func fetch(on reader: isolated any Actor) async {}

  /// Reads the failures of the newest value.
  func fetchFailures(on reader: isolated any Actor) async {}

  /// See ``Upstream/enqueue(_:after:)``.
  func enqueue(_ signal: Signal, after revision: Int, on reader: isolated any Actor) async -> WaiterRemoval? { nil }
}

/// The newest value that a list has read of an upstream. All its operators read the same state, and so the same revision.
@usableFromInline
class UpstreamState<Value: Sendable>: AnyUpstreamState {
  @usableFromInline final var value: Value?
  private let upstream: (any Upstream<Value>)?

  @usableFromInline
  init(
    _ upstream: (any Upstream<Value>)? = nil, object: AnyObject? = nil, space: ListSpace? = nil,
    roots: Set<ObjectIdentifier>? = nil, hasRows: Bool = true
  ) {
    self.upstream = upstream
    super.init(object: object ?? upstream as AnyObject?, space: space, roots: roots, hasRows: hasRows)
  }

  /// Stores a value, unless another reader has stored a later one in the meantime.
  @_alwaysEmitIntoClient
  final func receive(_ newest: consuming UpstreamValue<Value>) {
    if let revision, isFinal || newest.revision < revision { return }
    (value, revision, isFinal) = newest
    isGivenUp = false
  }

  override func fetch(on reader: isolated any Actor) async {
    if let newest = await upstream?.value(after: revision) { receive(newest) }
  }

  override func enqueue(
    _ signal: Signal, after revision: Int, on reader: isolated any Actor
  ) async -> WaiterRemoval? {
    await upstream?.enqueue(signal, after: revision)
  }
}

/// The newest list that a list has read of another one that is made of others, and its failures.
@usableFromInline
final class ViewState<Section: SectionViewModel, Row: RowViewModel>: UpstreamState<ListSnapshot<Section, Row>> {
  private let view: ViewCore<Section, Row>
  @usableFromInline private(set) var failures: [Row.ID: any Error] = [:]

  init(_ view: ViewCore<Section, Row>) {
    self.view = view
    super.init(view, roots: view.roots)
  }

  override func fetchFailures(on reader: isolated any Actor) async { failures = await view.failures() }
}

/// The upstreams of one list.
///
/// The stores of one space are read in one step, so that no transaction happens in between. Everything else is read one after the
/// other.
@usableFromInline
final class Upstreams {
  /// Reads a store in its space. Returns a closure that stores the value in its state; `nil` if there is none.
  @usableFromInline typealias Read = @Sendable (_ revision: Int?) -> (@Sendable (AnyUpstreamState) -> Void)?

  @usableFromInline private(set) var states: [AnyUpstreamState] = []
  /// The states of objects.
  private var statesOfObjects: [ObjectIdentifier: AnyObject] = [:]
  private var spaces: [(space: ListSpace, stores: [(state: AnyUpstreamState, read: Read)])] = []

  /// Roots that the list must read itself, as lists that it reads are made of them on several paths.
  @usableFromInline let contested: Set<ObjectIdentifier>
  /// A node, as long as an operator reads it.
  private final class WeakNode {
    weak var node: AnyObject?

    init(_ node: AnyObject) { self.node = node }
  }
  /// The nodes of the lists that are made anew here, one for each list, however many operators read it.
  private var nodes: [ObjectIdentifier: AnyObject] = [:]
  @usableFromInline let pulls = PullCount()

  @usableFromInline
  init(contested: Set<ObjectIdentifier> = []) { self.contested = contested }

  /// The roots of all values.
  var roots: Set<ObjectIdentifier> { states.reduce(into: []) { $0.formUnion($1.roots) } }

  /// The roots that are read on several paths: the root itself, or lists that are made of it.
  var sharedRoots: Set<ObjectIdentifier> {
    var paths: [ObjectIdentifier: AnyObject] = [:]
    var shared: Set<ObjectIdentifier> = []
    for state in states {
      guard let path = state.space ?? state.object else { continue }
      for root in state.roots {
        if let other = paths.updateValue(path, forKey: root), other !== path { shared.insert(root) }
      }
    }
    return shared
  }

  /// The sum of all revisions, which rises with each change: a revision, and that of the upstream if there is only one.
  @usableFromInline var revision: Int { states.reduce(0) { $0 + ($1.revision ?? 0) } }

  /// True if each state has a value.
  @usableFromInline var hasAllValues: Bool { states.allSatisfy { $0.revision != nil } }

  /// True if rows may still be inserted.
  @usableFromInline var awaitsRows: Bool { states.contains { $0.hasRows && !$0.isFinal } }

  /// Brings all states up to date.
  @usableFromInline
  func fetch(on reader: isolated any Actor) async {
    for (space, stores) in spaces {
      let open = stores.filter { !$0.state.isFinal }
      if open.isEmpty { continue }
      let reads = open.map { ($0.read, $0.state.revision) }
      let values = await space.perform { reads.map { read, revision in read(revision) } }
      for (store, deliver) in zip(open, values) { deliver?(store.state) }
    }
    for state in states where state.space == nil && !state.isFinal { await state.fetch(on: reader) }
  }

  /// The state of an object, if it is read already. All operators that read an object share its state.
  @usableFromInline
  func known<Value>(_ object: AnyObject) -> UpstreamState<Value>? {
    statesOfObjects[ObjectIdentifier(object)] as? UpstreamState<Value>
  }

  @usableFromInline
  func add<Value>(_ state: UpstreamState<Value>) -> UpstreamState<Value> {
    // A state keeps its object alive, so that no other one has its identity.
    if let object = state.object { statesOfObjects[ObjectIdentifier(object)] = state }
    states.append(state)
    return state
  }

  /// The state of an upstream.
  @usableFromInline
  func state<Source: Upstream>(
    of upstream: Source, roots: Set<ObjectIdentifier>? = nil, hasRows: Bool = true
  ) -> UpstreamState<Source.Value> {
    known(upstream) ?? add(UpstreamState<Source.Value>(upstream, roots: roots, hasRows: hasRows))
  }

  /// The state of a list that is made of others.
  @usableFromInline
  func state<Section, Row>(of view: ViewCore<Section, Row>) -> ViewState<Section, Row> {
    if let known: UpstreamState<ListSnapshot<Section, Row>> = known(view), let state = known as? ViewState<Section, Row>
    {
      return state
    }
    let state = ViewState(view)
    _ = add(state)
    return state
  }

  /// The node of a list that is made of others, made anew for this list.
  @usableFromInline
  func node<Section, Row>(of view: ViewCore<Section, Row>) -> SharedNode<Section, Row> {
    if let known = (nodes[ObjectIdentifier(view)] as? WeakNode)?.node as? SharedNode<Section, Row> { return known }
    let node = SharedNode(view, view.makeNode(self), pulls: pulls)
    nodes[ObjectIdentifier(view)] = WeakNode(node)
    return node
  }

  /// The state of a store.
  @_alwaysEmitIntoClient
  func state<Section, Row>(of store: StoreCore<Section, Row>) -> UpstreamState<ListSnapshot<Section, Row>> {
    state(of: store, in: store.space) { store, revision in store.assumeIsolated { $0.value(after: revision) } }
  }

  /// The state of an upstream that runs on the executor of a space. `read` reads it there.
  @_alwaysEmitIntoClient
  func state<Source: Upstream>(
    of upstream: Source, in space: ListSpace,
    read: @escaping @Sendable (Source, _ revision: Int?) -> UpstreamValue<Source.Value>?
  ) -> UpstreamState<Source.Value> {
    if let known: UpstreamState<Source.Value> = known(upstream) { return known }
    let state = add(UpstreamState<Source.Value>(upstream, space: space))
    add(state, in: space) { revision in
      guard let newest = read(upstream, revision) else { return nil }
      return { ($0 as? UpstreamState<Source.Value>)?.receive(newest) }
    }
    return state
  }

  @usableFromInline
  func add(_ state: AnyUpstreamState, in space: ListSpace, read: @escaping Read) {
    let index = spaces.firstIndex { $0.space === space } ?? spaces.count
    if index == spaces.count { spaces.append((space, [])) }
    spaces[index].stores.append((state, read))
  }
}

extension ListSpace {
  /// Reads stores of the space in one step.
  fileprivate func perform<Result: Sendable>(_ body: @Sendable () -> Result) -> Result { body() }
}

extension StoreCore: Upstream {
  @_alwaysEmitIntoClient
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

import RowcastDiff
public import RowcastModel
public import RowcastStore

/// Makes a node that reads a list.
@usableFromInline
typealias MakeNode<Section: SectionViewModel, Row: RowViewModel> = @Sendable (Upstreams) -> ListNode<Section, Row>

/// A list of this package. Lists that are made from it read its publisher, not its stream.
@usableFromInline
protocol SourceList<Section, Row>: LiveList {
  var source: any ListPublisher<Section, Row> { get }
}

extension SourceList {
  /// The list without the parts that the app alone keeps alive.
  var heldByLists: any LiveList<Section, Row> { source is ViewCore<Section, Row> ? self : UnownedList(source: source) }
}

/// A store or a mirror that is read, and that ends when the app releases it.
struct UnownedList<Section: SectionViewModel, Row: RowViewModel>: SourceList {
  let source: any ListPublisher<Section, Row>

  private var newest: ListState<Section, Row> {
    get async { await onSharedExecutor { await source.newest().state } }
  }
  var snapshot: ListSnapshot<Section, Row> { get async { await newest.snapshot } }
  var revision: Int { get async { await newest.revision } }

  func updates() -> AsyncStream<ListUpdate<Section, Row>> {
    func stream(of publisher: some ListPublisher<Section, Row>) -> AsyncStream<ListUpdate<Section, Row>> {
      Subscription(to: publisher).stream
    }
    return stream(of: source)
  }
}

extension ListStore: SourceList {
  @inlinable nonisolated var source: any ListPublisher<Section, Row> { core }
}

extension MirroredList: SourceList {
  @inlinable var source: any ListPublisher<Section, Row> { store.core }
}

extension ListNode {
  /// Makes nodes that read a list. A store is asked as a store, so that the code that reads it is specialised. A derived
  /// list is shared with its other readers, unless one of its roots is read on several paths: then its operators are rebuilt
  /// here, so that all of them read one revision.
  @inlinable
  static func maker(of list: any LiveList<Section, Row>) -> MakeNode<Section, Row> {
    let source = (list as? any SourceList<Section, Row>)?.source
    if let store = source as? StoreCore<Section, Row> {
      return { $0.noting(.reading($0.state(of: store), list: { $0 }), "") }
    }
    if let view = source as? ViewCore<Section, Row> { return maker(of: view) }
    return { $0.noting(.reading($0.state(of: list), list: { $0 }), "") }
  }

  /// Makes nodes that read a derived list.
  @inlinable
  static func maker(of view: ViewCore<Section, Row>) -> MakeNode<Section, Row> {
    { upstreams in
      guard upstreams.isReadAsItIs(view) else { return upstreams.reader(of: view) }
      let state = upstreams.state(of: view)
      var isReadAsItIs = true
      return .exchanging(.reading(state, list: { $0 }, failures: { state.failures() }), in: upstreams) {
        if !isReadAsItIs || upstreams.isReadAsItIs(view) { return nil }
        isReadAsItIs = false
        return upstreams.reader(of: view)
      }
    }
  }
}

extension LiveList {
  /// The publisher of the list; a list of an app's own type gets one here.
  @inlinable var publisher: any ListPublisher<Section, Row> {
    (self as? any SourceList<Section, Row>)?.source ?? ViewCore(ListNode.maker(of: self))
  }
}

/// Reads a list of an app's own type with the requirements of ``LiveList`` alone.
final actor ForeignList<Section: SectionViewModel, Row: RowViewModel>: Upstream {
  private let list: any LiveList<Section, Row>
  /// True once a stream of updates has ended.
  private var isFinished = false

  init(_ list: any LiveList<Section, Row>) { self.list = list }

  /// The revision is read first: the list may be newer than it says, and is then read once more.
  func value(after revision: Int?) async -> UpstreamValue<ListSnapshot<Section, Row>>? {
    let isFinal = isFinished
    let newest = await list.revision
    if newest == revision, !isFinal { return nil }
    return (await list.snapshot, newest, isFinal)
  }

  func enqueue(_ signal: Signal, after revision: Int) -> WaiterRemoval? {
    if isFinished { return nil }
    let task = Task {
      for await update in list.updates() where update.revision > revision {
        signal.send()
        return
      }
      if Task.isCancelled { return }
      isFinished = true
      signal.send()
    }
    return { task.cancel() }
  }
}

extension Upstreams {
  /// The state of a list of any type. Operators that read one object share its state; each copy of a value has its own.
  @usableFromInline
  func state<Section, Row>(of list: any LiveList<Section, Row>) -> UpstreamState<ListSnapshot<Section, Row>> {
    // A value gets an object here.
    let object = list as AnyObject
    return known(object) ?? state(of: ForeignList(list), object: object)
  }
}

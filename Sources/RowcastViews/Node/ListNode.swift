public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// A node in a chain of operators: its list is pulled from the nodes before.
///
/// Its closures are made where the types are known, so that the code in them is specialised. A node belongs to the actor
/// that pulls it.
@usableFromInline
final class ListNode<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>

  /// Brings the list up to date. Returns true if it may have changed since the last pull.
  @usableFromInline let pull: () -> Bool
  /// The list at the last pull.
  @usableFromInline let snapshot: () -> Snapshot
  /// Finds a row in that list; only if the node already has an index.
  @usableFromInline let path: ((Row.ID) -> RowPath?)?
  /// The errors of rows, by their ids.
  @usableFromInline let failures: () -> [Row.ID: any Error]
  /// The last pull for one of several readers, and the number of changes until then.
  private var (pulled, version) = (-1, 0)

  @usableFromInline
  init(
    pull: @escaping () -> Bool, snapshot: @escaping () -> Snapshot, path: ((Row.ID) -> RowPath?)? = nil,
    failures: @escaping () -> [Row.ID: any Error] = { [:] }
  ) {
    (self.pull, self.snapshot, self.path, self.failures) = (pull, snapshot, path, failures)
  }

  /// A node for one of the operators that read this one, which is brought up to date once for all of them.
  func reader(in upstreams: Upstreams) -> ListNode {
    var seen: Int?
    return ListNode(
      pull: {
        if self.pulled != upstreams.pullCount {
          self.pulled = upstreams.pullCount
          if self.pull() { self.version += 1 }
        }
        return exchange(&seen, with: self.version) != self.version
      }, snapshot: snapshot, path: path, failures: failures)
  }

  /// A list that is made of others. `pull` brings these up to date and returns true if any of them changed; `step` brings the
  /// list up to date with them and returns true if it changed.
  @inlinable
  static func derived(
    pull: @escaping () -> Bool, rebuild: @escaping () -> Void, step: @escaping () -> Bool,
    snapshot: @escaping () -> Snapshot, path: ((Row.ID) -> RowPath?)? = nil,
    failures: @escaping () -> [Row.ID: any Error] = { [:] }
  ) -> ListNode {
    var isBuilt = false
    return ListNode(
      pull: {
        let isChanged = pull()
        if isBuilt { return isChanged && step() }
        // The others may have been pulled before this list was built.
        rebuild()
        isBuilt = !ValueLifetime.isOver
        return true
      },
      snapshot: snapshot, path: path, failures: failures)
  }

  /// A list that is made of one other; see ``derived(pull:rebuild:step:snapshot:path:failures:)``. A step leads from the former
  /// to the current version of the other list.
  @inlinable
  static func following<InputSection, InputRow>(
    _ upstream: ListNode<InputSection, InputRow>, rebuild: @escaping (ListSnapshot<InputSection, InputRow>) -> Void,
    step: @escaping (ListSnapshot<InputSection, InputRow>, ListSnapshot<InputSection, InputRow>) -> Bool,
    snapshot: @escaping () -> Snapshot, path: ((Row.ID) -> RowPath?)? = nil,
    failures: @escaping () -> [Row.ID: any Error] = { [:] }
  ) -> ListNode {
    var former = ListSnapshot<InputSection, InputRow>()
    return derived(
      pull: upstream.pull,
      rebuild: {
        former = upstream.snapshot()
        rebuild(former)
      },
      step: {
        let after = upstream.snapshot()
        return step(exchange(&former, with: after), after)
      }, snapshot: snapshot, path: path, failures: failures)
  }

  /// A list that is made of one other by editing. `edit` edits changes into the output.
  @inlinable
  static func editing<InputSection, InputRow>(
    _ upstream: ListNode<InputSection, InputRow>, _ output: ListOutput<Section, Row>,
    rebuild: @escaping (ListSnapshot<InputSection, InputRow>) -> Void,
    edit:
      @escaping (
        ListChanges, _ before: ListSnapshot<InputSection, InputRow>, _ after: ListSnapshot<InputSection, InputRow>
      ) -> Void,
    failures: @escaping () -> [Row.ID: any Error]
  ) -> ListNode {
    following(
      upstream, rebuild: rebuild,
      step: { before, after in
        let list = output.snapshot
        edit(before.changes(to: after), before, after)
        return output.commit(from: list)
      }, snapshot: { output.snapshot }, path: { output.path(ofRow: $0) }, failures: failures)
  }
}

/// The list that an operator makes: a snapshot until it is edited, then a draft.
///
/// An index of all ids costs more than the list itself. A list that is only read and replaced never has one.
@usableFromInline
final class ListOutput<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>

  /// The list as it was made, until it is opened.
  @usableFromInline var built: Snapshot?
  /// The list once it was opened.
  @usableFromInline var draft = ListDraft<Section, Row>()
  /// True if the list was made anew since the last commit, and perhaps opened since.
  @usableFromInline var isRebuilt = false

  @inlinable
  init() {}

  @inlinable var snapshot: Snapshot {
    if let built { return built }
    return draft.snapshot
  }

  /// Makes the list anew, of sections and rows with unique ids. Takes O(n) for n rows, without an index of their ids.
  @inlinable
  func rebuild(from material: [ListSection<Section, Row>]) {
    built = Snapshot(numbered: material)
    draft = ListDraft()
    isRebuilt = true
  }

  /// Makes a draft of the list. Takes O(n) for the n rows of a list that was made anew, otherwise O(1).
  @inlinable
  func open() {
    guard let list = built else { return }
    draft = ListDraft(list)
    built = nil
  }

  /// The path of a row, or `nil` if the list does not have it. Opens the list.
  @inlinable
  func path(ofRow id: Row.ID) -> RowPath? {
    open()
    return draft.locate(id)?.path
  }

  /// Ends a transaction. Returns true if the list is not the same as before.
  @inlinable
  func commit(from before: Snapshot) -> Bool {
    defer {
      draft.commit()
      isRebuilt = false
    }
    return isRebuilt ? snapshot != before : draft.hasChanged(from: before)
  }
}

/// Makes a node that reads a list.
@usableFromInline
typealias MakeNode<Section: SectionViewModel, Row: RowViewModel> = @Sendable (Upstreams) -> ListNode<Section, Row>

/// A list of this package. Others that are made of it read its publisher, not its stream.
@usableFromInline
protocol SourceList<Section, Row>: LiveList {
  var source: any ListPublisher<Section, Row> { get }
}

extension SourceList {
  /// The list without what the app alone keeps alive.
  var heldByLists: any LiveList<Section, Row> {
    source is ViewCore<Section, Row> ? self : ArrangedList(core: ViewCore(ListNode.maker(of: self)))
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
  /// list is shared with its other readers, unless one of its roots is read on several paths: then its operators are made anew
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

  /// Makes nodes that read a list that is made of others.
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

  /// A list that is exchanged for another one when `next` returns that. The former list is shown until all sources are read.
  @inlinable
  static func exchanging(
    _ first: ListNode? = nil, in upstreams: Upstreams, for next: @escaping () -> ListNode?
  ) -> ListNode {
    var node = first
    // The list at the last pull. That of a node that others pull, too, may be a newer one.
    var (list, isWaiting) = (Snapshot(), false)
    return ListNode(
      pull: {
        if let other = next() {
          // The former operators are released after the next ones are made, which may share their states. States that only they
          // have are dropped before anything waits for them.
          (node, isWaiting) = (other, true)
          upstreams.dropUnread()
        }
        guard let node else { return false }
        if !isWaiting {
          guard node.pull() else { return false }
          list = node.snapshot()
          return true
        }
        guard upstreams.complete({ _ = node.pull() }) else { return false }
        isWaiting = false
        return exchange(&list, with: node.snapshot()) != list
      },
      snapshot: { list }, failures: { isWaiting ? [:] : node?.failures() ?? [:] })
  }

  /// A list that is read: a value, or a part of it.
  @inlinable
  static func reading<Value>(
    _ upstream: UpstreamState<Value>, list part: @escaping (Value) -> Snapshot,
    failures: @escaping () -> [Row.ID: any Error] = { [:] }
  ) -> ListNode {
    var (list, revision) = (Snapshot(), Int?.none)
    return ListNode(
      pull: {
        guard let newest = upstream.value, upstream.revision != revision else { return false }
        (list, revision) = (part(newest), upstream.revision)
        return true
      }, snapshot: { list }, failures: failures)
  }
}

extension LiveList {
  /// The publisher of the list, which is made for one of an app's own type.
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

extension ListDraft {
  /// Edits changes of the sections of a list into this one, whose sections are made by their indexes after the changes. `rows`
  /// has those of each inserted one.
  @inlinable
  mutating func follow(_ changes: Changeset<Int>, section: (Int) -> Section, rows: [[Row]]) {
    apply(changes) { index, place in ListSection(section(index), rows: rows[place]) }
    for update in changes.updates { replaceSection(at: update.to, with: section(update.to)) }
  }
}

extension Dictionary {
  /// Adds an element to those of a key.
  @inlinable
  mutating func insert<Element>(_ element: Element, for key: Key) where Value == Set<Element> {
    self[key, default: []].insert(element)
  }

  /// Removes an element from those of a key, and the key with its last element.
  @inlinable
  mutating func remove<Element>(_ element: Element, for key: Key) where Value == Set<Element> {
    guard var elements = removeValue(forKey: key) else { return }
    elements.remove(element)
    if !elements.isEmpty { self[key] = elements }
  }
}

extension ListSnapshot {
  /// True if making an operator's list anew takes less than editing the changes of so many of its rows into it.
  @inlinable
  func isBetterRebuilt(for count: Int) -> Bool { count > 64 + rowCount / 4 }
}

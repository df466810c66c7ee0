public import RowcastDiff
public import RowcastModel
import RowcastStore

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

  /// A node for one of the operators that read this node, which is brought up to date once for all of them.
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

  /// A list that an operator makes.
  ///
  /// - Parameters:
  ///   - first: The operator.
  ///   - pull: Brings its sources up to date. Returns true if any of them may have changed.
  ///   - input: The newest version of all that it reads.
  ///   - failures: The failures of its sources, as far as they concern rows of this list.
  @inlinable
  convenience init<Operation: ListOperator<Section, Row>>(
    _ first: consuming Operation, pull: @escaping () -> Bool, input: @escaping () -> Operation.Input,
    failures: @escaping () -> [Row.ID: any Error] = { [:] }
  ) {
    var operation = first
    /// The version that the list is made of; `nil` if it is not made.
    var former: Operation.Input?
    self.init(
      pull: {
        let isChanged = pull()
        // The sources may have been pulled before this list was made.
        if !isChanged && former != nil { return false }
        let after = input()
        guard let before = exchange(&former, with: after) else {
          operation.rebuild(from: after)
          if ValueLifetime.isOver { former = nil } else { operation.checkInvariants(for: after) }
          return true
        }
        let list = operation.snapshot
        let change = operation.change(from: before, to: after)
        if isBetterRebuilt(operation.work(for: change, to: after)) {
          // To its end, wanted or not: an operator may keep what no rebuild brings back, such as rows that are kept, or loads.
          _ = ValueLifetime.run(nil) { operation.rebuild(from: after) }
        } else {
          operation.step(change, from: before, to: after)
        }
        operation.checkInvariants(for: after)
        return operation.commit(from: list)
      },
      snapshot: { operation.snapshot }, path: operation.path,
      failures: { failures().merging(operation.failures) { source, _ in source } })
  }

  /// A list that an operator makes of one other, whose rows have the same ids.
  @inlinable
  convenience init<Operation: ListOperator<Section, Row>, InputSection, InputRow>(
    _ operation: consuming Operation, reading upstream: ListNode<InputSection, InputRow>
  ) where Operation.Input == ListSnapshot<InputSection, InputRow>, InputRow.ID == Row.ID {
    self.init(operation, pull: upstream.pull, input: upstream.snapshot, failures: upstream.failures)
  }
}

/// The list that an operator makes: a snapshot until it is edited, then a draft.
///
/// An index of all ids costs more than the list itself. A list that is only read and replaced never has one.
@usableFromInline
final class ListOutput<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>

  /// The list as it was built, until it is opened.
  @usableFromInline var built: Snapshot?
  /// The list once it is opened.
  @usableFromInline var draft = ListDraft<Section, Row>()
  /// True if the list was rebuilt since the last commit, and perhaps opened since.
  @usableFromInline var isRebuilt = false

  @inlinable
  init() {}

  @inlinable var snapshot: Snapshot {
    if let built { return built }
    return draft.snapshot
  }

  /// Rebuilds the list from sections and rows with unique ids. Takes O(n) for n rows, without an index of their ids.
  @inlinable
  func rebuild(from material: [ListSection<Section, Row>]) {
    built = Snapshot(numbered: material)
    draft = ListDraft()
    isRebuilt = true
  }

  /// Makes a draft of the list. Takes O(n) for the n rows of a list that was rebuilt, otherwise O(1).
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

extension ListNode {
  /// A list that is replaced when `next` returns another one. The former list is shown until all sources are read.
  @inlinable
  static func exchanging(
    _ first: ListNode? = nil, in upstreams: Upstreams, for next: @escaping () -> ListNode?
  ) -> ListNode {
    var node = first
    // The list at the last pull. A node that others pull, too, may have a newer one.
    var (list, isWaiting) = (Snapshot(), false)
    return ListNode(
      pull: {
        if let other = next() {
          // The former operators are released after the next ones are made, as these may share their states. States that only the
          // former ones have are dropped before anything waits for them.
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

  /// A list whose operators depend on a value, and are rebuilt when the value changes.
  ///
  /// If the value changes while operators are being made, they are given up. After some in a row, they are made in any case.
  ///
  /// Operators that two arrangements share keep their state.
  @inlinable
  static func switching<Value, SourceSection, SourceRow>(
    _ value: UpstreamState<ParameterCore<Value>.Reading>, source: ListNode<SourceSection, SourceRow>,
    upstreams: Upstreams,
    plan: @escaping (Value) -> Arrangement<SourceSection, SourceRow, Section, Row>
  ) -> ListNode where SourceRow.ID == Row.ID {
    value.keepOriginal()
    // The source is updated first: it does not depend on the value, and is not given up with it. Operators read it as of their own
    // last pull.
    var (isSourceChanged, sourceList) = (false, source.snapshot())
    let builder = ArrangementBuilder(
      source: ListNode<SourceSection, SourceRow>(
        pull: {
          if isSourceChanged { sourceList = source.snapshot() }
          return exchange(&isSourceChanged, with: false)
        }, snapshot: { sourceList }, path: source.path, failures: source.failures), upstreams: upstreams)
    // A plan may make sources: it is called once for each value.
    var planned: (plan: Arrangement<SourceSection, SourceRow, Section, Row>, revision: Int)?
    var arranged: (node: ListNode, revision: Int)?
    // The list before values that were given up: they may have advanced its operators.
    var shown: Snapshot?
    return ListNode(
      pull: {
        if let arranged, arranged.revision == value.revision {
          if source.pull() { isSourceChanged = true }
          return arranged.node.pull()
        }
        guard let revision = value.revision, let (newest, lifetime) = value.value else { return false }
        let before = shown ?? arranged?.node.snapshot()
        if source.pull() { isSourceChanged = true }
        if planned?.revision != revision { planned = nil }
        let current = planned?.plan ?? plan(newest)
        planned = (current, revision)
        let node = builder.rebuild(current)
        // The sources of new operators are read first. The sources of abandoned operators have no waiters.
        upstreams.dropUnread()
        // A nested switch may have been given up, too, or have added sources.
        let isComplete = upstreams.complete {
          if ValueLifetime.run(upstreams.givenUp < 16 ? lifetime : nil, { _ = node.pull() }) { return }
          value.isGivenUp = true
          upstreams.givenUp += 1
        }
        if !isComplete {
          shown = before
          return false
        }
        (shown, arranged) = (nil, (node, revision))
        upstreams.dropUnread()
        return node.snapshot() != before
      },
      snapshot: { shown ?? arranged?.node.snapshot() ?? ListSnapshot() },
      failures: { arranged?.node.failures() ?? [:] })
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

extension ListDraft {
  /// Edits changes of the sections of a list into this one. `section` makes a section by its index after the changes; `rows` has
  /// the rows of each inserted one.
  @inlinable
  mutating func follow(_ changes: Changeset<Int>, section: (Int) -> Section, rows: [[Row]]) {
    apply(changes) { index, place in ListSection(section(index), rows: rows[place]) }
    for update in changes.updates { replaceSection(at: update.to, with: section(update.to)) }
  }
}

extension Dictionary {
  /// Adds an element to the set of a key.
  @inlinable
  mutating func insert<Element>(_ element: Element, for key: Key) where Value == Set<Element> {
    self[key, default: []].insert(element)
  }

  /// Removes an element from the set of a key, and the key with its last element.
  @inlinable
  mutating func remove<Element>(_ element: Element, for key: Key) where Value == Set<Element> {
    guard var elements = removeValue(forKey: key) else { return }
    elements.remove(element)
    if !elements.isEmpty { self[key] = elements }
  }
}

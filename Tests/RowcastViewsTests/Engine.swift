import RowcastDiff
import RowcastModel
import RowcastTestSupport

@testable import RowcastStore
@testable import RowcastViews

// What the tests of this room need of the engine that makes lists of others. No other test names its types, which `.ci/run habits`
// checks: an engine that is built in another way needs this file only.

/// A list that is made of others, and read without an actor between.
struct MadeList<Section: SectionViewModel, Row: RowViewModel> {
  typealias Snapshot = ListSnapshot<Section, Row>
  fileprivate let node: ListNode<Section, Row>

  /// The list at the last update.
  var snapshot: Snapshot { node.snapshot() }

  /// The errors of rows, in words.
  var failures: [Row.ID: String] { node.failures().mapValues { "\($0)" } }

  /// Brings the list up to date with its sources. Returns false if it has not changed.
  func update() -> Bool { node.pull() }

  /// A source, whose newest version the closure returns.
  static func source(_ read: @escaping () -> Snapshot) -> MadeList {
    var seen: Snapshot?
    return MadeList(
      node: ListNode(
        pull: {
          let newest = read()
          if seen == newest { return false }
          seen = newest
          return true
        }, snapshot: { seen ?? Snapshot() }))
  }

  /// The list by one arrangement.
  func arranged(by plan: Arrangement<Section, Row, Section, Row>) -> MadeList {
    MadeList(node: ArrangementBuilder(source: node, upstreams: Upstreams()).rebuild(plan))
  }

  /// The list by the arrangement that is chosen.
  func arranged(by choice: ArrangementChoice<Section, Row>) -> MadeList {
    let arranged = ListNode<Section, Row>.switching(
      choice.state, source: node, upstreams: choice.upstreams, plan: \.self)
    return MadeList(
      node: ListNode(
        pull: {
          defer { choice.notePull() }
          return arranged.pull()
        }, snapshot: arranged.snapshot, path: arranged.path, failures: arranged.failures))
  }

  /// One section of the list.
  func section(_ id: Section.ID) -> MadeList { MadeList(node: ListNode(OneSection(id), reading: node)) }
}

/// The arrangement of a list, which a test exchanges for others.
final class ArrangementChoice<Section: SectionViewModel, Row: RowViewModel> {
  typealias Plan = Arrangement<Section, Row, Section, Row>
  fileprivate let state = UpstreamState<ParameterCore<Plan>.Reading>()
  fileprivate let upstreams: Upstreams
  /// The choice of the list that the one of this choice is made of.
  private let before: ArrangementChoice?
  private var isLast = true
  /// What was set and may be read by nothing yet.
  private var held: [ObjectIdentifier: AnyUpstreamState] = [:]

  init() { (upstreams, before) = (Upstreams(), nil) }

  /// A choice for a list that is made of the list of another choice.
  init(after other: ArrangementChoice) {
    (upstreams, before) = (other.upstreams, other)
    other.isLast = false
  }

  /// True if the list was not made by the arrangement, because another one is said to have replaced it.
  var isGivenUp: Bool { state.isGivenUp }

  /// Notes that the list is read as it is, unless it is to be read again.
  fileprivate func notePull() {
    if isLast, !isGivenUp, !(before?.isGivenUp ?? false) { upstreams.givenUp = 0 }
    if !isGivenUp, upstreams.hasAllValues { held = [:] }
  }

  /// Sets a parameter of all arrangements that read it.
  func set<Value>(_ value: Value, of parameter: Parameter<Value>, isReplaced: Bool = false) {
    let state = upstreams.state(of: parameter.core)
    held[ObjectIdentifier(parameter.core)] = state
    receive(value, state, isReplaced: isReplaced)
  }

  private func receive<Value>(
    _ value: Value, _ state: UpstreamState<ParameterCore<Value>.Reading>, isReplaced: Bool = false
  ) {
    let lifetime = isReplaced ? ValueLifetime(SharedBox(())) : nil
    state.receive(((value, lifetime), revision: (state.revision ?? -1) + 1, isFinal: false))
  }

  /// Chooses an arrangement.
  ///
  /// - Parameters:
  ///   - plan: The arrangement.
  ///   - isReplaced: True if another one is about to replace it, so that it is not worth making.
  func choose(_ plan: Plan, isReplaced: Bool = false) {
    receive(plan, state, isReplaced: isReplaced)
  }

  /// Expands rows of the outlines of all arrangements that have an expansion.
  func expand(_ rows: ExpandedRows<Row.ID>, in expansion: OutlineExpansion<Row.ID>) {
    let state = upstreams.state(of: expansion.core)
    held[ObjectIdentifier(expansion.core)] = state
    receive(rows, state)
  }
}

/// A window of a list, with what it counts.
final class WindowProbe<Section: SectionViewModel, Row: RowViewModel> {
  private var window: WindowOperator<Section, Row>
  private var list: ListSnapshot<Section, Row>

  init(_ rows: RowWindow<Row.ID>, of list: ListSnapshot<Section, Row>) {
    self.list = list
    window = WindowOperator(rows, index: SourceIndex(shared: nil))
    window.rebuild(from: list)
  }

  var snapshot: ListSnapshot<Section, Row> { window.output.snapshot }
  /// The section of the source at which the window begins: sections are counted from there.
  var firstSection: Int { window.section }
  /// The positions of the rows in the source.
  var positions: Range<Int> { window.shown }

  func step(_ changes: ListChanges, to list: ListSnapshot<Section, Row>) {
    let shown = window.snapshot
    window.step(changes, from: self.list, to: list)
    window.checkInvariants(for: list)
    _ = window.commit(from: shown)
    self.list = list
  }

  /// The first section after changes, before sections are counted again.
  func firstSection(after changes: ListChanges) -> Int {
    let cursor = (window.section, window.rowsBefore)
    defer { (window.section, window.rowsBefore) = cursor }
    window.moveCursor(changes)
    return window.section
  }
}

/// A join of two lists, with what it keeps.
final class JoinProbe<Left: RowViewModel, Right: RowViewModel> {
  private var join: Join<SoleSection, Left, RowPartners<SoleSection, Right>, Left>
  private var lists: (left: ListSnapshot<SoleSection, Left>, right: ListSnapshot<SoleSection, Right>)

  init(
    _ left: ListSnapshot<SoleSection, Left>, _ right: ListSnapshot<SoleSection, Right>,
    key: @escaping (Left) -> Right.ID?
  ) {
    lists = (left, right)
    join = Join(
      ListNode(pull: { true }, snapshot: { left }), RowPartners(), key: key, combine: { row, _ in row })
    join.rebuild(from: lists)
  }

  /// The number of keys for which rows are known.
  var keyCount: Int? { join.members?.count }

  func step(to left: ListSnapshot<SoleSection, Left>, _ right: ListSnapshot<SoleSection, Right>) {
    let (before, after) = (lists, (left, right))
    lists = after
    let shown = join.snapshot
    join.step(join.change(from: before, to: after), from: before, to: after)
    join.checkInvariants(for: after)
    _ = join.commit(from: shown)
  }
}

/// The pending edits of an optimistic list, which a test asks for and answers.
struct PendingEditsProbe<Section: SectionViewModel, Row: RowViewModel> {
  typealias Snapshot = ListSnapshot<Section, Row>
  private let edits: PendingEdits<Section, Row>
  let list: ArrangedList<Section, Row>

  init(on store: ListStore<Section, Row>, marking mark: (@Sendable (inout Row) -> Void)? = nil) {
    let edits = PendingEdits(on: store.core, marking: mark, progress: nil) { $1.rows(differingFrom: $0) }
    self.edits = edits
    list = ArrangedList(core: ViewCore({ $0.showing(edits) }, refusal: "it is not confirmed"))
  }

  /// The list with the pending edits.
  var snapshot: Snapshot { get async { await list.snapshot } }
  /// The number of pending edits.
  var count: Int { get async { await edits.count } }
  /// The ids of the rows that are marked as pending.
  var marked: Set<Row.ID> { get async { await edits.value(after: nil)?.value.pending ?? [] } }

  /// Shows an edit. Returns its number.
  func add(
    _ edit: @escaping @Sendable (inout ListEditor<Section, Row>) throws -> Void,
    until isEchoed: (@Sendable (borrowing ListEditor<Section, Row>) -> Bool)? = nil
  ) async throws -> Int { try await edits.add(edit, until: isEchoed) }
  func confirm(_ number: Int) async throws { try await edits.confirm(number) }
  func refuse(_ number: Int) async { _ = await edits.remove(number) }
}

extension PartWatchers {
  fileprivate var partCount: Int { parts.count }
}

/// What follows a list for all that watch parts of it.
struct PartWatchersProbe<Section: SectionViewModel, Row: RowViewModel> {
  /// A part of a list.
  typealias Part = ListPart<Section.ID, Row.ID>
  typealias Snapshot = ListSnapshot<Section, Row>
  private let partWatchers: PartWatchers<Section, Row>

  /// Follows a list for tests that wait by hand. The closure is told of each difference that is made.
  init(of store: ListStore<Section, Row>, noting note: @escaping @Sendable (ListChanges) -> Void) {
    partWatchers = PartWatchers(store.core) {
      let changes = $0.changes(to: $1)
      note(changes)
      return changes
    }
  }

  private init(_ partWatchers: PartWatchers<Section, Row>) { self.partWatchers = partWatchers }

  /// That of a store, once something watches a part of it.
  static func current(of store: ListStore<Section, Row>) async -> PartWatchersProbe? {
    (await store.core.partWatchers as? PartWatchers<Section, Row>).map { PartWatchersProbe($0) }
  }

  /// The parts that changes affect, with the new rows.
  static func parts(changedBy changes: ListChanges, from before: Snapshot, to after: Snapshot) -> [Part: Row?] {
    var parts: [Part: Row?] = [:]
    PartWatchers.forEachPart(changedBy: changes, from: before, to: after, isWatched: { _ in true }) { part, row in
      parts.updateValue(row, forKey: part)
    }
    return parts
  }

  /// The number of tasks that wait.
  var waiterCount: Int { get async { await partWatchers.waiterCount } }
  /// The number of parts that are watched.
  var partCount: Int { get async { await partWatchers.partCount } }

  func join(_ parts: [Part]) async { for part in parts { await partWatchers.join(part) } }

  /// Waits for parts while the body edits the list. Returns the parts whose waiters were woken; `nil` if one could not wait.
  func woken(_ parts: [Part], by edit: () async throws -> Void) async throws -> Set<Part>? {
    let revision = await partWatchers.newest().state.revision
    var waiters: [(part: Part, signal: Signal, token: WaiterList.Token)] = []
    for part in parts {
      let signal = Signal()
      guard let token = await partWatchers.addWaiter(signal, to: part, after: revision) else { return nil }
      waiters.append((part, signal, token))
    }
    try await edit()
    _ = await partWatchers.newest()
    // A signal can be sent once.
    let woken = Set(waiters.filter { !$0.signal.send() }.map(\.part))
    for waiter in waiters { await partWatchers.removeWaiter(waiter.token, from: waiter.part) }
    return woken
  }
}

/// The number of roots of a list: sources that it may have to read at one revision on all paths.
func rootCount<Section: SectionViewModel, Row: RowViewModel>(of list: any LiveList<Section, Row>) -> Int {
  ((list as? any SourceList<Section, Row>)?.source as? ViewCore<Section, Row>)?.roots.count ?? 1
}

/// The number of sources, parameters and expansions that a list reads.
func stateCount<Section: SectionViewModel, Row: RowViewModel>(of list: any LiveList<Section, Row>) async -> Int {
  await ((list as? any SourceList<Section, Row>)?.source as? ViewCore<Section, Row>)?.stateCount ?? 1
}

extension ViewCore {
  fileprivate var stateCount: Int { upstreams.count }
}

/// True if a list says that it is made of a parameter.
func isMade<Value>(_ list: any LiveList<SoleSection, TestRow>, of parameter: Parameter<Value>) -> Bool {
  let view = (list as? any SourceList<SoleSection, TestRow>)?.source as? ViewCore<SoleSection, TestRow>
  return view?.roots.contains(ObjectIdentifier(parameter.core)) ?? false
}

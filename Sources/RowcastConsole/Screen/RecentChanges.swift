import RowcastDiff
import RowcastModel
import RowcastTable

/// The recent changes on a screen: marks of its lines, and ghosts of removed lines.
///
/// Changes out of sight are not kept, so the memory is bounded by the screen and the duration of marks.
struct RecentChanges<Section: ConsoleSection, Row: ConsoleRow> {
  typealias Instant = ContinuousClock.Instant

  /// The identity of a line of the list.
  enum Line: Hashable {
    /// The top of the screen.
    case top
    case header(Section.ID)
    case row(Row.ID)
  }

  /// A line that was on the screen and has been removed from the list; the anchor is the line above it.
  typealias Ghost = (line: Line, text: ConsoleText, anchor: Line, event: RecentEvent)

  /// The maximum number of ghosts, however fast rows are deleted.
  private static var ghostLimit: Int { 500 }

  private(set) var marks: [Line: RecentEvent] = [:]
  /// Oldest first.
  private(set) var ghosts: [Ghost] = []
  /// The list before the next update, and the rows on the screen that no header covers.
  private var list = ListSnapshot<Section, Row>()
  private var visible: [RetainedTable<Section, Row>.VisibleRow] = []

  /// Notes the content of the screen, for comparison with the next update. A row that is visible again has no ghost.
  mutating func look(at table: RetainedTable<Section, Row>) {
    list = table.snapshot
    visible = table.uncoveredRows
    if !ghosts.isEmpty {
      let lines = Set(table.visibleRows.map { Line.row($0.row.id) })
      ghosts.removeAll { lines.contains($0.line) }
    }
    checkInvariants()
  }

  /// Marks the changes of an update on the screen. Ghosts of rows use the columns, if there are any. Expanding or collapsing
  /// an outline is not a change.
  ///
  /// - Complexity: O(k + v) for k operations and v visible rows.
  mutating func note(
    _ changes: ListChanges, in table: RetainedTable<Section, Row>, columns: [ConsoleColumn<Row>],
    _ guides: OutlineGuides<Row>?, at now: Instant
  ) {
    let changes = guides?.outline.news(in: changes, from: list, to: table.snapshot) ?? changes
    addGhosts(changes, at: now) { row in guides?.text(columns.text(of: row), of: row) ?? columns.text(of: row) }
    look(at: table)
    mark(changes, in: table, at: now)
  }

  private mutating func mark(_ changes: ListChanges, in table: RetainedTable<Section, Row>, at now: Instant) {
    func set(_ mark: TextStyle, _ line: Line, from origin: RowPath? = nil) {
      // A new line stays new when it is updated.
      if mark == .updated, marks[line]?.mark == .inserted { return }
      marks[line] = RecentEvent(mark: mark, origin: origin, time: now)
    }
    func setRow(_ mark: TextStyle, _ path: RowPath, from origin: RowPath? = nil) {
      if let seen, seen.contains(path) { set(mark, .row(list.row(at: path).id), from: origin) }
    }
    for change in changes.rows.updates { setRow(.updated, change.to) }
    for change in changes.rows.moves { setRow(.moved, change.to, from: change.from) }
    for path in changes.rows.inserts { setRow(.inserted, path) }
    guard !changes.sections.isEmpty else { return }
    let headers = Set(
      table.visibleElements.compactMap { if case .header(let section) = $0.element { section } else { nil } })
    func setHeader(_ mark: TextStyle, _ section: Int) {
      if headers.contains(section) { set(mark, .header(list.section(at: section).id)) }
    }
    for change in changes.sections.updates { setHeader(.updated, change.to) }
    for change in changes.sections.moves { setHeader(.moved, change.to) }
    for index in changes.sections.inserts { setHeader(.inserted, index) }
  }

  /// Makes ghosts of the removed lines that were on the screen.
  private mutating func addGhosts(_ changes: ListChanges, at now: Instant, text: (Row) -> ConsoleText) {
    guard let seen else { return }
    let gone = Set(changes.rows.deletes.lazy.filter(seen.contains))
    let goneSections = Set(changes.sections.deletes)
    guard !gone.isEmpty || !goneSections.isEmpty else { return }
    let moved = Set(changes.rows.moves.lazy.map(\.from).filter(seen.contains))
    var (anchor, lastSection): (Line, Int?) = (.top, nil)
    func add(_ line: Line, _ text: ConsoleText) {
      ghosts.append((line, text, anchor, RecentEvent(mark: .deleted, time: now)))
    }
    for shown in visible {
      let path = shown.path
      let sectionIsGone = goneSections.contains(path.section)
      if path.section != lastSection {
        let section = list.section(at: path.section)
        if sectionIsGone {
          if !section.title.isEmpty { add(.header(section.id), ConsoleText(section.title)) }
        } else if section.hasHeader, lastSection != nil || path.row == 0 {
          anchor = .header(section.id)
        }
        lastSection = path.section
      }
      if sectionIsGone || gone.contains(path) {
        add(.row(shown.row.id), text(shown.row))
      } else if !moved.contains(path) {
        anchor = .row(shown.row.id)
      }
    }
    ghosts.removeFirst(max(0, ghosts.count - Self.ghostLimit))
  }

  /// The paths between the first and the last row on the screen.
  private var seen: ClosedRange<RowPath>? {
    guard let first = visible.first?.path, let last = visible.last?.path else { return nil }
    return first...last
  }

  /// Removes expired marks and ghosts.
  mutating func forget(at now: Instant) {
    marks = marks.filter { $0.value.end > now }
    ghosts.removeAll { $0.event.end <= now }
    checkInvariants()
  }

  /// The time when the next mark begins to fade or disappears; `nil` if there is none.
  func nextFading(after now: Instant) -> Instant? {
    (Array(marks.values) + ghosts.map(\.event)).flatMap { [$0.fading, $0.end] }.filter { $0 > now }.min()
  }

  /// Checks, in debug builds, the order and the number of ghosts, and that no ghost is of a row on the screen.
  ///
  /// - Complexity: O(g + v) for g ghosts and v visible rows; nothing in release builds.
  private func checkInvariants() {
    assert(
      ghosts.count <= Self.ghostLimit && zip(ghosts, ghosts.dropFirst()).allSatisfy { $0.event.time <= $1.event.time }
        && Set(visible.map { Line.row($0.row.id) }).isDisjoint(with: ghosts.map(\.line)),
      "Ghosts, at most \(Self.ghostLimit) by time: \(ghosts.map { ($0.line, $0.event.time) }), of rows not on the screen: "
        + "\(visible.map(\.row.id))")
  }
}

/// A change of a line, and its time. Its mark is visible for a second, and fades halfway.
struct RecentEvent {
  let mark: TextStyle
  /// The path of a moved row before the update.
  var origin: RowPath?
  let time: ContinuousClock.Instant

  var fading: ContinuousClock.Instant { time.advanced(by: .milliseconds(500)) }
  var end: ContinuousClock.Instant { time.advanced(by: .seconds(1)) }

  func style(at now: ContinuousClock.Instant) -> TextStyle { fading <= now ? .faint : mark }
}

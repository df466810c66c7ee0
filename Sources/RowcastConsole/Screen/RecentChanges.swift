package import RowcastDiff
import RowcastModel
package import RowcastTable

/// What happened lately to what is on the screen: marks on rows that are there, ghosts of rows that are gone.
///
/// Nothing is kept of what happens out of sight, so the memory is bounded by the screen and by how long marks last.
package struct RecentChanges<Section: ConsoleSection, Row: ConsoleRow> {
  package typealias Instant = ContinuousClock.Instant

  /// Something that was on the screen and is gone from the list.
  package struct Ghost: Equatable {
    /// What was shown.
    package enum Content: Equatable {
      case header(Section)
      case row(Row)
    }

    package let content: Content
    /// What it stood under.
    package let anchor: Anchor
    let since: Instant
  }

  /// A line of the list that stayed where it was.
  package enum Anchor: Hashable {
    /// The first line on the screen, or what was above it.
    case top
    case header(Section.ID)
    case row(Row.ID)
  }

  private struct Stamped {
    var mark: RowMark
    var since: Instant
  }

  /// How long a mark is seen.
  private let lifetime: Duration
  private var rowMarks: [Row.ID: Stamped] = [:]
  private var sectionMarks: [Section.ID: Stamped] = [:]
  /// Those that are gone, oldest first.
  package private(set) var ghosts: [Ghost] = []
  /// What was on the screen before the next update.
  private var list = ListSnapshot<Section, Row>()
  private var visible: [RetainedTable<Section, Row>.VisibleRow] = []

  package init(lifetime: Duration = .seconds(1)) {
    self.lifetime = lifetime
  }

  /// Takes notice of what is on the screen now, so that the next update can be compared with it.
  package mutating func look(at table: RetainedTable<Section, Row>) {
    list = table.snapshot
    visible = table.visibleRows
  }

  /// Takes notice of what an update did to the screen.
  ///
  /// - Complexity: O(k + v) for k operations and v visible rows.
  package mutating func note(
    _ changes: ListChanges, in table: RetainedTable<Section, Row>, at now: Instant
  ) {
    addGhosts(changes, at: now)
    mark(changes, in: table, at: now)
    dropReturned(in: table)
    look(at: table)
  }

  private mutating func mark(_ changes: ListChanges, in table: RetainedTable<Section, Row>, at now: Instant) {
    let list = table.snapshot
    let seen = (table.visibleRows.first?.path).flatMap { first in table.visibleRows.last.map { first...$0.path } }
    func set(_ mark: RowMark, _ path: RowPath) {
      guard let seen, seen.contains(path) else { return }
      let id = list.row(at: path).id
      // A row that is new stays new, whatever else happens to it.
      if mark == .updated, rowMarks[id]?.mark == .inserted { return }
      rowMarks[id] = Stamped(mark: mark, since: now)
    }
    for change in changes.rows.updates { set(.updated, change.to) }
    for change in changes.rows.moves { set(.moved(from: change.from), change.to) }
    for path in changes.rows.inserts { set(.inserted, path) }
    guard !changes.sections.isEmpty else { return }
    let headers = Set(
      table.visibleElements.compactMap { if case .header(let section) = $0.element { section } else { nil } })
    func set(_ mark: RowMark, _ section: Int) {
      if headers.contains(section) { sectionMarks[list.section(at: section).id] = Stamped(mark: mark, since: now) }
    }
    for change in changes.sections.updates { set(.updated, change.to) }
    for change in changes.sections.moves { set(.moved(from: nil), change.to) }
    for index in changes.sections.inserts { set(.inserted, index) }
  }

  /// Finds out which of the rows on the screen are gone, and what they stood under.
  private mutating func addGhosts(_ changes: ListChanges, at now: Instant) {
    guard let first = visible.first?.path, let last = visible.last?.path else { return }
    let seen = first...last
    let gone = Set(changes.rows.deletes.lazy.filter(seen.contains))
    let goneSections = Set(changes.sections.deletes)
    guard !gone.isEmpty || !goneSections.isEmpty else { return }
    let moved = Set(changes.rows.moves.lazy.map(\.from).filter(seen.contains))
    var anchor = Anchor.top
    var section: Int?
    for row in visible {
      let path = row.path
      let sectionIsGone = goneSections.contains(path.section)
      if path.section != section {
        let model = list.section(at: path.section)
        if sectionIsGone {
          ghosts.append(Ghost(content: .header(model), anchor: anchor, since: now))
        } else if section != nil || path.row == 0 {
          anchor = .header(model.id)
        }
        section = path.section
      }
      if sectionIsGone || gone.contains(path) {
        ghosts.append(Ghost(content: .row(row.row), anchor: anchor, since: now))
      } else if !moved.contains(path) {
        anchor = .row(row.row.id)
      }
    }
    if ghosts.count > ghostLimit { ghosts.removeFirst(ghosts.count - ghostLimit) }
  }

  /// Forgets ghosts of rows that are on the screen again.
  private mutating func dropReturned(in table: RetainedTable<Section, Row>) {
    guard !ghosts.isEmpty else { return }
    let rows = Set(table.visibleRows.map(\.row.id))
    ghosts.removeAll { if case .row(let row) = $0.content { rows.contains(row.id) } else { false } }
  }

  /// The most ghosts that are kept, however fast rows go.
  private var ghostLimit: Int { 500 }
}

// MARK: - Fading

extension RecentChanges {
  /// Forgets what is old.
  package mutating func forget(at now: Instant) {
    let oldest = now.advanced(by: .zero - lifetime)
    rowMarks = rowMarks.filter { $0.value.since > oldest }
    sectionMarks = sectionMarks.filter { $0.value.since > oldest }
    ghosts.removeAll { $0.since <= oldest }
  }

  /// When the next mark begins to fade or is gone; `nil` if there is none.
  package func nextFading(after now: Instant) -> Instant? {
    let births = rowMarks.values.map(\.since) + sectionMarks.values.map(\.since) + ghosts.map(\.since)
    return births.flatMap { [$0.advanced(by: lifetime / 2), $0.advanced(by: lifetime)] }.filter { $0 > now }.min()
  }

  private func fading(_ stamped: Stamped?, at now: Instant) -> FadingMark? {
    stamped.map { FadingMark(mark: $0.mark, isFading: isFading($0.since, at: now)) }
  }

  private func isFading(_ birth: Instant, at now: Instant) -> Bool { birth.advanced(by: lifetime / 2) <= now }

  /// What happened to a row.
  package func mark(ofRow id: Row.ID, at now: Instant) -> FadingMark? { fading(rowMarks[id], at: now) }

  /// What happened to a section.
  package func mark(ofSection id: Section.ID, at now: Instant) -> FadingMark? { fading(sectionMarks[id], at: now) }

  /// How a ghost is marked.
  package func mark(of ghost: Ghost, at now: Instant) -> FadingMark {
    FadingMark(mark: .deleted, isFading: isFading(ghost.since, at: now))
  }
}

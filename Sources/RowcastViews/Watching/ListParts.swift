public import RowcastDiff
public import RowcastModel
public import RowcastStore

/// A part of a list that is watched. It belongs to the hub of the list.
@usableFromInline
final class WatchedPart<Value: Sendable> {
  /// What the last change made of it; none before it changes for the first time.
  @usableFromInline var value: Value?
  /// The revision that brought the value.
  @usableFromInline var revision: Int
  /// The number of watchers that hold the part.
  @usableFromInline var watcherCount = 0
  /// The tasks that wait for another value.
  @usableFromInline var waiters = WaiterList()

  @usableFromInline
  init(revision: Int) { self.revision = revision }
}

/// The parts of a list that are watched: rows, sections, and the number of rows.
@usableFromInline
struct ListParts<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>
  /// Which part, and of what type its value is.
  @usableFromInline typealias Key<Value: Sendable> = any WritableKeyPath<ListParts, WatchedPart<Value>?> & Sendable

  @usableFromInline var rows: [Row.ID: WatchedPart<Row?>] = [:]
  /// Sections, each with the list that has it.
  @usableFromInline var sections: [Section.ID: WatchedPart<Snapshot>] = [:]
  @usableFromInline var rowCount: WatchedPart<Int>?
  /// The number of tasks that wait for parts.
  @usableFromInline var waiterCount = 0
  /// The number of tasks that were woken. For tests.
  @usableFromInline var wokenCount = 0

  @usableFromInline
  init() {}

  /// Brings the parts that changes concern up to date.
  ///
  /// - Complexity: O(d log n) for d changed rows and sections of n, and those of sections that come and go.
  @inlinable
  mutating func take(_ changes: ListChanges, from before: Snapshot, to after: Snapshot, revision: Int) {
    if before.rowCount != after.rowCount { set(rowCount, to: after.rowCount, revision) }
    if !sections.isEmpty { takeSections(changes, from: before, to: after, revision) }
    if !rows.isEmpty {
      takeRows(TouchedRows(contentOf: changes, from: before, to: after), from: before, to: after, revision)
    }
    checkInvariants()
  }

  @inlinable
  mutating func takeRows(_ touched: TouchedRows, from before: Snapshot, to after: Snapshot, _ revision: Int) {
    // A row that crosses the border of a section that comes or goes may be among those that leave and those that arrive.
    var changed: [Row.ID: (former: Row?, new: Row?)] = [:]
    for path in touched.former {
      let row = before.row(at: path)
      if rows[row.id] != nil { changed[row.id] = (row, nil) }
    }
    for path in touched.current {
      let row = after.row(at: path)
      if rows[row.id] != nil { changed[row.id, default: (nil, nil)].new = row }
    }
    for (id, row) in changed where row.former != row.new { set(rows[id], to: row.new, revision) }
  }

  /// Where a section stands among the others is no part of it.
  @inlinable
  mutating func takeSections(_ changes: ListChanges, from before: Snapshot, to after: Snapshot, _ revision: Int) {
    let (sections, rows) = (changes.sections, changes.rows)
    let former = Set(sections.deletes + (rows.deletes + rows.moves.map { $0.from }).map { $0.section })
    let new = Set(
      sections.inserts + sections.updates.map { $0.to }
        + (rows.inserts + rows.moves.map { $0.to } + rows.updates.map { $0.to }).map { $0.section })
    for id in Set(former.map { before.section(at: $0).id }).union(new.map { after.section(at: $0).id }) {
      set(self.sections[id], to: after, revision)
    }
  }

  /// Checks, in debug builds, that all that wait are counted, where few parts are watched. Each mutator here and in the hub ends so.
  @usableFromInline
  func checkInvariants() {
    assert(
      {
        let counts = rows.values.map { $0.waiters.count } + sections.values.map { $0.waiters.count }
        return counts.count > 16 || waiterCount == counts.reduce(rowCount?.waiters.count ?? 0, +)
      }(), "\(waiterCount) tasks are said to wait for \(rows.count) rows and \(sections.count) sections")
  }

  /// Gives a part another value, and wakes all that wait for one.
  @usableFromInline
  mutating func set<Value>(_ part: WatchedPart<Value>?, to value: Value, _ revision: Int) {
    guard let part else { return }
    part.value = value
    part.revision = revision
    wakeAll(part)
  }

  private mutating func wakeAll(_ part: WatchedPart<some Any>) {
    waiterCount -= part.waiters.count
    wokenCount += part.waiters.count
    part.waiters.wakeAll()
  }

  /// Wakes all that wait for anything.
  mutating func wakeAll() {
    for part in rows.values { wakeAll(part) }
    for part in sections.values { wakeAll(part) }
    if let rowCount { wakeAll(rowCount) }
    checkInvariants()
  }
}

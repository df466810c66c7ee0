public import RowcastDiff
public import RowcastModel

/// The sections whose rows may have several keys, with these rows in the order of their keys.
///
/// Most sections have one key, which any of their rows can tell. They are not here.
@usableFromInline
struct SharedSections<SectionID: Hashable & Sendable, Row: RowViewModel> {
  @usableFromInline typealias Precedes = (Row, Row) -> Bool

  @usableFromInline var rows = ListDraft<Mark<SectionID>, Row>()

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { rows.list.sectionCount == 0 }

  @inlinable
  func contains(_ id: SectionID) -> Bool { !isEmpty && rows.index(ofSection: id) != nil }

  /// The row of a section whose key comes first.
  @inlinable
  func leader(of id: SectionID) -> Row? {
    if isEmpty { return nil }
    return rows.index(ofSection: id).flatMap { rows.list.rows(inSection: $0).first }
  }

  /// Adds a section with its rows.
  @inlinable
  mutating func insert(_ id: SectionID, _ members: some Sequence<Row>, _ precedes: Precedes) {
    rows.insertSection(Mark(id), rows: members.sorted(by: precedes), at: rows.list.sectionCount)
    commit(changing: rows.list.sectionCount - 1)
  }

  /// Adds a row to a section.
  ///
  /// - Complexity: O(log n) comparisons.
  @inlinable
  mutating func insert(_ row: Row, into id: SectionID, _ precedes: Precedes) {
    guard let section = rows.index(ofSection: id) else { return }
    let index = rows.list.partitioningRow(inSection: section) { precedes(row, $0) }
    rows.insertRow(row, at: RowPath(section: section, row: index))
    commit(changing: section)
  }

  /// Removes a row, and its section with the last one. Returns whether its key was the first of its section.
  @inlinable
  mutating func remove(_ id: Row.ID) -> Bool {
    guard !isEmpty, let path = rows.path(ofRow: id) else { return false }
    rows.removeRow(at: path)
    let isLast = rows.list.rowCount(inSection: path.section) == 0
    if isLast { rows.removeSection(at: path.section) }
    commit(changing: isLast ? nil : path.section)
    return path.row == 0
  }

  /// Ends a change. Checks, in debug builds, that the section has rows; the draft checks the rest.
  @inlinable
  mutating func commit(changing section: Int?) {
    rows.commit()
    assert(section.map { rows.list.rowCount(inSection: $0) > 0 } ?? true, "Shared section \(section ?? 0) has no rows")
  }
}

public import RowcastDiff
public import RowcastModel

/// A cursor that counts the rows before a section, and goes on counting from there.
@usableFromInline
struct RowCounter {
  @usableFromInline var section = 0
  @usableFromInline var rowsBefore = 0

  @inlinable
  init() {}

  /// Brings the count from one list to the next. It begins anew if the order of sections changed.
  ///
  /// - Complexity: O(d) for d changed rows.
  @inlinable
  mutating func follow(_ changes: ListChanges) {
    if changes.sections.hasStructure {
      (section, rowsBefore) = (0, 0)
      return
    }
    for path in changes.rows.deletes where path.section < section { rowsBefore -= 1 }
    for path in changes.rows.inserts where path.section < section { rowsBefore += 1 }
    for move in changes.rows.moves {
      if move.from.section < section { rowsBefore -= 1 }
      if move.to.section < section { rowsBefore += 1 }
    }
  }

  /// Goes to the section that has a position, or to the last one.
  ///
  /// - Complexity: O(number of sections between).
  @inlinable
  mutating func seek(_ position: Int, in list: ListSnapshot<some SectionViewModel, some RowViewModel>) {
    while position < rowsBefore { stepBack(in: list) }
    while section < list.sectionCount - 1 {
      let next = rowsBefore + list.rowCount(inSection: section)
      if position < next { return }
      (section, rowsBefore) = (section + 1, next)
    }
    checkInvariants(list)
  }

  /// The position of a row.
  ///
  /// - Complexity: O(number of sections between).
  @inlinable
  mutating func position(
    of path: RowPath, in list: ListSnapshot<some SectionViewModel, some RowViewModel>
  ) -> Int {
    while section > path.section { stepBack(in: list) }
    while section < path.section {
      rowsBefore += list.rowCount(inSection: section)
      section += 1
    }
    checkInvariants(list)
    return rowsBefore + path.row
  }

  /// Checks, in debug builds, that the count is right where it was made over few sections.
  @inlinable
  func checkInvariants(_ list: ListSnapshot<some SectionViewModel, some RowViewModel>) {
    assert(
      section <= 16 ? rowsBefore == (0..<section).reduce(0) { $0 + list.rowCount(inSection: $1) } : rowsBefore >= 0,
      "\(rowsBefore) rows stand before section \(section)")
  }

  @inlinable
  mutating func stepBack(in list: ListSnapshot<some SectionViewModel, some RowViewModel>) {
    section -= 1
    rowsBefore -= list.rowCount(inSection: section)
  }
}

public import RowcastDiff

/// The number of sections on one side of a batch, and a closure that gives the number of rows of one of them.
struct RowCounts {
  let count: Int
  let rowCount: (_ section: Int) -> Int

  /// The counts after changes, as they follow from these ones. Counts after invalid changes mean nothing.
  ///
  /// - Parameters:
  ///   - changes: The changes, which may be invalid.
  ///   - inserted: The row counts of the inserted sections, in the order of `changes.sections.inserts`.
  /// - Returns: The counts of the sections after the changes.
  /// - Complexity: O(k log k) for k operations.
  func following(_ changes: ListChanges, inserted: [Int]) -> RowCounts {
    let sections = changes.sections
    let after = 0..<Swift.max(0, count - sections.deletes.count + sections.inserts.count)
    var valid = Changeset(
      deletes: sections.deletes.filter(hasSection), inserts: sections.inserts.filter(after.contains))
    // Invalid moves count as a deletion, an insertion, or nothing.
    for move in sections.moves {
      switch (hasSection(move.from), after.contains(move.to)) {
      case (true, true): valid.moves.append(move)
      case (true, false): valid.deletes.append(move.from)
      case (false, true): valid.inserts.append(move.to)
      case (false, false): break
      }
    }
    let map = IndexMap(valid)
    let insertedCounts = Dictionary(zip(sections.inserts, inserted)) { first, _ in first }
    let left = (changes.rows.deletes + changes.rows.moving(after: false)).ascending
    let entered = (changes.rows.inserts + changes.rows.moving(after: true)).ascending
    return RowCounts(count: after.count) { section in
      if let count = insertedCounts[section] { return count }
      guard let origin = map.origin(of: section), hasSection(origin) else { return 0 }
      return Swift.max(0, rowCount(origin) + entered.count(inSection: section) - left.count(inSection: origin))
    }
  }

  /// The counts of all sections.
  var all: [Int] { (0..<count).map(rowCount) }

  func hasSection(_ section: Int) -> Bool { section >= 0 && section < count }

  func contain(_ place: BatchPlace) -> Bool {
    guard hasSection(place.section) else { return false }
    guard let row = place.row else { return true }
    return row >= 0 && row < rowCount(place.section)
  }
}

extension [RowPath] {
  /// The number of paths in a section, of paths in order.
  fileprivate func count(inSection section: Int) -> Int {
    countLess(than: RowPath(section: section + 1, row: .min)) - countLess(than: RowPath(section: section, row: .min))
  }
}

extension BatchValidator {
  /// Prepares the check of changes from the row counts of the list that they start from, and of the
  /// inserted sections, in the order of `changes.sections.inserts`.
  ///
  /// - Complexity: O(k log k) for k operations, and so is the check, which calls `rowCount` once for each count it reads.
  @usableFromInline
  package init(
    _ changes: ListChanges, sectionCount: Int, insertedRowCounts: [Int], rowCount: @escaping (_ section: Int) -> Int
  ) {
    let before = RowCounts(count: sectionCount, rowCount: rowCount)
    self.init(changes, before, before.following(changes, inserted: insertedRowCounts))
  }

  /// Prepares the check of changes between two lists. Only the row counts of the changed sections are read.
  init<Section, Row>(
    _ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) {
    self.init(
      changes, RowCounts(count: before.sectionCount, rowCount: before.rowCount(inSection:)),
      RowCounts(count: after.sectionCount, rowCount: after.rowCount(inSection:)))
  }
}

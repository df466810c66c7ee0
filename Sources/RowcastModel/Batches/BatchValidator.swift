public import RowcastDiff

/// Checks a batch against the rules that UIKit enforces by exception.
///
///     try BatchValidator(changes, rowCountsBefore: [3, 4], rowCountsAfter: [3, 5]).validate()
///
/// The rules are tried in a fixed order, and the first that is broken is reported. A validator needs no table: it checks
/// any batch, for any view, as a strict table would.
@usableFromInline
package struct BatchValidator {
  let changes: ListChanges
  let before: RowCounts
  let after: RowCounts
  /// The row counts of all sections before and after the batch, if they are known. Others follow from the batch, and agree with it.
  let known: (before: [Int], after: [Int])?
  /// The operations on sections, as if those were the rows of one section: the rules are the same for both.
  let sections: Changeset<RowPath>
  /// False for the rules on sections, and true for those on rows, as far as there are such operations.
  let kinds: [Bool]

  private init(
    _ changes: ListChanges, _ before: RowCounts, _ after: RowCounts, known: (before: [Int], after: [Int])? = nil
  ) {
    self.changes = changes
    self.before = before
    self.after = after
    self.known = known
    sections = changes.sections.onRows(ofSection: 0)
    kinds = changes.sections.isEmpty ? [true] : [false, true]
  }

  /// Prepares the check of a batch.
  ///
  /// - Parameters:
  ///   - changes: The operations of the batch. They need not be sorted.
  ///   - rowCountsBefore: The row count of each section before the batch.
  ///   - rowCountsAfter: The row count of each section of the data that is to be shown after it.
  package init(_ changes: ListChanges, rowCountsBefore: [Int], rowCountsAfter: [Int]) {
    self.init(
      changes, RowCounts(count: rowCountsBefore.count) { rowCountsBefore[$0] },
      RowCounts(count: rowCountsAfter.count) { rowCountsAfter[$0] }, known: (rowCountsBefore, rowCountsAfter))
  }

  /// Prepares the check of changes from the row counts of the list that they start from, and those of the
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

  /// Checks all rules that need no more than counts, except ``rowInMovedSection()``.
  ///
  /// - Throws: ``BatchError`` for the first rule that is broken.
  /// - Complexity: O(s + k log k) for s sections and k operations.
  @usableFromInline
  package func validate() throws(BatchError) { if let error = firstError() { throw error } }

  private func firstError() -> BatchError? {
    // Most batches do not move anything, and so break no rule about that. Skipping these rules saves a tenth of a change off
    // the screen of a table.
    let moves = !(changes.rows.moves.isEmpty && sections.moves.isEmpty)
    for isAfter in [false, true] {
      if moves, let error = changeAndMove(after: isAfter) { return error }
      if let error = changeOutOfBounds(after: isAfter) { return error }
    }
    if moves, let error = moveOutOfBounds() ?? ambiguousMove() { return error }
    if let error = wrongSectionCount() ?? wrongRowCount() ?? rowInVanishingSection() { return error }
    if moves, let error = moveAcrossVanishingSection() { return error }
    return duplicateOperation() ?? updateOutOfBounds()
  }

  /// The error of a rule that the batch breaks, with the places and the message.
  package func error(_ rule: BatchRule, at places: [BatchPlace] = [], _ message: String) -> BatchError {
    BatchError(
      rule: rule, message: message, places: places, changes: changes, rowCountsBefore: before.all,
      rowCountsAfter: after.all)
  }
}

/// The number of sections on one side of a batch, and a closure that gives the number of rows of one of them.
struct RowCounts {
  let count: Int
  let rowCount: (_ section: Int) -> Int

  /// The counts after changes, as they follow from these ones. Those of invalid changes mean nothing.
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

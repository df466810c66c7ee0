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
  /// The operations on sections and on rows, as places: the rules are the same for both.
  let sections: Changeset<BatchPlace>
  let rows: Changeset<BatchPlace>

  private init(_ changes: ListChanges, before: RowCounts, after: RowCounts) {
    self.changes = changes
    self.before = before
    self.after = after
    sections = changes.sections.mapPositions(before: BatchPlace.sectionBefore, after: BatchPlace.sectionAfter)
    rows = changes.rows.mapPositions(before: BatchPlace.rowBefore, after: BatchPlace.rowAfter)
  }

  /// Prepares the check of a batch.
  ///
  /// - Parameters:
  ///   - changes: The operations of the batch. They need not be sorted.
  ///   - rowCountsBefore: The row count of each section before the batch.
  ///   - rowCountsAfter: The row count of each section of the data that is to be shown after it.
  package init(_ changes: ListChanges, rowCountsBefore: [Int], rowCountsAfter: [Int]) {
    self.init(changes, before: .known(rowCountsBefore), after: .known(rowCountsAfter))
  }

  /// Prepares the check of changes from the row counts of the list that they start from, and those of the
  /// inserted sections, in the order of `changes.sections.inserts`.
  ///
  /// - Complexity: O(k log k) for k operations, and so is the check, which calls `rowCount` once for each count it reads.
  @usableFromInline
  package init(
    _ changes: ListChanges, sectionCount: Int, insertedRowCounts: [Int], rowCount: @escaping (_ section: Int) -> Int
  ) {
    self.init(
      changes, before: .lookedUp(sectionCount, rowCount),
      after: .following(changes, sectionCount: sectionCount, rowCountBefore: rowCount, inserted: insertedRowCounts))
  }

  /// Prepares the check of changes between two lists. Only the row counts of the changed sections are read.
  init<Section, Row>(
    _ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) {
    self.init(
      changes, before: .lookedUp(before.sectionCount, before.rowCount(inSection:)),
      after: .lookedUp(after.sectionCount, after.rowCount(inSection:)))
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
    let moves = !(rows.moves.isEmpty && sections.moves.isEmpty)
    if moves, let error = deleteAgainstMove() { return error }
    if let error = deleteOutOfBounds() { return error }
    if moves, let error = insertAgainstMove() { return error }
    if let error = insertOutOfBounds() { return error }
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

/// The row count of each section on one side of a batch.
enum RowCounts {
  /// The counts of a list that exists.
  case known([Int])
  /// The number of sections, and a closure that gives the count of one of them.
  case lookedUp(Int, (Int) -> Int)

  /// The counts after changes, as they follow from those before. Those of invalid changes mean nothing.
  ///
  /// - Parameters:
  ///   - changes: The changes, which may be invalid.
  ///   - sectionCount: The number of sections before the changes.
  ///   - rowCountBefore: The row count of a section before the changes.
  ///   - inserted: The row counts of the inserted sections, in the order of `changes.sections.inserts`.
  /// - Returns: The counts of the sections after the changes.
  /// - Complexity: O(k log k) for k operations.
  static func following(
    _ changes: ListChanges, sectionCount: Int, rowCountBefore: @escaping (Int) -> Int, inserted: [Int]
  ) -> RowCounts {
    let sections = changes.sections
    let before = 0..<sectionCount
    let after = 0..<Swift.max(0, sectionCount - sections.deletes.count + sections.inserts.count)
    // Invalid moves count as a deletion, an insertion, or nothing.
    let vanishing = sections.moves.filter { !after.contains($0.to) }.map(\.from)
    let appearing = sections.moves.filter { !before.contains($0.from) }.map(\.to)
    let map = IndexMap(
      Changeset(
        deletes: (sections.deletes + vanishing).filter(before.contains),
        inserts: (sections.inserts + appearing).filter(after.contains),
        moves: sections.moves.filter { before.contains($0.from) && after.contains($0.to) }))
    let insertedCounts = Dictionary(zip(sections.inserts, inserted)) { first, _ in first }
    var (left, entered): ([Int: Int], [Int: Int]) = ([:], [:])
    for path in changes.rows.deletes + changes.rows.moves.map(\.from) { left[path.section, default: 0] += 1 }
    for path in changes.rows.inserts + changes.rows.moves.map(\.to) { entered[path.section, default: 0] += 1 }
    return .lookedUp(after.count) { [left, entered] section in
      if let count = insertedCounts[section] { return count }
      guard let origin = map.origin(of: section), before.contains(origin) else { return 0 }
      return Swift.max(0, rowCountBefore(origin) + entered[section, default: 0] - left[origin, default: 0])
    }
  }

  /// The number of sections.
  var count: Int {
    switch self {
    case .known(let counts): counts.count
    case .lookedUp(let count, _): count
    }
  }

  subscript(section: Int) -> Int {
    switch self {
    case .known(let counts): counts[section]
    case .lookedUp(_, let rowCount): rowCount(section)
    }
  }

  /// The counts of all sections.
  var all: [Int] { (0..<count).map { self[$0] } }

  func hasSection(_ section: Int) -> Bool { section >= 0 && section < count }

  func contain(_ place: BatchPlace) -> Bool {
    guard hasSection(place.section) else { return false }
    guard let row = place.row else { return true }
    return row >= 0 && row < self[place.section]
  }
}

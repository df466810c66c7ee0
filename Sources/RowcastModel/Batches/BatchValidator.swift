public import RowcastDiff

/// Checks a batch against the rules that UIKit enforces by exception.
///
///     try BatchValidator(TableBatch(changes), rowCountsBefore: [3, 4], rowCountsAfter: [3, 5]).validate()
///
/// The rules are tried in a fixed order, and the first that is broken is reported. A validator needs no table: it checks
/// any batch, for any view, as a strict table would.
@usableFromInline
package struct BatchValidator {
  let batch: TableBatch
  let before: RowCounts
  let after: RowCounts
  let sections: BatchOperations
  let rows: BatchOperations

  private init(_ batch: TableBatch, before: RowCounts, after: RowCounts) {
    self.batch = batch
    self.before = before
    self.after = after
    sections = BatchOperations(
      batch.changes.sections, reloads: batch.reloadedSections, before: { .sectionBefore($0) },
      after: { .sectionAfter($0) })
    rows = BatchOperations(
      batch.changes.rows, reloads: batch.reloadedRows, before: { .rowBefore($0) }, after: { .rowAfter($0) })
  }

  /// Prepares the check of a batch.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - rowCountsBefore: The row count of each section before the batch.
  ///   - rowCountsAfter: The row count of each section of the data that is to be shown after it.
  package init(_ batch: TableBatch, rowCountsBefore: [Int], rowCountsAfter: [Int]) {
    self.init(batch, before: .known(rowCountsBefore), after: .known(rowCountsAfter))
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
      TableBatch(changes), before: .lookedUp(sectionCount, rowCount),
      after: .following(changes, sectionCount: sectionCount, rowCountBefore: rowCount, inserted: insertedRowCounts))
  }

  /// Prepares the check of changes between two lists. Only the row counts of the changed sections are read.
  init<Section, Row>(
    _ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) {
    self.init(
      TableBatch(changes), before: .lookedUp(before.sectionCount, before.rowCount(inSection:)),
      after: .lookedUp(after.sectionCount, after.rowCount(inSection:)))
  }

  /// Checks all rules that need no more than counts.
  ///
  /// - Parameter refusingRowsInMovedSections: If `true`, row operations inside a section that the batch moves are refused, too,
  ///   as collection views do, and so are reloads that those confuse with a move. A sink that applies a batch at once need not.
  /// - Throws: ``BatchError`` for the first rule that is broken.
  /// - Complexity: O(s + k log k) for s sections and k operations.
  @usableFromInline
  package func validate(refusingRowsInMovedSections: Bool = false) throws(BatchError) {
    if let error = error(refusingRowsInMovedSections) { throw error }
  }

  private func error(_ isForCollectionView: Bool) -> BatchError? {
    // Most batches neither move nor reload, and so break no rule about that. Skipping these rules saves a tenth of a change off
    // the screen of a table.
    let movesOrReloads =
      !(rows.moves.isEmpty && sections.moves.isEmpty && rows.reloads.isEmpty && sections.reloads.isEmpty)
    if movesOrReloads, let error = deleteAgainstReload() ?? deleteAgainstMove() { return error }
    if let error = deleteOutOfBounds() { return error }
    if movesOrReloads, let error = insertAgainstMove() { return error }
    if isForCollectionView, let error = reloadAgainstMove() { return error }
    if let error = insertOutOfBounds() { return error }
    if movesOrReloads, let error = moveOutOfBounds() ?? ambiguousMove() { return error }
    if let error = wrongSectionCount() ?? wrongRowCount() ?? rowInVanishingSection() { return error }
    if movesOrReloads, let error = moveAcrossVanishingSection() { return error }
    if isForCollectionView, let error = rowInMovedSection() { return error }
    return duplicateOperation() ?? updateOutOfBounds()
  }

  /// The error of a rule that the batch breaks, with the places and the message.
  package func error(_ rule: BatchRule, at places: [BatchPlace] = [], _ message: String) -> BatchError {
    BatchError(
      rule: rule, message: message, places: places, batch: batch, rowCountsBefore: before.all, rowCountsAfter: after.all
    )
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

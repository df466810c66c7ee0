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

  /// Prepares the check of a batch.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - rowCountsBefore: The row count of each section before the batch.
  ///   - rowCountsAfter: The row count of each section of the data that is to be shown after it.
  package init(_ batch: TableBatch, rowCountsBefore: [Int], rowCountsAfter: [Int]) {
    self.batch = batch
    before = .known(rowCountsBefore)
    after = .known(rowCountsAfter)
  }

  /// Prepares the check of changes from the row counts of the list that they start from, and those of the
  /// inserted sections, in the order of `changes.sections.inserts`.
  ///
  /// - Complexity: O(k log k) for k operations, and so is the check, which calls `rowCount` once for each count it reads.
  @usableFromInline
  package init(
    _ changes: ListChanges, sectionCount: Int, insertedRowCounts: [Int], rowCount: @escaping (_ section: Int) -> Int
  ) {
    batch = TableBatch(changes)
    before = .lookedUp(sectionCount, rowCount)
    after = .following(
      changes, sectionCount: sectionCount, rowCountBefore: rowCount, inserted: insertedRowCounts)
  }

  /// Prepares the check of changes between two lists. Only the row counts of the changed sections are read.
  init<Section, Row>(
    _ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) {
    batch = TableBatch(changes)
    self.before = .lookedUp(before.sectionCount, before.rowCount(inSection:))
    self.after = .lookedUp(after.sectionCount, after.rowCount(inSection:))
  }

  /// Checks all rules that need no more than counts.
  ///
  /// - Parameter refusingRowsInMovedSections: If `true`, row operations inside a section that the batch moves are refused, too,
  ///   as collection views do, and so are reloads that those confuse with a move. A sink that applies a batch at once need not.
  /// - Throws: ``BatchError`` for the first rule that is broken.
  /// - Complexity: O(s + k log k) for s sections and k operations.
  @usableFromInline
  package func validate(refusingRowsInMovedSections: Bool = false) throws(BatchError) {
    // Most batches neither move nor reload, and so break no rule about that. Skipping these rules saves a tenth of a change off
    // the screen of a table.
    let movesOrReloads =
      !(batch.changes.rows.moves.isEmpty && batch.changes.sections.moves.isEmpty && batch.reloadedRows.isEmpty
      && batch.reloadedSections.isEmpty)
    if movesOrReloads {
      try checkDeletesAgainstReloads()
      try checkDeletesAgainstMoves()
    }
    try checkDeleteBounds()
    if movesOrReloads { try checkInsertsAgainstMoves() }
    if refusingRowsInMovedSections { try checkReloadsAgainstMoves() }
    try checkInsertBounds()
    if movesOrReloads {
      try checkMoveBounds()
      try checkMovesAreOneToOne()
    }
    try checkSectionCount()
    try checkRowCounts()
    try checkRowsInVanishingSections()
    if movesOrReloads { try checkMovesAcrossVanishingSections() }
    if refusingRowsInMovedSections { try checkRowsInMovedSections() }
    try checkDuplicateOperations()
    try checkUpdates()
  }

  func refuse(_ rule: BatchRule, at places: [BatchPlace] = [], message: String) throws(BatchError) -> Never {
    throw BatchError(
      rule: rule, message: message, places: places, batch: batch, rowCountsBefore: Array(before),
      rowCountsAfter: Array(after))
  }
}

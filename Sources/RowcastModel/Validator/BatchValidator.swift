public import RowcastDiff

/// Checks a batch against the rules that UIKit enforces by exception.
///
///     try BatchValidator(TableBatch(changes), rowCountsBefore: [3, 4], rowCountsAfter: [3, 5]).validate()
///
/// The rules are tried in a fixed order, and the first that is broken is reported. A validator needs no table: it says of
/// any batch, for any view, whether a strict table would take it.
public struct BatchValidator {
  let batch: TableBatch
  let before: RowCounts
  let after: RowCounts

  /// Prepares the check of a batch.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - rowCountsBefore: The row count of each section before the batch.
  ///   - rowCountsAfter: The row count of each section of the data that is to be shown after it.
  public init(_ batch: TableBatch, rowCountsBefore: [Int], rowCountsAfter: [Int]) {
    self.batch = batch
    before = .known(rowCountsBefore)
    after = .known(rowCountsAfter)
  }

  /// Prepares the check of changes of which nothing is known but the list that they start from, and the row counts of the
  /// sections that come, in the order of `changes.sections.inserts`.
  ///
  /// - Complexity: O(k log k) for k operations, and so is the check, which calls `rowCount` once for each count it reads.
  @usableFromInline
  package init(
    _ changes: ListChanges, sectionCount: Int, insertedRowCounts: [Int], rowCount: @escaping (_ section: Int) -> Int
  ) {
    let following = FollowingCounts(
      changes, sectionCount: sectionCount,
      rowCountBefore: { (0..<sectionCount).contains($0) ? rowCount($0) : nil }, inserted: insertedRowCounts)
    batch = TableBatch(changes)
    before = .lookedUp(sectionCount, rowCount)
    after = .lookedUp(following.sectionCount, following.rowCount(inSection:))
  }

  /// Prepares the check of changes between two lists, of which only those row counts are read that the changes concern.
  init<Section, Row>(
    _ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) {
    batch = TableBatch(changes)
    self.before = .lookedUp(before.sectionCount, before.rowCount(inSection:))
    self.after = .lookedUp(after.sectionCount, after.rowCount(inSection:))
  }

  /// Checks all rules that need no more than counts.
  ///
  /// - Parameter refusingRowsInMovedSections: Whether the view also refuses row operations inside a section that the
  ///   batch moves, as collection views must. A sink that applies a batch at once need not.
  /// - Throws: ``BatchError`` for the first rule that is broken.
  /// - Complexity: O(s + k log k) for s sections and k operations.
  public func validate(refusingRowsInMovedSections: Bool = false) throws(BatchError) {
    // Most batches move and reload nothing, and break no rule of those that do. What a batch does not have is not checked:
    // each check holds the batch, which counts more references than it reads. A change off a table's screen takes 1.9 µs so,
    // and 2.7 µs if all is checked.
    let isPlain =
      batch.changes.rows.moves.isEmpty && batch.changes.sections.moves.isEmpty && batch.reloadedRows.isEmpty
      && batch.reloadedSections.isEmpty
    let deletes = batch.changes.rows.deletes.count + batch.changes.sections.deletes.count
    let inserts = batch.changes.rows.inserts.count + batch.changes.sections.inserts.count
    let updates = batch.changes.rows.updates.count + batch.changes.sections.updates.count
    let hasSections = !(batch.changes.sections.deletes.isEmpty && batch.changes.sections.inserts.isEmpty)
    if !isPlain {
      try checkDeletesAgainstReloads()
      try checkDeletesAgainstMoves()
    }
    if !isPlain || deletes > 0 { try checkDeleteBounds() }
    if !isPlain { try checkInsertsAgainstMoves() }
    if inserts > 0 { try checkInsertBounds() }
    if !isPlain {
      try checkMoveBounds()
      try checkMovesAreOneToOne()
    }
    try checkSectionCount()
    try checkRowCounts()
    if !isPlain || hasSections { try checkRowsInVanishingSections() }
    if !isPlain { try checkMovesAcrossVanishingSections() }
    if refusingRowsInMovedSections { try checkRowsInMovedSections() }
    if !isPlain || deletes + inserts + updates > 1 { try checkDuplicateOperations() }
    if updates > 0 { try checkUpdates() }
  }

  func refuse(_ rule: BatchRule, at places: [BatchPlace] = [], message: String) throws(BatchError) -> Never {
    throw BatchError(
      rule: rule, message: message, places: places, batch: batch, rowCountsBefore: Array(before),
      rowCountsAfter: Array(after))
  }
}

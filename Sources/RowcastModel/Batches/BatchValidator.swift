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
    if let fault = fault(refusingRowsInMovedSections) { throw error(fault) }
  }

  /// A rule that a batch breaks, with the places and the message.
  package struct Fault {
    let rule: BatchRule
    let places: [BatchPlace]
    let message: String

    package init(_ rule: BatchRule, at places: [BatchPlace] = [], _ message: String) {
      self.rule = rule
      self.places = places
      self.message = message
    }
  }

  private func fault(_ isForCollectionView: Bool) -> Fault? {
    // Most batches neither move nor reload, and so break no rule about that. Skipping these rules saves a tenth of a change off
    // the screen of a table.
    let movesOrReloads =
      !(rows.moves.isEmpty && sections.moves.isEmpty && rows.reloads.isEmpty && sections.reloads.isEmpty)
    if movesOrReloads, let fault = deleteAgainstReload() ?? deleteAgainstMove() { return fault }
    if let fault = deleteOutOfBounds() { return fault }
    if movesOrReloads, let fault = insertAgainstMove() { return fault }
    if isForCollectionView, let fault = reloadAgainstMove() { return fault }
    if let fault = insertOutOfBounds() { return fault }
    if movesOrReloads, let fault = moveOutOfBounds() ?? ambiguousMove() { return fault }
    if let fault = wrongSectionCount() ?? wrongRowCount() ?? rowInVanishingSection() { return fault }
    if movesOrReloads, let fault = moveAcrossVanishingSection() { return fault }
    if isForCollectionView, let fault = rowInMovedSection() { return fault }
    return duplicateOperation() ?? updateOutOfBounds()
  }

  package func error(_ fault: Fault) -> BatchError {
    BatchError(
      rule: fault.rule, message: fault.message, places: fault.places, batch: batch, rowCountsBefore: before.all,
      rowCountsAfter: after.all)
  }
}

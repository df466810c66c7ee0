import RowcastDiff
package import RowcastModel

extension BatchValidator {
  /// Checks all rules, and that the batch leads from one list to the other: that every section and row that survives,
  /// and is not loaded anew, is where the batch puts it. Counts alone cannot tell a row from its neighbour.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - before: The list that is shown.
  ///   - after: The list that is to be shown.
  ///   - refusingRowsInMovedSections: If `true`, row operations inside a section that the batch moves are refused, too.
  /// - Throws: ``BatchError`` for the first rule that is broken.
  /// - Complexity: O(n log k) for n rows and k operations.
  package static func validate<Section, Row>(
    _ batch: TableBatch, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>,
    refusingRowsInMovedSections: Bool = false
  ) throws(BatchError) {
    let validator = BatchValidator(batch, rowCountsBefore: before.rowCounts, rowCountsAfter: after.rowCounts)
    try validator.validate(refusingRowsInMovedSections: refusingRowsInMovedSections)
    let map = PathMap(batch.changes)
    let (reloadedSections, reloadedRows) = (Set(batch.reloadedSections), Set(batch.reloadedRows))
    for index in 0..<before.sectionCount where !reloadedSections.contains(index) {
      guard let destination = map.destination(ofSection: index) else { continue }
      guard before.section(at: index).id == after.section(at: destination).id else {
        throw validator.otherData(.sectionBefore(index), .sectionAfter(destination), "\(before.section(at: index).id)")
      }
      for (row, model) in before.rows(inSection: index).enumerated() {
        let path = RowPath(section: index, row: row)
        guard !reloadedRows.contains(path), let target = map.destination(of: path) else { continue }
        guard after.row(at: target).id == model.id else {
          throw validator.otherData(.rowBefore(path), .rowAfter(target), "\(model.id)")
        }
      }
    }
  }

  private func otherData(_ origin: BatchPlace, _ target: BatchPlace, _ id: String) -> BatchError {
    error(
      .otherData, at: [origin, target],
      "the data was not swapped together with the batch: \(origin) the update has the identifier \(id), and the "
        + "batch moves it to where the data has another one, \(target) the update")
  }
}

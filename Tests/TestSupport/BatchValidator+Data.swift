package import RowcastDiff
package import RowcastModel

extension BatchValidator {
  /// Checks all rules that counts show, as a collection view does: it also refuses row operations inside a section that moves.
  package func validateForCollectionView() throws(BatchError) {
    try validate()
    if let error = rowInMovedSection() { throw error }
  }

  /// Checks all rules, and that the batch leads from one list to the other: that every section and row that survives
  /// is where the batch puts it. Counts alone cannot tell a row from its neighbour.
  ///
  /// - Parameters:
  ///   - changes: The operations of the batch.
  ///   - before: The list that is shown.
  ///   - after: The list that is to be shown.
  ///   - refusingRowsInMovedSections: If `true`, row operations inside a section that the batch moves are refused, too.
  /// - Throws: ``BatchError`` for the first rule that is broken.
  /// - Complexity: O(n log k) for n rows and k operations.
  package static func validate<Section, Row>(
    _ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>,
    refusingRowsInMovedSections: Bool = false
  ) throws(BatchError) {
    let validator = BatchValidator(changes, rowCountsBefore: before.rowCounts, rowCountsAfter: after.rowCounts)
    if refusingRowsInMovedSections { try validator.validateForCollectionView() } else { try validator.validate() }
    let map = PathMap(changes)
    for index in 0..<before.sectionCount {
      guard let destination = map.destination(ofSection: index) else { continue }
      guard before.section(at: index).id == after.section(at: destination).id else {
        throw validator.otherData(.sectionBefore(index), .sectionAfter(destination), "\(before.section(at: index).id)")
      }
      for (row, model) in before.rows(inSection: index).enumerated() {
        let path = RowPath(section: index, row: row)
        guard let target = map.destination(of: path) else { continue }
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

extension ListChanges {
  /// Folds the stages of these changes, each of which a strict view takes. Returns their number.
  package func checkedStages<Section, Row>(
    from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) throws -> Int {
    let stages = stages(from: before, to: after)
    var (list, current) = (before, NaiveList(before))
    for stage in stages {
      try BatchValidator.validate(stage.changes, from: list, to: stage.snapshot, refusingRowsInMovedSections: true)
      try current.fold(stage.changes, after: stage.snapshot)
      try Mismatch.unless(current == NaiveList(stage.snapshot), "a stage leads to \(current), not to \(stage.snapshot)")
      // A17: no id occurs twice in between.
      try Mismatch.unless(Set(stage.snapshot.allRows.map(\.id)).count == stage.snapshot.rowCount, "an id stands twice")
      // A list that was combined from two has nodes that are numbered twice: a draft copies them.
      let draft = ListDraft(stage.snapshot)
      draft.list.checkInvariants(draft.nodeIndex)
      try Mismatch.unless(draft.snapshot == stage.snapshot, "a draft of \(stage.snapshot) is \(draft.snapshot)")
      list = stage.snapshot
    }
    try Mismatch.unless(isEmpty ? stages.isEmpty : list == after, "the stages lead to \(list)")
    return stages.count
  }
}

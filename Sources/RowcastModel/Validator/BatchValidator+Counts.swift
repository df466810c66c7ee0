import RowcastDiff

// The rules that concern counts: A11 and A12.
extension BatchValidator {
  func checkSectionCount() throws(BatchError) {
    let inserted = batch.sections.inserts.count
    let deleted = batch.sections.deletes.count
    guard after.count != before.count + inserted - deleted else { return }
    try refuse(
      .sectionCount,
      message:
        "Invalid update: invalid number of sections. The number of sections contained in the table view after the "
        + "update (\(after.count)) must be equal to the number of sections contained in the table view before the "
        + "update (\(before.count)), plus or minus the number of sections inserted or deleted (\(inserted) inserted, "
        + "\(deleted) deleted).")
  }

  func checkRowCounts() throws(BatchError) {
    // Counts that follow from the batch agree with it.
    guard case .known(let after) = after, case .known(let before) = before else { return }
    let map = batch.sections.hasStructure ? PathMap(ListChanges(sections: batch.sections)) : nil
    let reloaded = Set(batch.reloadedSections)
    // All paths lie within the counts by now.
    var (staying, arriving) = (before, [Int](repeating: 0, count: after.count))
    for path in batch.rows.deletes { staying[path.section] -= 1 }
    for move in batch.rows.moves { staying[move.from.section] -= 1 }
    for path in batch.rows.inserts { arriving[path.section] += 1 }
    for move in batch.rows.moves { arriving[move.to.section] += 1 }
    // A section that is loaded anew may have any number of rows.
    for section in staying.indices where !reloaded.contains(section) {
      guard let destination = map.map({ $0.destination(ofSection: section) }) ?? section,
        after.indices.contains(destination)
      else { continue }
      guard after[destination] != staying[section] + arriving[destination] else { continue }
      try refuseRowCount(section, destination)
    }
  }

  private func refuseRowCount(_ section: Int, _ destination: Int) throws(BatchError) -> Never {
    let inserted = batch.rows.inserts.count { $0.section == destination }
    let deleted = batch.rows.deletes.count { $0.section == section }
    let movedIn = batch.rows.moves.count { $0.to.section == destination }
    let movedOut = batch.rows.moves.count { $0.from.section == section }
    try refuse(
      .rowCount, at: [.sectionBefore(section), .sectionAfter(destination)],
      message: "Invalid update: invalid number of rows in section \(destination). The number of rows contained in an "
        + "existing section after the update (\(after[destination])) must be equal to the number of rows contained "
        + "in that section before the update (\(before[section])), plus or minus the number of rows inserted or "
        + "deleted from that section (\(inserted) inserted, \(deleted) deleted) and plus or minus the number of rows "
        + "moved into or out of that section (\(movedIn) moved in, \(movedOut) moved out).")
  }
}

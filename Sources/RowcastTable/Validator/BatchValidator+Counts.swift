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
    let map = PathMap(ListChanges(sections: batch.sections))
    let reloaded = Set(batch.reloadedSections)
    let deleted = Tally(batch.rows.deletes)
    let movedOut = Tally(batch.rows.moves.map(\.from))
    let inserted = Tally(batch.rows.inserts)
    let movedIn = Tally(batch.rows.moves.map(\.to))
    // A section that is loaded anew may have any number of rows.
    for section in before.indices where !reloaded.contains(section) {
      guard let destination = map.after(section: section), after.indices.contains(destination) else { continue }
      let arriving = inserted[destination] + movedIn[destination]
      guard after[destination] != before[section] + arriving - deleted[section] - movedOut[section] else { continue }
      try refuse(
        .rowCount, at: .sectionBefore(section), .sectionAfter(destination),
        message: "Invalid update: invalid number of rows in section \(destination). The number of rows contained in an "
          + "existing section after the update (\(after[destination])) must be equal to the number of rows contained "
          + "in that section before the update (\(before[section])), plus or minus the number of rows inserted or "
          + "deleted from that section (\(inserted[destination]) inserted, \(deleted[section]) deleted) and plus or "
          + "minus the number of rows moved into or out of that section (\(movedIn[destination]) moved in, "
          + "\(movedOut[section]) moved out).")
    }
  }
}

/// How many paths lie in each section.
private struct Tally {
  private var counts: [Int: Int] = [:]

  init(_ paths: [RowPath]) {
    for path in paths { counts[path.section, default: 0] += 1 }
  }

  subscript(section: Int) -> Int { counts[section, default: 0] }
}

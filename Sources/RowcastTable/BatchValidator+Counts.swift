import RowcastDiff

// The rules that concern the batch as a whole: A11 to A15.
extension BatchValidator {
  func checkSectionCount() throws(BatchError) {
    let inserted = changes.sections.inserts.count
    let deleted = changes.sections.deletes.count
    guard after.count != before.count + inserted - deleted else { return }
    try refuse(
      .sectionCount,
      "Invalid update: invalid number of sections. The number of sections contained in the table view after the "
        + "update (\(after.count)) must be equal to the number of sections contained in the table view before the "
        + "update (\(before.count)), plus or minus the number of sections inserted or deleted (\(inserted) inserted, "
        + "\(deleted) deleted).")
  }

  func checkRowCounts() throws(BatchError) {
    let map = PathMap(ListChanges(sections: changes.sections))
    let deleted = Tally(changes.rows.deletes)
    let movedOut = Tally(changes.rows.moves.map(\.from))
    let inserted = Tally(changes.rows.inserts)
    let movedIn = Tally(changes.rows.moves.map(\.to))
    for section in before.indices {
      guard let destination = map.after(section: section), after.indices.contains(destination) else { continue }
      let arriving = inserted[destination] + movedIn[destination]
      guard after[destination] != before[section] + arriving - deleted[section] - movedOut[section] else { continue }
      try refuse(
        .rowCount,
        "Invalid update: invalid number of rows in section \(destination). The number of rows contained in an "
          + "existing section after the update (\(after[destination])) must be equal to the number of rows contained "
          + "in that section before the update (\(before[section])), plus or minus the number of rows inserted or "
          + "deleted from that section (\(inserted[destination]) inserted, \(deleted[section]) deleted) and plus or "
          + "minus the number of rows moved into or out of that section (\(movedIn[destination]) moved in, "
          + "\(movedOut[section]) moved out).")
    }
  }

  func checkRowsInVanishingSections() throws(BatchError) {
    let deleted = Set(changes.sections.deletes)
    let inserted = Set(changes.sections.inserts)
    let inDeleted = changes.rows.deletes + changes.rows.updates.map(\.from)
    if let path = inDeleted.first(where: { deleted.contains($0.section) }) {
      try refuse(
        .rowInVanishingSection, "the row at index path (\(path.uiKit)) goes with its deleted section; do not list it")
    }
    let inInserted = changes.rows.inserts + changes.rows.updates.map(\.to)
    if let path = inInserted.first(where: { inserted.contains($0.section) }) {
      try refuse(
        .rowInVanishingSection, "the row at index path (\(path.uiKit)) comes with its inserted section; do not list it")
    }
    for move in changes.rows.moves {
      if inserted.contains(move.to.section) {
        try refuse(
          .moveAcrossVanishingSection, "cannot move a row into a newly inserted section (\(move.to.section))")
      }
      if deleted.contains(move.from.section) {
        try refuse(
          .moveAcrossVanishingSection, "cannot move an item from a deleted section (\(move.from.section))")
      }
    }
  }

  func checkRowsInMovedSections() throws(BatchError) {
    let sources = Set(changes.sections.moves.map(\.from))
    let destinations = Set(changes.sections.moves.map(\.to))
    let leaving = changes.rows.deletes + changes.rows.moves.map(\.from)
    let arriving = changes.rows.inserts + changes.rows.moves.map(\.to)
    let path =
      leaving.first { sources.contains($0.section) } ?? arriving.first { destinations.contains($0.section) }
    if let path {
      try refuse(
        .rowInMovedSection,
        "the row at index path (\(path.uiKit)) changes inside a section that the batch moves; apply the stages instead")
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

import RowcastDiff

// The rules that concern rows in sections that are themselves changed: A13 to A15.
extension BatchValidator {
  func checkRowsInVanishingSections() throws(BatchError) {
    guard !(batch.sections.deletes.isEmpty && batch.sections.inserts.isEmpty && batch.reloadedSections.isEmpty)
    else { return }
    let deleted = Set(batch.sections.deletes)
    let leaving = batch.rows.deletes + batch.reloadedRows + batch.rows.updates.map(\.from)
    if let path = leaving.first(where: { deleted.contains($0.section) }) {
      try refuse(
        .rowInVanishingSection, at: .rowBefore(path), .sectionBefore(path.section),
        message: "the row at index path (\(path.uiKit)) goes with its deleted section; do not list it")
    }
    let inserted = Set(batch.sections.inserts)
    let arriving = batch.rows.inserts + batch.rows.updates.map(\.to)
    if let path = arriving.first(where: { inserted.contains($0.section) }) {
      try refuse(
        .rowInVanishingSection, at: .rowAfter(path), .sectionAfter(path.section),
        message: "the row at index path (\(path.uiKit)) comes with its inserted section; do not list it")
    }
    try checkRowsInReloadedSections(leaving: leaving, arriving: arriving)
  }

  private func checkRowsInReloadedSections(leaving: [RowPath], arriving: [RowPath]) throws(BatchError) {
    guard !batch.reloadedSections.isEmpty else { return }
    let map = PathMap(ListChanges(sections: batch.sections))
    let before = Set(batch.reloadedSections)
    let after = Set(batch.reloadedSections.compactMap(map.after(section:)))
    if let path = (leaving + batch.rows.moves.map(\.from)).first(where: { before.contains($0.section) }) {
      try refuse(
        .rowInVanishingSection, at: .rowBefore(path), .sectionBefore(path.section),
        message: "the row at index path (\(path.uiKit)) is loaded anew with its section; do not list it")
    }
    if let path = (arriving + batch.rows.moves.map(\.to)).first(where: { after.contains($0.section) }) {
      try refuse(
        .rowInVanishingSection, at: .rowAfter(path), .sectionAfter(path.section),
        message: "the row at index path (\(path.uiKit)) is loaded anew with its section; do not list it")
    }
  }

  func checkMovesAcrossVanishingSections() throws(BatchError) {
    guard !batch.rows.moves.isEmpty else { return }
    let deleted = Set(batch.sections.deletes)
    let inserted = Set(batch.sections.inserts)
    for move in batch.rows.moves {
      if inserted.contains(move.to.section) {
        try refuse(
          .moveAcrossVanishingSection, at: .rowBefore(move.from), .rowAfter(move.to),
          message: "cannot move a row into a newly inserted section (\(move.to.section))")
      }
      if deleted.contains(move.from.section) {
        try refuse(
          .moveAcrossVanishingSection, at: .rowBefore(move.from), .rowAfter(move.to),
          message: "cannot move an item from a deleted section (\(move.from.section))")
      }
    }
  }

  func checkRowsInMovedSections() throws(BatchError) {
    let sources = Set(batch.sections.moves.map(\.from))
    let destinations = Set(batch.sections.moves.map(\.to))
    let leaving = batch.rows.deletes + batch.reloadedRows + batch.rows.moves.map(\.from)
    if let path = leaving.first(where: { sources.contains($0.section) }) {
      try refuseRow(at: .rowBefore(path), path)
    }
    let arriving = batch.rows.inserts + batch.rows.moves.map(\.to)
    if let path = arriving.first(where: { destinations.contains($0.section) }) {
      try refuseRow(at: .rowAfter(path), path)
    }
  }

  private func refuseRow(at place: BatchPlace, _ path: RowPath) throws(BatchError) -> Never {
    try refuse(
      .rowInMovedSection, at: place,
      message:
        "the row at index path (\(path.uiKit)) changes inside a section that the batch moves; apply the stages instead")
  }
}

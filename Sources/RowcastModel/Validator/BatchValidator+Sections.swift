import RowcastDiff

// The rules that concern rows in sections that are themselves changed: A13 to A15.
extension BatchValidator {
  func checkRowsInVanishingSections() throws(BatchError) {
    let (sections, rows) = (batch.sections, batch.rows)
    if sections.deletes.isEmpty && sections.inserts.isEmpty && batch.reloadedSections.isEmpty { return }
    let leaving = rows.deletes + batch.reloadedRows + rows.updates.map(\.from)
    let arriving = rows.inserts + rows.updates.map(\.to)
    let rule = BatchRule.rowInVanishingSection
    try check(rule, leaving, outside: sections.deletes, "goes with its deleted section; do not list it") {
      [.rowBefore($0), .sectionBefore($0.section)]
    }
    try check(rule, arriving, outside: sections.inserts, "comes with its inserted section; do not list it") {
      [.rowAfter($0), .sectionAfter($0.section)]
    }
    let reloaded = batch.reloadedSections
    if reloaded.isEmpty { return }
    let map = PathMap(ListChanges(sections: sections))
    let fate = "is loaded anew with its section; do not list it"
    try check(rule, leaving + rows.moves.map(\.from), outside: reloaded, fate) {
      [.rowBefore($0), .sectionBefore($0.section)]
    }
    try check(rule, arriving + rows.moves.map(\.to), outside: reloaded.compactMap(map.destination(ofSection:)), fate) {
      [.rowAfter($0), .sectionAfter($0.section)]
    }
  }

  func checkMovesAcrossVanishingSections() throws(BatchError) {
    let deleted = Set(batch.sections.deletes)
    let inserted = Set(batch.sections.inserts)
    for move in batch.rows.moves {
      let message: String
      if inserted.contains(move.to.section) {
        message = "cannot move a row into a newly inserted section (\(move.to.section))"
      } else if deleted.contains(move.from.section) {
        message = "cannot move an item from a deleted section (\(move.from.section))"
      } else {
        continue
      }
      try refuse(.moveAcrossVanishingSection, at: [.rowBefore(move.from), .rowAfter(move.to)], message: message)
    }
  }

  func checkRowsInMovedSections() throws(BatchError) {
    let (sections, rows) = (batch.sections.moves, batch.rows)
    if sections.isEmpty { return }
    let leaving = rows.deletes + batch.reloadedRows + rows.moves.map(\.from)
    let fate = "changes inside a section that the batch moves; apply the stages instead"
    try check(.rowInMovedSection, leaving, outside: sections.map(\.from), fate) { [.rowBefore($0)] }
    let arriving = rows.inserts + rows.moves.map(\.to)
    try check(.rowInMovedSection, arriving, outside: sections.map(\.to), fate) { [.rowAfter($0)] }
  }

  /// Refuses the first row that lies in one of some sections.
  private func check(
    _ rule: BatchRule, _ rows: [RowPath], outside sections: [Int], _ fate: String, at places: (RowPath) -> [BatchPlace]
  ) throws(BatchError) {
    let sections = Set(sections)
    guard let path = rows.first(where: { sections.contains($0.section) }) else { return }
    try refuse(rule, at: places(path), message: "the row at index path (\(path.uiKit)) \(fate)")
  }
}

import RowcastDiff

// The rules that operations name existing sections and rows: A6, A8, A9 and A3.
extension BatchValidator {
  func checkDeleteBounds() throws(BatchError) {
    for section in batch.leavingSections where !before.indices.contains(section) {
      try refuse(
        .deleteOutOfBounds, at: [.sectionBefore(section)],
        message: "attempt to delete section \(section), but \(Self.sections(before)) before the update")
    }
    for path in batch.leavingRows where !before.contain(path) {
      let subject = "attempt to delete row \(path.row) from section \(path.section)"
      try refuse(
        .deleteOutOfBounds, at: [.rowBefore(path)],
        message: before.indices.contains(path.section)
          ? "\(subject) which only contains \(before[path.section]) rows before the update"
          : "\(subject), but \(Self.sections(before)) before the update")
    }
  }

  func checkInsertBounds() throws(BatchError) {
    for section in batch.sections.inserts where !after.indices.contains(section) {
      try refuse(
        .insertOutOfBounds, at: [.sectionAfter(section)],
        message: "attempt to insert section \(section) but \(Self.sections(after)) after the update")
    }
    for path in batch.rows.inserts where !after.contain(path) {
      let known = after.indices.contains(path.section) ? Self.rows(around: path, after) : Self.sections(after)
      try refuse(
        .insertOutOfBounds, at: [.rowAfter(path)],
        message: "attempt to insert row \(path.row) into section \(path.section), but \(known) after the update")
    }
  }

  func checkMoveBounds() throws(BatchError) {
    for move in batch.sections.moves {
      if !before.indices.contains(move.from) {
        try refuse(
          .moveOutOfBounds, at: [.sectionBefore(move.from)],
          message: "attempt to move section \(move.from), but \(Self.sections(before)) before the update")
      }
      if !after.indices.contains(move.to) {
        try refuse(
          .moveOutOfBounds, at: [.sectionBefore(move.from), .sectionAfter(move.to)],
          message: "attempt to move section \(move.from) to section \(move.to), but \(Self.sections(after)) "
            + "after the update")
      }
    }
    for move in batch.rows.moves {
      let subject = "attempt to move index path (\(move.from.uiKit))"
      if !before.contain(move.from) {
        let fault =
          before.indices.contains(move.from.section)
          ? "that does not exist - \(Self.rows(around: move.from, before))"
          : "from a section that does not exist - \(Self.sections(before))"
        try refuse(
          .moveOutOfBounds, at: [.rowBefore(move.from)], message: "\(subject) \(fault) before the update")
      }
      if !after.contain(move.to) {
        let fault =
          after.indices.contains(move.to.section)
          ? "that does not exist - \(Self.rows(around: move.to, after))"
          : "in section that does not exist - \(Self.sections(after))"
        try refuse(
          .moveOutOfBounds, at: [.rowBefore(move.from), .rowAfter(move.to)],
          message: "\(subject) to index path (\(move.to.uiKit)) \(fault) after the update")
      }
    }
  }

  private static func sections(_ counts: RowCounts) -> String { "there are only \(counts.count) sections" }

  private static func rows(around path: RowPath, _ counts: RowCounts) -> String {
    "there are only \(counts[path.section]) rows in section \(path.section)"
  }

  func checkUpdates() throws(BatchError) {
    if batch.sections.updates.isEmpty && batch.rows.updates.isEmpty { return }
    let map = PathMap(batch.changes)
    for update in batch.sections.updates
    where !before.indices.contains(update.from) || !after.indices.contains(update.to)
      || map.destination(ofSection: update.from) != update.to
    {
      try refuse(
        .updateOutOfBounds, at: [.sectionBefore(update.from), .sectionAfter(update.to)],
        message:
          "attempt to update section \(update.from), \(update.to) after the update, that the batch does not take "
          + "there; there are \(before.count) sections before and \(after.count) after the update")
    }
    for update in batch.rows.updates
    where !before.contain(update.from) || !after.contain(update.to) || map.destination(of: update.from) != update.to {
      try refuse(
        .updateOutOfBounds, at: [.rowBefore(update.from), .rowAfter(update.to)],
        message:
          "attempt to update the row at index path (\(update.from.uiKit)), (\(update.to.uiKit)) after the update, "
          + "that does not exist or that the batch does not take there")
    }
  }

  // The rules that concern counts: A11 and A12.

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

  // The rules that concern rows in sections that are themselves changed: A13 to A15.

  func checkRowsInVanishingSections() throws(BatchError) {
    let (sections, rows) = (batch.sections, batch.rows)
    if sections.deletes.isEmpty && sections.inserts.isEmpty && batch.reloadedSections.isEmpty { return }
    let leaving = rows.deletes + batch.reloadedRows + rows.updates.map(\.from)
    let arriving = rows.inserts + rows.updates.map(\.to)
    let rule = BatchRule.rowInVanishingSection
    try check(rule, leaving, outside: sections.deletes, "is deleted with its section; do not list it") {
      [.rowBefore($0), .sectionBefore($0.section)]
    }
    try check(rule, arriving, outside: sections.inserts, "is inserted with its section; do not list it") {
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
    let reloadedSections = Set(batch.reloadedSections)
    let reloadedRows = Set(batch.reloadedRows)
    for index in 0..<before.sectionCount where !reloadedSections.contains(index) {
      guard let destination = map.destination(ofSection: index) else { continue }
      guard before.section(at: index).id == after.section(at: destination).id else {
        try validator.refuseData(.sectionBefore(index), .sectionAfter(destination), "\(before.section(at: index).id)")
      }
      for (row, model) in before.rows(inSection: index).enumerated() {
        let path = RowPath(section: index, row: row)
        guard !reloadedRows.contains(path), let target = map.destination(of: path) else { continue }
        guard after.row(at: target).id == model.id else {
          try validator.refuseData(.rowBefore(path), .rowAfter(target), "\(model.id)")
        }
      }
    }
  }

  private func refuseData(_ origin: BatchPlace, _ target: BatchPlace, _ id: String) throws(BatchError) -> Never {
    try refuse(
      .otherData, at: [origin, target],
      message:
        "the data was not swapped together with the batch: \(origin) the update has the identifier \(id), and the "
        + "batch moves it to where the data has another one, \(target) the update")
  }
}

extension ListSnapshot {
  @inlinable package var rowCounts: [Int] { tree.map { $0.rows.count } }
}

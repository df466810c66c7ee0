import RowcastDiff

// The rules that concern single operations at their source: A4 to A6.
extension BatchValidator {
  func checkDeletesAgainstReloads() throws(BatchError) {
    guard !batch.reloadedSections.isEmpty || !batch.reloadedRows.isEmpty else { return }
    let sections = Set(batch.reloadedSections)
    if let section = batch.sections.deletes.first(where: sections.contains) {
      try refuse(
        .deleteAndReload, at: .sectionBefore(section),
        message: "attempt to delete and reload the same section (\(section))")
    }
    let rows = Set(batch.reloadedRows)
    if let path = batch.rows.deletes.first(where: rows.contains) {
      try refuse(
        .deleteAndReload, at: .rowBefore(path),
        message: "attempt to delete and reload the same index path (\(path.uiKit))")
    }
  }

  func checkDeletesAgainstMoves() throws(BatchError) {
    guard !batch.sections.moves.isEmpty || !batch.rows.moves.isEmpty else { return }
    let sections = Set(batch.sections.moves.map(\.from))
    if let section = batch.leavingSections.first(where: sections.contains) {
      try refuse(
        .deleteAndMove, at: .sectionBefore(section),
        message: "attempt to perform a delete and a move from the same section (\(section))")
    }
    let rows = Set(batch.rows.moves.map(\.from))
    if let path = batch.leavingRows.first(where: rows.contains) {
      try refuse(
        .deleteAndMove, at: .rowBefore(path),
        message: "attempt to perform a delete and a move from the same index path (\(path.uiKit))")
    }
  }

  func checkDeleteBounds() throws(BatchError) {
    for section in batch.leavingSections where !before.indices.contains(section) {
      try refuse(
        .deleteOutOfBounds, at: .sectionBefore(section),
        message: "attempt to delete section \(section), but there are only \(before.count) sections before the update")
    }
    for path in batch.leavingRows where !before.contain(path) {
      let subject = "attempt to delete row \(path.row) from section \(path.section)"
      try refuse(
        .deleteOutOfBounds, at: .rowBefore(path),
        message: before.indices.contains(path.section)
          ? "\(subject) which only contains \(before[path.section]) rows before the update"
          : "\(subject), but there are only \(before.count) sections before the update")
    }
  }
}

// The rules that concern single operations at their destination: A7 and A8.
extension BatchValidator {
  func checkInsertsAgainstMoves() throws(BatchError) {
    guard !batch.sections.moves.isEmpty || !batch.rows.moves.isEmpty else { return }
    let sections = Set(batch.sections.moves.map(\.to))
    if let section = batch.sections.inserts.first(where: sections.contains) {
      try refuse(
        .insertAndMove, at: .sectionAfter(section),
        message: "attempt to perform an insert and a move to the same section (\(section))")
    }
    let rows = Set(batch.rows.moves.map(\.to))
    if let path = batch.rows.inserts.first(where: rows.contains) {
      try refuse(
        .insertAndMove, at: .rowAfter(path),
        message: "attempt to perform an insert and a move to the same index path (\(path.uiKit))")
    }
  }

  func checkInsertBounds() throws(BatchError) {
    for section in batch.sections.inserts where !after.indices.contains(section) {
      try refuse(
        .insertOutOfBounds, at: .sectionAfter(section),
        message: "attempt to insert section \(section) but there are only \(after.count) sections after the update")
    }
    for path in batch.rows.inserts where !after.contain(path) {
      let subject = "attempt to insert row \(path.row) into section \(path.section), but there are only"
      try refuse(
        .insertOutOfBounds, at: .rowAfter(path),
        message: after.indices.contains(path.section)
          ? "\(subject) \(after[path.section]) rows in section \(path.section) after the update"
          : "\(subject) \(after.count) sections after the update")
    }
  }
}

// The rules that concern operations on one thing twice, and content updates: A16 and A3.
extension BatchValidator {
  func checkDuplicateOperations() throws(BatchError) {
    try checkDuplicates("delete", batch.sections.deletes, at: { $0 }) { .sectionBefore($0) }
    try checkDuplicates("reload", batch.reloadedSections, at: { $0 }) { .sectionBefore($0) }
    try checkDuplicates("insert", batch.sections.inserts, at: { $0 }) { .sectionAfter($0) }
    try checkDuplicates("move", batch.sections.moves, at: { $0.from }) { .sectionBefore($0) }
    try checkDuplicates("update", batch.sections.updates, at: { $0.to }) { .sectionAfter($0) }
    try checkDuplicates("delete", batch.rows.deletes, at: { $0 }) { .rowBefore($0) }
    try checkDuplicates("reload", batch.reloadedRows, at: { $0 }) { .rowBefore($0) }
    try checkDuplicates("insert", batch.rows.inserts, at: { $0 }) { .rowAfter($0) }
    try checkDuplicates("move", batch.rows.moves, at: { $0.from }) { .rowBefore($0) }
    try checkDuplicates("update", batch.rows.updates, at: { $0.to }) { .rowAfter($0) }
  }

  private func checkDuplicates<Operation, Position: Hashable & Comparable>(
    _ verb: String, _ operations: [Operation], at position: (Operation) -> Position, place: (Position) -> BatchPlace
  ) throws(BatchError) {
    // Operations that are listed in order, as they are as a rule, need no set.
    if operations.count < 2 { return }
    if (1..<operations.count).allSatisfy({ position(operations[$0 - 1]) < position(operations[$0]) }) { return }
    var seen: Set<Position> = []
    guard let operation = operations.first(where: { !seen.insert(position($0)).inserted }) else { return }
    let place = place(position(operation))
    try refuse(.duplicateOperation, at: place, message: "the batch has the same \(verb) twice: \(place)")
  }

  func checkUpdates() throws(BatchError) {
    guard !batch.sections.updates.isEmpty || !batch.rows.updates.isEmpty else { return }
    let map = PathMap(batch.changes)
    for update in batch.sections.updates
    where !before.indices.contains(update.from) || !after.indices.contains(update.to)
      || map.after(section: update.from) != update.to
    {
      try refuse(
        .updateOutOfBounds, at: .sectionBefore(update.from), .sectionAfter(update.to),
        message:
          "attempt to update section \(update.from), \(update.to) after the update, that the batch does not take "
          + "there; there are \(before.count) sections before and \(after.count) after the update")
    }
    for update in batch.rows.updates
    where !before.contain(update.from) || !after.contain(update.to) || map.after(update.from) != update.to {
      try refuse(
        .updateOutOfBounds, at: .rowBefore(update.from), .rowAfter(update.to),
        message:
          "attempt to update the row at index path (\(update.from.uiKit)), (\(update.to.uiKit)) after the update, "
          + "that does not exist or that the batch does not take there")
    }
  }
}

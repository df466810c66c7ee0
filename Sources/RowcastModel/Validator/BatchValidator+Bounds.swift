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
        try refuse(
          .moveOutOfBounds, at: [.rowBefore(move.from)],
          message: "\(subject) that does not exist - \(Self.rows(around: move.from, before)) before the update")
      }
      if !after.contain(move.to) {
        try refuse(
          .moveOutOfBounds, at: [.rowBefore(move.from), .rowAfter(move.to)],
          message: "\(subject) to index path (\(move.to.uiKit)) that does not exist - "
            + "\(Self.rows(around: move.to, after)) after the update")
      }
    }
  }

  private static func sections(_ counts: RowCounts) -> String { "there are only \(counts.count) sections" }

  private static func rows(around path: RowPath, _ counts: RowCounts) -> String {
    "there are only \(counts.indices.contains(path.section) ? counts[path.section] : 0) rows in section \(path.section)"
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
}

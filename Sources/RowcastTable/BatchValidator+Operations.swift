import RowcastDiff

// The rules that concern single operations: A5 to A10, A16, and the bounds of content updates.
extension BatchValidator {
  func checkDeletesAgainstMoves() throws(BatchError) {
    let sections = Set(changes.sections.moves.map(\.from))
    if let section = changes.sections.deletes.first(where: sections.contains) {
      try refuse(.deleteAndMove, "attempt to perform a delete and a move from the same section (\(section))")
    }
    let rows = Set(changes.rows.moves.map(\.from))
    if let path = changes.rows.deletes.first(where: rows.contains) {
      try refuse(.deleteAndMove, "attempt to perform a delete and a move from the same index path (\(path.uiKit))")
    }
  }

  func checkDeleteBounds() throws(BatchError) {
    for section in changes.sections.deletes where !before.indices.contains(section) {
      try refuse(
        .deleteOutOfBounds,
        "attempt to delete section \(section), but there are only \(before.count) sections before the update")
    }
    for path in changes.rows.deletes where !before.contain(path) {
      let subject = "attempt to delete row \(path.row) from section \(path.section)"
      try refuse(
        .deleteOutOfBounds,
        before.indices.contains(path.section)
          ? "\(subject) which only contains \(before[path.section]) rows before the update"
          : "\(subject), but there are only \(before.count) sections before the update")
    }
  }

  func checkInsertsAgainstMoves() throws(BatchError) {
    let sections = Set(changes.sections.moves.map(\.to))
    if let section = changes.sections.inserts.first(where: sections.contains) {
      try refuse(.insertAndMove, "attempt to perform an insert and a move to the same section (\(section))")
    }
    let rows = Set(changes.rows.moves.map(\.to))
    if let path = changes.rows.inserts.first(where: rows.contains) {
      try refuse(.insertAndMove, "attempt to perform an insert and a move to the same index path (\(path.uiKit))")
    }
  }

  func checkInsertBounds() throws(BatchError) {
    for section in changes.sections.inserts where !after.indices.contains(section) {
      try refuse(
        .insertOutOfBounds,
        "attempt to insert section \(section) but there are only \(after.count) sections after the update")
    }
    for path in changes.rows.inserts where !after.contain(path) {
      let subject = "attempt to insert row \(path.row) into section \(path.section), but there are only"
      try refuse(
        .insertOutOfBounds,
        after.indices.contains(path.section)
          ? "\(subject) \(after[path.section]) rows in section \(path.section) after the update"
          : "\(subject) \(after.count) sections after the update")
    }
  }

  func checkMoveBounds() throws(BatchError) {
    for move in changes.sections.moves {
      if !before.indices.contains(move.from) {
        try refuse(
          .moveOutOfBounds,
          "attempt to move section \(move.from), but there are only \(before.count) sections before the update")
      }
      if !after.indices.contains(move.to) {
        try refuse(
          .moveOutOfBounds,
          "attempt to move section \(move.from) to section \(move.to), but there are only \(after.count) sections "
            + "after the update")
      }
    }
    for move in changes.rows.moves {
      if !before.contain(move.from) {
        let section = move.from.section
        let count = before.indices.contains(section) ? before[section] : 0
        try refuse(
          .moveOutOfBounds,
          "attempt to move index path (\(move.from.uiKit)) that does not exist - there are only \(count) rows in "
            + "section \(section) before the update")
      }
      if !after.contain(move.to) {
        let section = move.to.section
        let count = after.indices.contains(section) ? after[section] : 0
        try refuse(
          .moveOutOfBounds,
          "attempt to move index path (\(move.from.uiKit)) to index path (\(move.to.uiKit)) that does not exist - "
            + "there are only \(count) rows in section \(section) after the update")
      }
    }
  }

  func checkMovesAreOneToOne() throws(BatchError) {
    if let (source, first, second) = Self.conflict(changes.sections.moves, from: \.from, to: \.to) {
      try refuse(.ambiguousMove, "attempt to move section \(source) to both \(first) and \(second)")
    }
    if let (destination, first, second) = Self.conflict(changes.sections.moves, from: \.to, to: \.from) {
      try refuse(.ambiguousMove, "attempt to move both section \(first) and \(second) to \(destination)")
    }
    if let (source, first, second) = Self.conflict(changes.rows.moves, from: \.from, to: \.to) {
      try refuse(
        .ambiguousMove,
        "attempt to move row at index path \(source.uiKit) to both \(first.uiKit) and \(second.uiKit)")
    }
    if let (destination, first, second) = Self.conflict(changes.rows.moves, from: \.to, to: \.from) {
      try refuse(
        .ambiguousMove,
        "attempt to move both row at index path \(first.uiKit) and \(second.uiKit) to \(destination.uiKit)")
    }
  }

  /// The first key that two moves share although their values differ.
  private static func conflict<Move, Position: Hashable>(
    _ moves: [Move], from key: KeyPath<Move, Position>, to value: KeyPath<Move, Position>
  ) -> (key: Position, first: Position, second: Position)? {
    var known: [Position: Position] = [:]
    for move in moves {
      let second = move[keyPath: value]
      if let first = known.updateValue(second, forKey: move[keyPath: key]), first != second {
        return (move[keyPath: key], first, second)
      }
    }
    return nil
  }

  func checkDuplicateOperations() throws(BatchError) {
    try checkDuplicates("delete of section", changes.sections.deletes)
    try checkDuplicates("insert of section", changes.sections.inserts)
    try checkDuplicates("move of section", changes.sections.moves.map(\.from))
    try checkDuplicates("update of section", changes.sections.updates.map(\.to))
    try checkDuplicates("delete of row", changes.rows.deletes)
    try checkDuplicates("insert of row", changes.rows.inserts)
    try checkDuplicates("move of row", changes.rows.moves.map(\.from))
    try checkDuplicates("update of row", changes.rows.updates.map(\.to))
  }

  private func checkDuplicates(_ operation: String, _ positions: [some Hashable]) throws(BatchError) {
    if let position = positions.firstDuplicate {
      try refuse(.duplicateOperation, "the batch has the same \(operation) \(position) twice")
    }
  }

  func checkUpdateBounds() throws(BatchError) {
    for update in changes.sections.updates
    where !before.indices.contains(update.from) || !after.indices.contains(update.to) {
      try refuse(
        .updateOutOfBounds,
        "attempt to update section \(update.from), \(update.to) after the update, but there are only \(before.count) "
          + "sections before and \(after.count) after the update")
    }
    for update in changes.rows.updates where !before.contain(update.from) || !after.contain(update.to) {
      try refuse(
        .updateOutOfBounds,
        "attempt to update the row at index path (\(update.from.uiKit)), (\(update.to.uiKit)) after the update, "
          + "that does not exist")
    }
  }
}

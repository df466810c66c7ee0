import RowcastDiff

// The rules that concern moves: A9 and A10.
extension BatchValidator {
  func checkMoveBounds() throws(BatchError) {
    for move in batch.sections.moves {
      if !before.indices.contains(move.from) {
        try refuse(
          .moveOutOfBounds, at: .sectionBefore(move.from),
          message: "attempt to move section \(move.from), but there are only \(before.count) sections before the update"
        )
      }
      if !after.indices.contains(move.to) {
        try refuse(
          .moveOutOfBounds, at: .sectionBefore(move.from), .sectionAfter(move.to),
          message:
            "attempt to move section \(move.from) to section \(move.to), but there are only \(after.count) sections "
            + "after the update")
      }
    }
    for move in batch.rows.moves {
      if !before.contain(move.from) {
        let (section, count) = Self.section(of: move.from, in: before)
        try refuse(
          .moveOutOfBounds, at: .rowBefore(move.from),
          message:
            "attempt to move index path (\(move.from.uiKit)) that does not exist - there are only \(count) rows in "
            + "section \(section) before the update")
      }
      if !after.contain(move.to) {
        let (section, count) = Self.section(of: move.to, in: after)
        try refuse(
          .moveOutOfBounds, at: .rowBefore(move.from), .rowAfter(move.to),
          message:
            "attempt to move index path (\(move.from.uiKit)) to index path (\(move.to.uiKit)) that does not exist - "
            + "there are only \(count) rows in section \(section) after the update")
      }
    }
  }

  private static func section(of path: RowPath, in counts: RowCounts) -> (index: Int, rows: Int) {
    (path.section, counts.indices.contains(path.section) ? counts[path.section] : 0)
  }

  func checkMovesAreOneToOne() throws(BatchError) {
    try checkOneToOne(
      batch.sections.moves, of: "section", text: \.description,
      before: BatchPlace.sectionBefore, after: BatchPlace.sectionAfter)
    try checkOneToOne(
      batch.rows.moves, of: "row at index path", text: \.uiKit,
      before: BatchPlace.rowBefore, after: BatchPlace.rowAfter)
  }

  private func checkOneToOne<Position: Hashable>(
    _ moves: [Changeset<Position>.Transition], of subject: String, text: (Position) -> String,
    before: (Position) -> BatchPlace, after: (Position) -> BatchPlace
  ) throws(BatchError) {
    guard moves.count > 1 else { return }
    if let (source, first, second) = Self.conflict(moves, from: \.from, to: \.to) {
      try refuse(
        .ambiguousMove, at: before(source), after(first), after(second),
        message: "attempt to move \(subject) \(text(source)) to both \(text(first)) and \(text(second))")
    }
    if let (destination, first, second) = Self.conflict(moves, from: \.to, to: \.from) {
      try refuse(
        .ambiguousMove, at: before(first), before(second), after(destination),
        message: "attempt to move both \(subject) \(text(first)) and \(text(second)) to \(text(destination))")
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
}

import RowcastDiff

/// The operations of one stage for a view that has no sections and counts each operation from the one before:
/// removals, then moves one by one, then insertions.
struct FlatSteps {
  /// A move of one row. Both indexes count among the rows that are there at that step.
  typealias Move = Changeset<Int>.Transition

  /// Indexes before the stage, ascending.
  let removals: [Int]
  /// Moves in the order in which they are made, after the removals and before the insertions.
  let moves: [Move]
  /// Indexes after the stage, ascending.
  let insertions: [Int]

  /// Takes a stage: no section that it moves has row operations inside.
  ///
  /// - Complexity: O(k log k + m²) for k operations of which m are moves, the rows of moved sections included.
  init(_ changes: ListChanges, from before: FlatLayout, to after: FlatLayout) {
    let (sections, rows) = (changes.sections, changes.rows)
    let removals = before.indexes(ofRows: rows.deletes, sections: sections.deletes)
    let insertions = after.indexes(ofRows: rows.inserts, sections: sections.inserts)
    var moves: [Move] = []
    func move(_ from: Int, _ to: Int) {
      // Between the removals and the insertions only the survivors are there.
      moves.append(Move(from: from - removals.countLess(than: from), to: to - insertions.countLess(than: to)))
    }
    for row in rows.moves { move(before.index(of: row.from), after.index(of: row.to)) }
    for section in sections.moves {
      let (from, to) = (before.range(ofSection: section.from), after.range(ofSection: section.to))
      for row in 0..<from.count { move(from.lowerBound + row, to.lowerBound + row) }
    }
    (self.removals, self.insertions, self.moves) = (removals, insertions, Self.oneByOne(moves))
  }

  /// Moves whose indexes count before and after all of them, as moves that are made one by one.
  ///
  /// Rows are settled in the order of their destinations. A row's predecessor has then been settled before it, so the row is
  /// inserted directly after that: after `to` settled rows and those rows among them that still wait for their move.
  private static func oneByOne(_ moves: [Move]) -> [Move] {
    // The rows that wait, in their current order, each with the number of settled rows before it.
    var waiting = moves.inOrder { $0.from < $1.from }.enumerated()
      .map { (settledBefore: $1.from - $0, destination: $1.to) }
    var steps: [Move] = []
    for destination in moves.map(\.to).ascending {
      guard let position = waiting.firstIndex(where: { $0.destination == destination }) else { continue }
      let row = waiting.remove(at: position)
      let ahead = waiting.count { $0.settledBefore < destination }
      for index in waiting.indices where waiting[index].settledBefore >= destination {
        waiting[index].settledBefore += 1
      }
      let step = Move(from: row.settledBefore + position, to: destination + ahead)
      if step.from != step.to { steps.append(step) }
    }
    return steps
  }
}

extension FlatLayout {
  /// The indexes of some rows, and of some sections with their rows, in order.
  fileprivate func indexes(ofRows paths: [RowPath], sections: [Int]) -> [Int] {
    var indexes = paths.map { index(of: $0) }
    for section in sections { for index in range(ofSection: section) { indexes.append(index) } }
    return indexes.ascending
  }
}

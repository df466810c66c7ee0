import RowcastDiff

// The rules that no two operations share a place: A5, A7, A10 and A16.
extension BatchValidator {
  func deleteAgainstMove() -> BatchError? {
    let attempt = "perform a delete and a move from"
    return shared(.deleteAndMove, sections.deletes, sections.sources, attempt)
      ?? shared(.deleteAndMove, rows.deletes, rows.sources, attempt)
  }

  func insertAgainstMove() -> BatchError? {
    let attempt = "perform an insert and a move to"
    return shared(.insertAndMove, sections.inserts, sections.destinations, attempt)
      ?? shared(.insertAndMove, rows.inserts, rows.destinations, attempt)
  }

  /// Refuses the first place of some operations that others have as well.
  private func shared(
    _ rule: BatchRule, _ places: [BatchPlace], _ others: [BatchPlace], _ attempt: String
  ) -> BatchError? {
    if places.isEmpty || others.isEmpty { return nil }
    let others = Set(others)
    guard let place = places.first(where: { others.contains($0) }) else { return nil }
    return error(rule, at: [place], "attempt to \(attempt) the same \(place.noun) (\(place.position))")
  }

  func ambiguousMove() -> BatchError? {
    // UIKit names the noun once for rows, and each time for sections.
    ambiguousMove(sections.moves, of: "", each: "section ")
      ?? ambiguousMove(rows.moves, of: "row at index path ", each: "")
  }

  private func ambiguousMove(
    _ moves: [Changeset<BatchPlace>.Transition], of subject: String, each noun: String
  ) -> BatchError? {
    guard moves.count > 1 else { return nil }
    func text(_ place: BatchPlace) -> String { noun + place.position }
    // Each end of a move, and the other end of the first move that has it.
    var known: [BatchPlace: BatchPlace] = [:]
    for move in moves {
      guard let first = known.updateValue(move.to, forKey: move.from), first != move.to else { continue }
      return error(
        .ambiguousMove, at: [move.from, first, move.to],
        "attempt to move \(subject)\(text(move.from)) to both \(text(first)) and \(text(move.to))")
    }
    for move in moves {
      guard let first = known.updateValue(move.from, forKey: move.to), first != move.from else { continue }
      return error(
        .ambiguousMove, at: [first, move.from, move.to],
        "attempt to move both \(subject)\(text(first)) and \(text(move.from)) to \(text(move.to))")
    }
    return nil
  }

  func duplicateOperation() -> BatchError? { duplicate(in: sections) ?? duplicate(in: rows) }

  private func duplicate(in operations: Changeset<BatchPlace>) -> BatchError? {
    duplicate("delete", operations.deletes) ?? duplicate("insert", operations.inserts)
      ?? duplicate("move", operations.sources) ?? duplicate("update", operations.updates.map { $0.to })
  }

  private func duplicate(_ verb: String, _ places: [BatchPlace]) -> BatchError? {
    // Operations that are listed in order, as they are as a rule, need no set.
    if places.indices.dropFirst().allSatisfy({ places[$0 - 1] < places[$0] }) { return nil }
    var seen: Set<BatchPlace> = []
    guard let place = places.first(where: { !seen.insert($0).inserted }) else { return nil }
    return error(.duplicateOperation, at: [place], "the batch has the same \(verb) twice: \(place)")
  }
}

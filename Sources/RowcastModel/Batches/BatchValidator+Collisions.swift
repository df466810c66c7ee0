import RowcastDiff

// The rules that no two operations share a place: A4, A5, A7, A10 and A16.
extension BatchValidator {
  func deleteAgainstReload() -> BatchError? {
    let attempt = "delete and reload"
    return shared(.deleteAndReload, sections.deletes, sections.reloads, attempt)
      ?? shared(.deleteAndReload, rows.deletes, rows.reloads, attempt)
  }

  func deleteAgainstMove() -> BatchError? {
    let attempt = "perform a delete and a move from"
    return shared(.deleteAndMove, sections.leaving, sections.sources, attempt)
      ?? shared(.deleteAndMove, rows.leaving, rows.sources, attempt)
  }

  func insertAgainstMove() -> BatchError? { insertAgainstMove(sections.inserts, rows.inserts) }

  private func insertAgainstMove(_ insertedSections: [BatchPlace], _ insertedRows: [BatchPlace]) -> BatchError? {
    let attempt = "perform an insert and a move to"
    return shared(.insertAndMove, insertedSections, sections.destinations, attempt)
      ?? shared(.insertAndMove, insertedRows, rows.destinations, attempt)
  }

  /// A collection view takes a reload for a deletion and an insertion, and finds the place of the insertion from the other
  /// deletions and insertions: it forgets the moves, one of which may end there. See Instagram/IGListKit#690.
  func reloadAgainstMove() -> BatchError? {
    func section(_ place: BatchPlace) -> Int {
      Self.shifted(place.section, sections.deletes.map { $0.section }, sections.inserts.map { $0.section })
    }
    let reloadedRows = rows.reloads.map { place in
      let target = section(place)
      let deletes = rows.deletes.filter { $0.section == place.section }
      let inserts = rows.inserts.filter { $0.section == target }
      let row = Self.shifted(place.row ?? 0, deletes.map { $0.row ?? 0 }, inserts.map { $0.row ?? 0 })
      return BatchPlace.rowAfter(RowPath(section: target, row: row))
    }
    return insertAgainstMove(sections.reloads.map { .sectionAfter(section($0)) }, reloadedRows)
  }

  /// The index that a survivor has after some deletions and insertions.
  private static func shifted(_ index: Int, _ deletes: [Int], _ inserts: [Int]) -> Int {
    inserts.ascending.reduce(index - deletes.count { $0 < index }) { place, insert in
      insert <= place ? place + 1 : place
    }
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

  private func ambiguousMove(_ moves: [BatchOperations.Move], of subject: String, each noun: String) -> BatchError? {
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

  private func duplicate(in operations: BatchOperations) -> BatchError? {
    duplicate("delete", operations.deletes) ?? duplicate("reload", operations.reloads)
      ?? duplicate("insert", operations.inserts) ?? duplicate("move", operations.sources)
      ?? duplicate("update", operations.updates.map { $0.to })
  }

  private func duplicate(_ verb: String, _ places: [BatchPlace]) -> BatchError? {
    // Operations that are listed in order, as they are as a rule, need no set.
    if places.indices.dropFirst().allSatisfy({ places[$0 - 1].precedes(places[$0]) }) { return nil }
    var seen: Set<BatchPlace> = []
    guard let place = places.first(where: { !seen.insert($0).inserted }) else { return nil }
    return error(.duplicateOperation, at: [place], "the batch has the same \(verb) twice: \(place)")
  }
}

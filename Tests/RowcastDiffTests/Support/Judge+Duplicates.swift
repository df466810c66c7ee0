import RowcastDiff

extension Judge {
  /// Judges a flat difference of two lists in which ids may occur more than once.
  static func complaint(aboutDuplicates changes: Changeset<Int>, from old: [Item], to new: [Item]) -> String? {
    if let fault = mismatch(NaiveApplier.apply(changes, to: old, from: new), new) { return "leads elsewhere: \(fault)" }
    if changes.isEmpty != (old == new) { return "is \(changes.isEmpty ? "" : "not ")empty, against the lists" }
    let (before, after) = (occurrences(in: old), occurrences(in: new))
    let survivors = before.reduce(0) { $0 + min($1.value, after[$1.key] ?? 0) }
    if old.count - changes.deletes.count != survivors {
      return "deletes \(changes.deletes.count) of \(old.count), although \(survivors) can survive"
    }
    if new.count - changes.inserts.count != survivors {
      return "inserts \(changes.inserts.count) of \(new.count), although \(survivors) can survive"
    }
    let origins = origins(of: changes, oldCount: old.count, newCount: new.count)
    for (to, from) in origins.enumerated() where from >= 0 && old[from].id != new[to].id {
      return "pairs \(old[from]) at \(from) with \(new[to]) at \(to)"
    }
    let paired = origins.filter { $0 >= 0 }
    let moves = paired.count - Longest.byDealing(paired)
    return changes.moves.count == moves ? nil : "has \(changes.moves.count) moves, and its pairs need \(moves)"
  }

  /// Where each element of the new list stood in the old one, read out of a changeset; -1 for insertions.
  static func origins(of changes: Changeset<Int>, oldCount: Int, newCount: Int) -> [Int] {
    let old = (0..<oldCount).map { Item(id: $0) }
    let new = Array(repeating: Item(id: -1), count: newCount)
    let structure = Changeset(deletes: changes.deletes, inserts: changes.inserts, moves: changes.moves)
    return NaiveApplier.apply(structure, to: old, from: new)?.map(\.id) ?? []
  }

  private static func occurrences(in list: [Item]) -> [Int: Int] {
    Dictionary(list.map { ($0.id, 1) }, uniquingKeysWith: +)
  }
}

/// Returns the faults of a difference; nothing if it is right. Tests call `#expect` on the result, once.
enum Judge {
  /// Judges a flat difference of two lists, each without duplicate ids.
  static func complaint(about changes: Changeset<Int>, from old: [Item], to new: [Item]) -> String? {
    if let fault = mismatch(changes.applied(to: old, inserting: new), new) { return "is misapplied: \(fault)" }
    return complaint(about: ListChanges(ofRows: changes), from: [Shelf(0, old)], to: [Shelf(0, new)])
  }

  /// Judges the difference of two sectioned lists, each without duplicate ids.
  static func complaint(about changes: ListChanges, from old: [Shelf], to new: [Shelf]) -> String? {
    if let complaint = complaintAboutForm(changes.sections) ?? complaintAboutForm(changes.rows) { return complaint }
    if let fault = mismatch(NaiveApplier.apply(changes, to: old, from: new), new) { return "leads elsewhere: \(fault)" }
    if changes.isEmpty != (old == new) { return "is \(changes.isEmpty ? "" : "not ")empty, against the lists" }

    let oldSections = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.model.id, $0) })
    let newSections = Set(new.map(\.model.id))
    let surviving = new.compactMap { oldSections[$0.model.id] }
    let sections = Counts(
      old.count - surviving.count, new.count - surviving.count, moves: surviving.count - longestAscent(surviving),
      updates: new.count { shelf in oldSections[shelf.model.id].map { old[$0].model != shelf.model } ?? false })
    if Counts(changes.sections) != sections { return "sections: has \(Counts(changes.sections)), expected \(sections)" }

    var places: [Int: (section: Int, row: Item, index: Int)] = [:]
    for shelf in old where newSections.contains(shelf.model.id) {
      for (index, row) in shelf.rows.enumerated() { places[row.id] = (shelf.model.id, row, index) }
    }
    var rows = Counts(places.count, 0, moves: 0, updates: 0)
    for shelf in new where oldSections[shelf.model.id] != nil {
      let survivors = shelf.rows.compactMap { row in places[row.id].map { (before: $0, after: row) } }
      let stayers = survivors.filter { $0.before.section == shelf.model.id }.map(\.before.index)
      rows.deletes -= survivors.count
      rows.inserts += shelf.rows.count - survivors.count
      rows.moves += survivors.count - longestAscent(stayers)
      rows.updates += survivors.count { $0.before.row != $0.after }
    }
    return Counts(changes.rows) == rows ? nil : "rows: has \(Counts(changes.rows)), expected \(rows)"
  }

  /// Judges the order of the operations, and that none occurs twice.
  private static func complaintAboutForm<Position>(_ changes: Changeset<Position>) -> String? {
    func ascends(_ positions: [Position]) -> Bool { zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 } }
    guard ascends(changes.deletes), ascends(changes.inserts), ascends(changes.moves.map(\.to)),
      ascends(changes.updates.map(\.to))
    else { return "is not in ascending order" }
    let leaving = changes.deletes + changes.moves.map(\.from)
    let arriving = changes.inserts + changes.moves.map(\.to)
    return namesTwice(leaving) || namesTwice(arriving) ? "names a position twice" : nil
  }
}

extension Judge {
  /// Where a list that was led to first differs from the one it should be.
  static func mismatch<Element: Equatable>(_ list: [Element]?, _ expected: [Element]) -> String? {
    guard let list else { return "a position does not exist" }
    for (index, pair) in zip(list, expected).enumerated() where pair.0 != pair.1 {
      return "at \(index) stands \(pair.0), not \(pair.1)"
    }
    return list.count == expected.count ? nil : "there are \(list.count) elements, not \(expected.count)"
  }

  private static func namesTwice(_ positions: [some Hashable]) -> Bool {
    positions.count > 1 && Set(positions).count < positions.count
  }
}

/// How many operations of each kind there are.
struct Counts: Equatable {
  var (deletes, inserts, moves, updates) = (0, 0, 0, 0)

  init(_ deletes: Int, _ inserts: Int, moves: Int, updates: Int) {
    (self.deletes, self.inserts, self.moves, self.updates) = (deletes, inserts, moves, updates)
  }

  init(_ changes: Changeset<some Any>) {
    self.init(
      changes.deletes.count, changes.inserts.count, moves: changes.moves.count, updates: changes.updates.count)
  }
}

/// How many elements can stay: deals the values onto piles, as in the card game. The number of piles is the length.
func longestAscent(_ values: [Int]) -> Int {
  var tops: [Int] = []
  for value in values {
    var (low, high) = (0, tops.count)
    while low < high {
      let middle = (low + high) / 2
      if tops[middle] < value { low = middle + 1 } else { high = middle }
    }
    if low == tops.count { tops.append(value) } else { tops[low] = value }
  }
  return tops.count
}

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
    let moves = paired.count - longestAscent(paired)
    return changes.moves.count == moves ? nil : "has \(changes.moves.count) moves, and its pairs need \(moves)"
  }

  /// The old index of each element of the new list, read from a changeset; -1 for insertions.
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

/// What a changeset means, spelled out as slowly and plainly as possible: take out from high to low, put in from low to
/// high, set the contents. Shares nothing with the code under test.
enum NaiveApplier {
  /// Applies a flat changeset. Returns nothing if a position is out of range.
  static func apply(_ changes: Changeset<Int>, to old: [Item], from new: [Item]) -> [Item]? {
    apply(ListChanges(ofRows: changes), to: [Shelf(0, old)], from: [Shelf(0, new)])?[0].rows
  }

  /// Applies changes to a sectioned list. Returns nothing if a path is out of range or in an inserted or removed section.
  static func apply(_ changes: ListChanges, to old: [Shelf], from new: [Shelf]) -> [Shelf]? {
    let (sections, rows) = (changes.sections, changes.rows)
    let (gone, come) = (Set(sections.deletes), Set(sections.inserts))
    var shelves = old
    for path in (rows.deletes + rows.moves.map(\.from)).sorted().reversed() {
      guard shelves.indices.contains(path.section), shelves[path.section].rows.indices.contains(path.row),
        !gone.contains(path.section)
      else { return nil }
      shelves[path.section].rows.remove(at: path.row)
    }
    let moving = sections.moves.map { (to: $0.to, shelf: shelves[$0.from]) }
    for index in (sections.deletes + sections.moves.map(\.from)).sorted().reversed() { shelves.remove(at: index) }
    let arrivingShelves = moving + sections.inserts.map { (to: $0, shelf: new[$0]) }
    for arrival in arrivingShelves.sorted(by: { $0.to < $1.to }) {
      guard arrival.to <= shelves.count else { return nil }
      shelves.insert(arrival.shelf, at: arrival.to)
    }
    for update in sections.updates { shelves[update.to].model = new[update.to].model }

    var arrivals = rows.inserts.map { (to: $0, row: new[$0.section].rows[$0.row]) }
    arrivals += rows.moves.map { (to: $0.to, row: old[$0.from.section].rows[$0.from.row]) }
    for arrival in arrivals.sorted(by: { $0.to < $1.to }) {
      guard shelves.indices.contains(arrival.to.section), !come.contains(arrival.to.section),
        arrival.to.row <= shelves[arrival.to.section].rows.count
      else { return nil }
      shelves[arrival.to.section].rows.insert(arrival.row, at: arrival.to.row)
    }
    for update in rows.updates {
      let row = new[update.to.section].rows[update.to.row]
      // The same element must be at both ends, with another content.
      guard shelves[update.to.section].rows[update.to.row].id == row.id, !come.contains(update.to.section),
        old[update.from.section].rows[update.from.row] != row
      else { return nil }
      shelves[update.to.section].rows[update.to.row] = row
    }
    return shelves
  }
}

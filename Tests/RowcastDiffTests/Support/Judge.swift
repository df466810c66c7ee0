import RowcastDiff

/// Says what is wrong with a difference; nothing if all is well. Tests call `#expect` on what it says, once.
enum Judge {
  /// Judges a flat difference of two lists, each without duplicate ids.
  static func complaint(
    about changes: Changeset<Int>, from old: [Item], to new: [Item], longest: ([Int]) -> Int
  ) -> String? {
    if let complaint = complaintAboutForm(changes) { return complaint }
    if let fault = mismatch(NaiveApplier.apply(changes, to: old, from: new), new) { return "leads elsewhere: \(fault)" }
    if let fault = mismatch(changes.applied(to: old, inserting: new), new) { return "is misapplied: \(fault)" }
    if changes.isEmpty != (old == new) { return "is \(changes.isEmpty ? "" : "not ")empty, against the lists" }
    let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.id, $0) })
    let survivors = new.compactMap { places[$0.id] }
    let expected = Counts(
      deletes: old.count - survivors.count, inserts: new.count - survivors.count,
      moves: survivors.count - longest(survivors),
      updates: new.count { row in places[row.id].map { old[$0] != row } ?? false })
    let counts = Counts(changes)
    return counts == expected ? nil : "has \(counts), expected \(expected)"
  }

  /// Judges the difference of two sectioned lists, each without duplicate ids.
  static func complaint(
    about changes: ListChanges, from old: [Shelf], to new: [Shelf], longest: ([Int]) -> Int
  ) -> String? {
    if let complaint = complaintAboutForm(changes.sections) ?? complaintAboutForm(changes.rows) { return complaint }
    if let fault = mismatch(NaiveApplier.apply(changes, to: old, from: new), new) { return "leads elsewhere: \(fault)" }
    if changes.isEmpty != (old == new) { return "is \(changes.isEmpty ? "" : "not ")empty, against the lists" }

    let oldSections = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.model.id, $0) })
    let newSections = Set(new.map(\.model.id))
    let surviving = new.compactMap { oldSections[$0.model.id] }
    let sections = Counts(
      deletes: old.count - surviving.count, inserts: new.count - surviving.count,
      moves: surviving.count - longest(surviving),
      updates: new.count { shelf in oldSections[shelf.model.id].map { old[$0].model != shelf.model } ?? false })
    if Counts(changes.sections) != sections { return "sections: has \(Counts(changes.sections)), expected \(sections)" }

    var places: [Int: (section: Int, row: Item, index: Int)] = [:]
    for shelf in old where newSections.contains(shelf.model.id) {
      for (index, row) in shelf.rows.enumerated() { places[row.id] = (shelf.model.id, row, index) }
    }
    var rows = Counts(deletes: places.count, inserts: 0, moves: 0, updates: 0)
    for shelf in new where oldSections[shelf.model.id] != nil {
      let survivors = shelf.rows.compactMap { row in places[row.id].map { (before: $0, after: row) } }
      let stayers = survivors.filter { $0.before.section == shelf.model.id }.map(\.before.index)
      rows.deletes -= survivors.count
      rows.inserts += shelf.rows.count - survivors.count
      rows.moves += survivors.count - longest(stayers)
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
  var deletes: Int
  var inserts: Int
  var moves: Int
  var updates: Int
}

extension Counts {
  init(_ changes: Changeset<some Any>) {
    self.init(
      deletes: changes.deletes.count, inserts: changes.inserts.count, moves: changes.moves.count,
      updates: changes.updates.count)
  }
}

/// Two independent ways to know how many elements can stay.
enum Longest {
  /// Tries every subsequence.
  static func byTrying(_ values: [Int]) -> Int { byTrying(values[...], above: .min) }

  private static func byTrying(_ values: ArraySlice<Int>, above floor: Int) -> Int {
    guard let first = values.first else { return 0 }
    let without = byTrying(values.dropFirst(), above: floor)
    return first > floor ? max(without, 1 + byTrying(values.dropFirst(), above: first)) : without
  }

  /// Deals the values onto piles, as in the card game: the number of piles is the length.
  static func byDealing(_ values: [Int]) -> Int {
    var tops: [Int] = []
    for value in values {
      var low = 0
      var high = tops.count
      while low < high {
        let middle = (low + high) / 2
        if tops[middle] < value { low = middle + 1 } else { high = middle }
      }
      if low == tops.count { tops.append(value) } else { tops[low] = value }
    }
    return tops.count
  }
}

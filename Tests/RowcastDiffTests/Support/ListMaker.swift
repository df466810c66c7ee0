import Testing

/// Makes random pairs of lists of the kinds that the differ treats differently.
struct ListMaker {
  var random: SeededGenerator

  /// Draws lists until something is wrong with them. Most are short, some long enough for every means that the differ has.
  static func drive(
    _ name: String, rounds: Int, long: Int, _ complaint: (_ maker: inout ListMaker, _ limit: Int) -> String?
  ) {
    var maker = ListMaker(random: .forFuzzing(name))
    for round in 0..<SeededGenerator.rounds(rounds, long: long) {
      if let complaint = complaint(&maker, round % 25 == 0 ? 500 : round % 5 == 0 ? 120 : 12) {
        Issue.record("round \(round), seed \(maker.random.seed): \(complaint)")
        return
      }
    }
  }

  /// A list and what a few random edits make of it: no id twice.
  mutating func pair(upTo limit: Int) -> (old: [Item], new: [Item]) {
    let count = Int.random(in: 0...limit, using: &random)
    // Ids in random order, so that no order of numbers helps.
    var ids = Array(0..<count * 2).shuffled(using: &random)
    let old = ids.prefix(count).map { Item(id: $0) }
    ids.removeFirst(count)
    var new = old
    for _ in 0..<Int.random(in: 0...4, using: &random) { edit(&new, fresh: &ids) }
    if Bool.random(using: &random) { touch(&new) }
    return (old, new)
  }

  /// Two lists of few ids, each of which may occur several times.
  mutating func duplicates(upTo limit: Int) -> (old: [Item], new: [Item]) {
    let kinds = Int.random(in: 1...max(1, limit / 2), using: &random)
    func list() -> [Item] {
      (0..<Int.random(in: 0...limit, using: &random)).map { _ in Item(id: Int.random(in: 0..<kinds, using: &random)) }
    }
    let old = list()
    if Bool.random(using: &random) { return (old, list()) }
    var new = old
    var fresh = (0..<limit).map { _ in Int.random(in: 0..<kinds, using: &random) }
    for _ in 0..<Int.random(in: 0...4, using: &random) { edit(&new, fresh: &fresh) }
    touch(&new)
    return (old, new)
  }

  /// A sectioned list and what random edits of rows and sections make of it: no id twice.
  mutating func shelves(upTo limit: Int) -> (old: [Shelf], new: [Shelf]) {
    let (before, after) = pair(upTo: limit)
    let sections = Int.random(in: 1...6, using: &random)
    let old = cut(before, into: (0..<sections).map { Shelf($0) })
    var new = old
    switch Int.random(in: 0..<3, using: &random) {
    case 0: new = cut(after, into: (0..<sections).map { Shelf($0) })
    case 1: new = cut(after, into: (2..<sections + 2).shuffled(using: &random).map { Shelf($0) })
    default: carry(Int.random(in: 0...10, using: &random), in: &new)
    }
    if Bool.random(using: &random) { new.shuffle(using: &random) }
    for index in new.indices where Int.random(in: 0..<8, using: &random) == 0 { new[index].model.content = 1 }
    return (old, new)
  }

  /// Moves rows one by one to random places in random sections.
  private mutating func carry(_ count: Int, in shelves: inout [Shelf]) {
    for _ in 0..<count {
      if shelves.isEmpty { return }
      let from = Int.random(in: 0..<shelves.count, using: &random)
      guard !shelves[from].rows.isEmpty else { continue }
      let row = shelves[from].rows.remove(at: Int.random(in: 0..<shelves[from].rows.count, using: &random))
      let to = Int.random(in: 0..<shelves.count, using: &random)
      shelves[to].rows.insert(row, at: Int.random(in: 0...shelves[to].rows.count, using: &random))
    }
  }

  private mutating func cut(_ rows: [Item], into shelves: [Shelf]) -> [Shelf] {
    let borders = [0] + (1..<shelves.count).map { _ in Int.random(in: 0...rows.count, using: &random) }.sorted()
    var result = shelves
    for (index, border) in borders.enumerated() {
      result[index].rows = Array(rows[border..<(index + 1 < borders.count ? borders[index + 1] : rows.count)])
    }
    return result
  }

  /// Deletes, inserts, moves, shuffles, replaces or reverses something.
  private mutating func edit(_ list: inout [Item], fresh: inout [Int]) {
    let first = Int.random(in: 0...list.count, using: &random)
    // Short stretches and long ones alike.
    let most = Bool.random(using: &random) ? 4 : list.count
    let range = first..<min(list.count, first + Int.random(in: 0...max(1, most), using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: list.removeSubrange(range)
    case 1: list.insert(contentsOf: take(range.count, of: &fresh), at: first)
    case 2: list.replaceSubrange(range, with: take(range.count, of: &fresh))
    case 3:
      let moved = Array(list[range])
      list.removeSubrange(range)
      list.insert(contentsOf: moved, at: Int.random(in: 0...list.count, using: &random))
    case 4: list[range].shuffle(using: &random)
    case 5: list[range].reverse()
    case 6: for index in range where index % 3 == 0 { list[index].id = fresh.popLast() ?? list[index].id }
    default: list.removeAll { _ in Int.random(in: 0..<20, using: &random) == 0 }
    }
  }

  private func take(_ count: Int, of fresh: inout [Int]) -> [Item] {
    let taken = fresh.suffix(count).map { Item(id: $0) }
    fresh.removeLast(taken.count)
    return taken
  }

  private mutating func touch(_ list: inout [Item]) {
    let every = Int.random(in: 1...20, using: &random)
    for index in list.indices where Int.random(in: 0..<every, using: &random) == 0 { list[index].content = 1 }
  }
}

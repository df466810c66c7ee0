import Testing

@Suite(.watched) struct ExhaustiveTests {
  /// Ids may be renamed at will, so that the old list can always count from 0: that leaves time for a sixth id.
  @Test func `every pair of lists over six ids is told apart with the fewest operations`() {
    let lists = Combinatorics.arrangements(of: 6).map { $0.map { Item(id: $0) } }
    for count in 0...6 {
      for list in lists { expectNoComplaint(from: (0..<count).map { Item(id: $0) }, to: list) }
    }
  }

  /// The same of every content.
  @Test func `every change of content is found in every pair of lists over five ids`() {
    let lists = Combinatorics.arrangements(of: 5)
    for count in 0...5 {
      let old = (0..<count).map { Item(id: $0) }
      for list in lists {
        let survivors = list.indices.filter { list[$0] < count }
        for changed in 1..<(1 << survivors.count) where survivors.count > 0 {
          var new = list.map { Item(id: $0) }
          for (bit, index) in survivors.enumerated() where changed & (1 << bit) != 0 { new[index].content = 1 }
          expectNoComplaint(from: old, to: new)
        }
      }
    }
  }

  private func expectNoComplaint(from old: [Item], to new: [Item]) {
    let changes = Changeset(from: old, to: new)
    if let complaint = Judge.complaint(about: changes, from: old, to: new) {
      Issue.record("\(old.map(\.id)) to \(new.map(\.id)) \(complaint): \(changes)")
    }
  }
}

@Suite(.watched) struct SectionedExhaustiveTests {
  /// Ids may be renamed at will: the old list counts its sections and its rows from 0.
  private static func canonical(sections: Int, rows: Int) -> [[Shelf]] {
    (0...sections).flatMap { sections in
      (0...(sections == 0 ? 0 : rows)).flatMap { rows in
        Combinatorics.cuts(of: Array(0..<rows), into: sections).map { slices in
          zip(0..<sections, slices).map { Shelf($0, $1.map { Item(id: $0) }) }
        }
      }
    }
  }

  /// The numbers of sections and rows: four rows in three sections take minutes on slow machines.
  static let sizes = SeededGenerator.rounds(0, long: 1) == 1 ? [(3, 4)] : [(2, 4), (3, 3)]

  @Test(arguments: sizes)
  func `every pair of lists of a few rows in a few sections is told apart with the fewest operations`(
    sections: Int, rows: Int
  ) {
    let lists = Combinatorics.shelves(sections: sections, rows: rows)
    for old in Self.canonical(sections: sections, rows: rows) {
      let (sectionCount, rowCount) = (old.count, old.reduce(0) { $0 + $1.rows.count })
      // Ids that the old list has not are alike: of all ways to name them in the new one, one is enough.
      for new in lists
      where Self.countsUp(new.map(\.model.id), from: sectionCount)
        && Self.countsUp(new.flatMap { $0.rows.map(\.id) }, from: rowCount)
      {
        let changes = ListChanges(of: old, new)
        if let complaint = Judge.complaint(about: changes, from: old, to: new) {
          Issue.record("\(old) to \(new) \(complaint): \(changes)")
        }
      }
    }
  }

  private static func countsUp(_ ids: [Int], from first: Int) -> Bool {
    let others = ids.filter { $0 >= first }
    return others == Array(first..<first + others.count)
  }
}

@Suite(.watched) struct PreferenceTests {
  /// The smallest sets of rows that have to move, by trying all, as sets of ids.
  private static func smallestSets(from old: [Item], to new: [Item]) -> [Set<Int>] {
    let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.id, $0) })
    let survivors = new.filter { places[$0.id] != nil }
    var best: [Set<Int>] = []
    for chosen in 0..<(1 << survivors.count) {
      let staying = survivors.indices.filter { chosen & (1 << $0) == 0 }.compactMap { places[survivors[$0].id] }
      guard zip(staying, staying.dropFirst()).allSatisfy({ $0 < $1 }) else { continue }
      let moving = Set(survivors.indices.filter { chosen & (1 << $0) != 0 }.map { survivors[$0].id })
      if let count = best.first?.count, moving.count > count { continue }
      if let count = best.first?.count, moving.count < count { best = [] }
      best.append(moving)
    }
    return best
  }

  @Test func `of all smallest sets one with the most changed rows is told, and of these one that went farthest`() {
    let old = (0..<5).map { Item(id: $0) }
    for order in Combinatorics.arrangements(of: 5) where order.count == 5 {
      for contents in 0..<32 {
        let new = order.map { Item(id: $0, content: contents & (1 << $0) == 0 ? 0 : 1) }
        let moves = Changeset(from: old, to: new).moves
        func score(_ moving: Set<Int>) -> [Int] {
          let ways = order.enumerated().filter { moving.contains($1) }.map { $0 - $1 }
          return [
            moving.count { contents & (1 << $0) != 0 }, ways.reduce(0) { $0 + abs($1) }, ways.count { $0 > 0 },
          ]
        }
        // Ways are counted inside of the elements out of order, where nothing else is inserted or removed.
        let best = Self.smallestSets(from: old, to: new).map(score).max { $0.lexicographicallyPrecedes($1) }
        let told = score(Set(moves.map { old[$0.from].id }))
        if best != told { Issue.record("\(order), contents \(contents): \(moves) has \(told), not \(best ?? [])") }
      }
    }
  }

  @Test func `the choice is made in each place of a long list, among changes all over it`() {
    let old = (0..<2_000).map { Item(id: $0) }
    var new = old
    for start in stride(from: 0, to: 2_000, by: 20) {
      new.swapAt(start, start + 1)
      new[start].content = 1
      new.swapAt(start + 10, start + 11)
      new[start + 11].content = 1
    }
    let expected = stride(from: 0, to: 2_000, by: 20).flatMap { [$0 + 1, $0 + 10] }
    #expect(Set(Changeset(from: old, to: new).moves.map(\.from)) == Set(expected))
  }
}

@Suite(.watched) struct DuplicateTests {
  @Test func `every pair of lists of up to four of three ids leads to the new list, and as many survive as can`() {
    let lists = Combinatorics.words(over: 3, upTo: 4).map { $0.map { Item(id: $0) } }
    for old in lists {
      for new in lists {
        let changes = Changeset(from: old, to: new)
        if let complaint = Judge.complaint(aboutDuplicates: changes, from: old, to: new) {
          Issue.record("\(old.map(\.id)) to \(new.map(\.id)) \(complaint): \(changes)")
        }
      }
    }
  }

  @Test func `equal ids that are left for hashing are paired in order: the first with the first`() {
    // Fresh ids on all sides, so that no two have the same neighbours.
    let old = [9, 9, 9] + Array(100..<130)
    let new = Array(200..<230) + [9] + Array(300..<330) + [9, 9] + Array(400..<430)
    let changes = Changeset(fromIDs: old, toIDs: new)
    let origins = Judge.origins(of: changes, oldCount: old.count, newCount: new.count)
    #expect(origins.filter { $0 >= 0 } == [0, 1, 2])
    #expect(changes.moves.isEmpty)
  }

  @Test(arguments: Order.allCases)
  func `twenty thousand rows of ten ids cost a bounded number of comparisons for each row`(order: Order) {
    var random = SeededGenerator(seed: 11)
    let old = (0..<20_000).map { _ in Int.random(in: 0..<10, using: &random) }
    let tally = Tally()
    _ = tally.ofDifference(from: old, to: order.apply(to: old, &random))
    #expect(tally.idComparisons <= 30 * 40_000)
    #expect(tally.hashes <= 40_000 + 2_000)
    #expect(tally.contentComparisons <= 20_000)
  }

  /// Ways to make the second list out of the first.
  enum Order: CaseIterable {
    case shuffled, reversed, sorted, rotated, others, periodic, thinned

    func apply(to list: [Int], _ random: inout SeededGenerator) -> [Int] {
      switch self {
      case .shuffled: list.shuffled(using: &random)
      case .reversed: list.reversed()
      case .sorted: list.sorted()
      case .rotated: Array(list[7_000...] + list[..<7_000])
      case .others: list.map { $0 + 5 }
      case .periodic: list.indices.map { $0 % 10 }
      case .thinned: list.enumerated().filter { $0.offset % 40 < 20 }.map(\.element)
      }
    }
  }

  @Test func `a block that is taken out or put in is told as such, whatever ids occur twice`() {
    for list in Combinatorics.words(over: 3, upTo: 6) {
      for start in 0...list.count {
        for end in start...list.count {
          let rest = Array(list[..<start] + list[end...])
          let (deletion, insertion) = (Changeset(fromIDs: list, toIDs: rest), Changeset(fromIDs: rest, toIDs: list))
          if deletion.count != end - start || deletion.deletes.count != end - start {
            Issue.record("\(list) without \(start)..<\(end): \(deletion)")
          }
          if insertion.count != end - start || insertion.inserts.count != end - start {
            Issue.record("\(list) with \(start)..<\(end): \(insertion)")
          }
        }
      }
    }
  }
}

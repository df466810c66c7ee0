import Testing

/// What one change in a long list costs, counted.
@Suite(.watched) struct WorkTests {
  let rows = Array(0..<100_000)
  let tally = Tally()

  /// An edit, the difference that it makes, the most comparisons of ids, and the comparisons of contents.
  typealias Edit = (
    edit: @Sendable (inout [Int]) -> Void, changes: Changeset<Int>, ids: Int, contents: Int
  )

  static let edits: [Edit] = [
    ({ _ in }, Changeset(), 100_000, 100_000),
    ({ $0.remove(at: 40_000) }, Changeset(deletes: [40_000]), 100_010, 99_999),
    ({ $0.insert(-1, at: 40_000) }, Changeset(inserts: [40_000]), 100_010, 100_000),
    ({ $0[40_000] = -1 }, Changeset(deletes: [40_000], inserts: [40_000]), 100_010, 99_999),
    (
      { $0.insert($0.remove(at: 70_000), at: 30_000) }, Changeset(moves: [.init(from: 70_000, to: 30_000)]), 100_020,
      100_000
    ),
    (
      { $0.insert(contentsOf: 200_000..<201_000, at: 50_000) }, Changeset(inserts: Array(50_000..<51_000)), 100_100,
      100_000
    ),
  ]

  @Test(arguments: edits.indices)
  func `an edit compares each content once, the ids hardly more often, and hashes nothing`(number: Int) {
    let (edit, expected, ids, contents) = Self.edits[number]
    var new = rows
    edit(&new)
    #expect(tally.ofDifference(from: rows, to: new) == expected)
    #expect(tally.idComparisons <= ids)
    #expect(tally.contentComparisons == contents && tally.hashes == 0)
  }

  @Test func `blocks behind shuffled rows are followed: hardly more is hashed than what was shuffled and edited`() {
    var random = SeededGenerator.forFuzzing("blocks behind shuffled rows")
    // Twice, as a search that has met many single rows looks at fewer of those behind them.
    var new = rows
    new[..<4_000].shuffle(using: &random)
    new[50_000..<54_000].shuffle(using: &random)
    new.replaceSubrange(20_000..<21_000, with: [])
    new.replaceSubrange(70_000..<70_000, with: 200_000..<201_000)
    let changes = tally.ofDifference(from: rows, to: new)
    #expect(changes.deletes.count == 1_000 && changes.inserts.count == 1_000, "seed \(random.seed)")
    // 9,000 on either side, and one in 32 of all as an anchor.
    #expect(tally.hashes <= 2 * 9_000 + 100_000 / 32 + 2_000, "seed \(random.seed)")
  }

  @Test func `one row that changed its section hashes nothing`() {
    let old = (0..<100).map { section in rows[section * 1_000..<(section + 1) * 1_000].map { tally.row($0) } }
    var new = old
    new[80].insert(new[20].remove(at: 500), at: 500)
    let sections = (0..<100).map { Item(id: $0) }
    let changes = ListChanges(from: sections, rows: old, to: sections, rows: new)
    #expect(
      changes.rows
        == Changeset(moves: [.init(from: RowPath(section: 20, row: 500), to: RowPath(section: 80, row: 500))]))
    #expect(tally.idComparisons <= 100_020)
    #expect(tally.contentComparisons == 100_000)
    #expect(tally.hashes == 0)
  }

  @Test(arguments: [1, -1]) func `an index outside of scratch memory in use stops the process`(index: Int) async {
    await #expect(processExitsWith: .failure) { [index] in
      withScratch { scratch in
        var numbers = scratch.array(of: Int.self)
        numbers.append(7)
        print(numbers[index])
      }
    }
  }
}

extension Tally {
  func row(_ id: Int) -> CountingRow { CountingRow(id: CountingID(value: id, tally: self)) }

  /// The difference of two lists of rows with these ids, whose operations count here, and contents of the new ones.
  func ofDifference(from old: [Int], to new: [Int], content: (Int) -> Int = { _ in 0 }) -> Changeset<Int> {
    Changeset(
      from: old.map { row($0) }, to: new.map { CountingRow(id: row($0).id, content: content($0)) })
  }
}

@Suite(.watched) struct ShapeTests {
  @Test(arguments: Shape.allCases)
  func `a long list of every shape takes the fewest moves, and bounded comparisons and hashes`(shape: Shape) {
    let (old, new) = shape.ids(count: 20_000)
    let tally = Tally()
    let changes = tally.ofDifference(from: old, to: new) { $0 % 500 == 0 ? 1 : 0 }
    #expect(changes.applied(to: old, inserting: new) == new)
    if shape != .allEqualIDs {
      // The old list of each shape counts from 0 on.
      let survivors = new.filter { $0 < old.count }
      #expect(changes.moves.count == survivors.count - longestAscent(survivors))
      #expect(changes.updates.map { new[$0.to] } == survivors.filter { $0 % 500 == 0 })
    }
    let rows = old.count + new.count
    let most = shape.bounds(count: 20_000)
    #expect(tally.idComparisons <= most.comparisons ?? 30 * rows)
    #expect(tally.hashes <= most.hashes ?? rows + rows / 16)
    // A row that has changed is compared with itself, too.
    #expect(tally.contentComparisons <= min(old.count, new.count) + changes.updates.count)
  }
}

import Testing

/// Maps that are made of changes and both lists.
@Suite(.watched) struct PathMapTests {
  @Test func `a map of two lists knows where every row is, on both sides, sections that come and go included`() throws {
    var random = SeededGenerator.forFuzzing("maps of lists")
    var crossed = 0
    for round in 0..<SeededGenerator.rounds(120, long: 100_000) {
      let before = try TestSnapshot.random(sections: 4, rows: 12, using: &random)
      let after = try regrouped(before, round, using: &random)
      let changes = before.changes(to: after)
      let map = PathMap(changes, from: before, to: after)
      let (old, new) = (places(of: before), places(of: after))
      let note: Comment = "round \(round), seed \(random.seed): \(NaiveList(before)) to \(NaiveList(after))"
      for (index, (path, id)) in old.enumerated() {
        try #require(map.destination(of: path) == new.first { $0.id == id }?.path, note)
        // Itself, else the next that is left, else the last before that is.
        let nearest = (old[index...] + old[..<index].reversed()).lazy
          .compactMap { old in new.first { $0.id == old.id }?.path }.first
        try #require(map.destination(nearestTo: path, inSectionsOf: before.rowCounts) == nearest, note)
      }
      for (path, id) in new { try #require(map.origin(of: path) == old.first { $0.id == id }?.path, note) }
      crossed += map.crossings.reduce(0) { $0 + $1.count }
    }
    #expect(crossed > 300, "seed \(random.seed)")
  }

  /// Another list: one at random, or the same rows in other sections, some of them in another order.
  private func regrouped(
    _ list: TestSnapshot, _ round: Int, using random: inout SeededGenerator
  ) throws -> TestSnapshot {
    if round % 3 == 0 { return try .random(sections: 4, rows: 12, using: &random) }
    var rows = list.allRows.filter { _ in Int.random(in: 0..<9, using: &random) > 0 }
    if round % 3 == 1 { rows.shuffle(using: &random) }
    let cut = Int.random(in: 0...rows.count, using: &random)
    return try TestSnapshot([
      ListSection(TestSection("n"), rows: Array(rows[..<cut])),
      ListSection(TestSection(list.sectionCount > 0 ? list.section(at: 0).id : "m"), rows: Array(rows[cut...])),
    ])
  }

  private func places(of list: TestSnapshot) -> [(path: RowPath, id: Int)] {
    (0..<list.sectionCount).flatMap { section in
      list.rows(inSection: section).enumerated().map { (RowPath(section: section, row: $0), $1.id) }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `rows that cross in order are neighbours in one stretch, and none of their ids is hashed`() throws {
    let (counts, rows) = (Counts(), 1_000)
    let (before, after) = (counts.list((0, 0..<rows)), counts.list((1, 10..<500), (2, 500..<rows)))
    let changes = before.changes(to: after)
    let hashed = counts.hashes.value
    let map = PathMap(changes, from: before, to: after)
    #expect(map.crossings.map(\.count) == [490, 500])
    // The first row of the section before is not the first of the section after, so one search begins.
    #expect(counts.hashes.value - hashed <= rows + 1)
    let same = counts.list((1, 0..<rows))
    let renamed = before.changes(to: same)
    let start = counts.hashes.value
    #expect(PathMap(renamed, from: before, to: same).crossings.map(\.count) == [rows] && counts.hashes.value == start)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `no row is read where rows only come, only go, or cross between sections that stay`() throws {
    let counts = Counts()
    func readsOfMap(_ before: ListSnapshot<Group, Row>, _ after: ListSnapshot<Group, Row>) -> Int {
      let changes = before.changes(to: after)
      let start = counts.reads.value
      _ = PathMap(changes, from: before, to: after)
      return counts.reads.value - start
    }
    let two = counts.list((0, 0..<100), (1, 100..<200))
    #expect(readsOfMap(two, counts.list((0, 0..<100))) == 0)
    #expect(readsOfMap(counts.list((0, 0..<100)), two) == 0)
    #expect(readsOfMap(two, counts.list((0, 0..<150), (1, 150..<200))) == 0)
    // 100 rows are removed, and one is inserted.
    #expect(readsOfMap(two, counts.list((0, 0..<101))) <= 101)
  }

  private struct Group: SectionViewModel { let id: Int }

  /// How often rows are asked for their ids, and these are hashed.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct Counts {
    let hashes = CallCount()
    let reads = CallCount()

    func list(_ sections: (Int, Range<Int>)...) -> ListSnapshot<Group, Row> {
      ListSnapshot(
        unchecked: sections.map { group, ids in
          ListSection(Group(id: group), rows: ids.map { Row(name: .init(number: $0, hashes: hashes), reads: reads) })
        })
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct Row: RowViewModel {
    struct ID: Hashable, Sendable {
      let number: Int
      let hashes: CallCount

      static func == (lhs: ID, rhs: ID) -> Bool { lhs.number == rhs.number }
      func hash(into hasher: inout Hasher) { hashes.note(number.hash(into: &hasher)) }
    }

    let name: ID
    let reads: CallCount

    var id: ID { reads.note(name) }
    static func == (lhs: Row, rhs: Row) -> Bool { lhs.name == rhs.name }
  }
}

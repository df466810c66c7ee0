import Testing

@testable import RowcastModel

@Suite(.watched) struct SnapshotTests {
  @Test func `the first update of a list reads no row, however the list was made`() throws {
    let built = TestSnapshot(
      unchecked: (0..<40).map { section in
        ListSection(TestSection("s\(section)"), rows: (0..<100).map { TestRow(100 * section + $0) })
      })
    for list in [built, ListDraft(built).snapshot] {
      #expect(TestSnapshot().work(to: list).rows == 0)
      #expect(list.work(to: TestSnapshot()).rows == 0)
      #expect(ListUpdate(initial: list, revision: 0).changes.sections.inserts == Array(0..<40))
      #expect(list.changes(to: TestSnapshot()).sections.deletes == Array(0..<40))
      #expect(list.work(to: built.applying(ListChanges(), inserting: built)).rows <= 8_000)
    }
  }

  @Test func `lists that are made one after the other are not taken for versions of one list`() throws {
    var lineages: Set<UInt64> = []
    // Each is released before the next is made, so that memory is reused.
    for id in 0..<1_000 { lineages.insert(try TestSnapshot.of(("a", [id])).lineage) }
    #expect(lineages.count == 1_000)
  }

  @Test func `A17 duplicate row ids are refused with the id and both paths`() {
    let paths = (RowPath(section: 0, row: 0), RowPath(section: 1, row: 1))
    let error = ListError<String, Int>.duplicateRow(1, first: paths.0, second: paths.1)
    #expect(throws: error) { try TestSnapshot.of(("a", [1]), ("b", [2, 1])) }
    // As UIKit says it.
    #expect(error.description.hasPrefix("supplied item identifiers are not unique. Duplicate identifiers: 1"))
    #expect(throws: ListError<String, Int>.duplicateSection("a", first: 0, second: 2)) {
      try TestSnapshot.of(("a", [1]), ("b", []), ("a", []))
    }
  }

  @Test(arguments: [
    (DuplicatePolicy.keepFirst, [["a": [1, 2]], ["b": [3]]]), (.keepLast, [["b": [3]], ["a": [2, 1]]]),
  ])
  func `duplicates are kept once, first or last`(policy: DuplicatePolicy, expected: [[String: [Int]]]) throws {
    let material = [
      ListSection(TestSection("a"), rows: [TestRow(1), TestRow(2)]),
      ListSection(TestSection("b"), rows: [TestRow(3)]),
      ListSection(TestSection("a"), rows: [TestRow(2), TestRow(1)]),
    ]
    let list = try TestSnapshot(material, duplicates: policy)
    let found = (0..<list.sectionCount).map { [list.section(at: $0).id: list.rows(inSection: $0).map(\.id)] }
    #expect(found == expected)
  }

  @Test func `changes between random lists lead from one to the other, with the fewest moves`() throws {
    var random = SeededGenerator.forFuzzing("snapshots")
    for _ in 0..<SeededGenerator.rounds(300, long: 50_000) {
      let before = try TestSnapshot.random(sections: 5, rows: 14, using: &random)
      let after = try TestSnapshot.random(sections: 5, rows: 14, using: &random)
      let changes = before.changes(to: after)
      let note = Comment(rawValue: "seed \(random.seed): \(before) to \(after): \(changes)")
      var folded = NaiveList(before)
      #expect(throws: Never.self, note) { try folded.fold(changes, after: after) }
      #expect(folded == NaiveList(after), note)
      #expect(before.applying(changes, inserting: after) == after, note)
      #expect(changes.isEmpty == (before == after), note)
      let minimal = NaiveList(before).minimalMoves(to: NaiveList(after))
      #expect(changes.rows.moves.count == minimal.rows, note)
      #expect(changes.sections.moves.count == minimal.sections, note)
    }
  }

  @Test func `a list without rows is empty, and an index among its sections is that of the list`() throws {
    for list in try [TestSnapshot(), .of(("a", [])), .of(("a", []), ("b", []))] { #expect(list.isEmpty) }
    let list = try TestSnapshot.of(("a", []), ("b", [1]), ("c", [2]))
    let index: Any? = list.sections.firstIndex { $0.id == "b" }
    #expect(!list.isEmpty && index as? Int == 1)
  }
}

import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@Suite(.watched) struct ListAnnouncerTests {
  private func list(_ sections: (String, [(Int, String)])...) throws -> TestSnapshot {
    try TestSnapshot(sections.map { ListSection(TestSection($0.0), rows: $0.1.map { TestRow($0.0, $0.1) }) })
  }

  /// What is said of one list after another.
  private func said(
    _ lists: [TestSnapshot], _ change: (inout ListAnnouncer<TestSection, TestRow>) -> Void = { _ in }
  ) -> [String?] {
    var announcer = ListAnnouncer<TestSection, TestRow> { $0.text == "-" ? nil : $0.text }
    change(&announcer)
    return lists.indices.map { index in
      let update =
        index == 0
        ? TestUpdate(initial: lists[0], revision: 0)
        : TestUpdate(
          revision: index, previous: index - 1, changes: lists[index - 1].changes(to: lists[index]),
          snapshot: lists[index])
      return announcer.announcement(of: update)
    }
  }

  @Test func `one row is said by its title, several by their number, and the first list not at all`() throws {
    let first = try list(("a", [(1, "Bread"), (2, "Milk")]))
    let second = try list(("a", [(2, "Milk"), (3, "x"), (4, "y"), (5, "z")]))
    let third = try list(("a", [(5, "z"), (2, "Cream"), (3, "x"), (4, "y")]))
    let english = AnnouncedChange.english("message", "messages")
    #expect(
      said([first, second, third, first, first]) { $0.words = english }
        == [
          nil, "3 new messages, Bread removed", "Cream changed, z moved",
          "Bread added, 3 messages removed, Milk changed", nil,
        ])
    #expect(said([first, second])[1] == "3 new rows, Bread removed")
    let words = AnnouncedChange.allCases.map {
      [english($0, ["", ""]), english($0, ["Tea"]), english($0, [""]), english($0, [])]
    }
    #expect(
      words == [
        ["2 new messages", "Tea added", "message added", nil],
        ["2 messages removed", "Tea removed", "message removed", nil],
        ["2 messages changed", "Tea changed", "message changed", nil],
        ["2 messages moved", "Tea moved", "message moved", nil],
      ])
  }

  @Test func `words and titles that are nil are not said, and other languages are closures`() throws {
    let lists = [try list(("a", [(1, "Brot")])), try list(("a", [(2, "-"), (3, "Milch"), (1, "Brote")]))]
    #expect(said(lists) { $0.words = { change, _ in change == .updated ? nil : "x" } } == [nil, "x"])
    #expect(said(lists) { $0.words = { _, _ in nil } } == [nil, nil])
    let german: @Sendable (AnnouncedChange, [String]) -> String? = { change, titles in
      change == .inserted ? "\(titles.joined(separator: " und ")) hinzugefügt" : "\(titles.count) geändert"
    }
    #expect(said(lists) { ($0.words, $0.separator) = (german, "; ") } == [nil, "Milch hinzugefügt; 1 geändert"])
    // Only a row that is not said was removed.
    #expect(said([try list(("a", [(1, "Brot"), (2, "-")])), try list(("a", [(1, "Brot")]))]) == [nil, nil])
  }

  @Test func `rows of a section that goes are gone unless they are elsewhere`() throws {
    let before = try list(("a", [(1, "one"), (2, "two"), (3, "three")]), ("b", [(4, "four")]))
    let after = try list(("b", [(4, "four")]), ("c", [(2, "TWO"), (1, "one"), (5, "five")]))
    #expect(said([before, after]) == [nil, "five added, three removed, TWO changed, one moved"])
  }

  @Test func `an update that does not follow the last one is compared with the list before`() throws {
    let lists = try [[1, 2], [2], [2, 3]].map { ids in try list(("a", ids.map { ($0, "\($0)") })) }
    var announcer = ListAnnouncer<TestSection, TestRow> { $0.text }
    #expect(announcer.announcement(of: TestUpdate(initial: lists[0], revision: 7, epoch: "x")) == nil)
    let update = TestUpdate(
      revision: 9, previous: 8, changes: lists[1].changes(to: lists[2]), snapshot: lists[2], epoch: "x")
    #expect(announcer.announcement(of: update) == "3 added, 1 removed")
    // A whole list, as after an interruption, is news by its difference.
    #expect(announcer.announcement(of: TestUpdate(initial: lists[1], revision: 12, epoch: "y")) == "3 removed")
    let next = TestUpdate(
      revision: 13, previous: 12, changes: lists[1].changes(to: lists[0]), snapshot: lists[0], epoch: "z")
    #expect(announcer.announcement(of: next) == "1 added")
  }

  @Test func `what is said of random lists is what an array says`() throws {
    var random = SeededGenerator.forFuzzing("announcements")
    for _ in 0..<SeededGenerator.rounds(400, long: 40_000) {
      var announcer = ListAnnouncer<TestSection, TestRow>(
        words: { "\($0): \($1.joined(separator: " "))" }, separator: "|"
      ) {
        "\($0.id)"
      }
      var before = TestSnapshot()
      for revision in 0..<6 {
        let after = try TestSnapshot.random(sections: 4, rows: 12, using: &random)
        let update = TestUpdate(
          revision: revision, previous: revision == 0 ? nil : revision - 1, changes: before.changes(to: after),
          snapshot: after)
        let said = announcer.announcement(of: update)
        defer { before = after }
        if revision == 0 {
          #expect(said == nil)
          continue
        }
        let (old, new) = (Array(before.allRows), Array(after.allRows))
        let contents = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
        let ids = Set(new.map(\.id))
        func words(_ change: AnnouncedChange, _ rows: [TestRow]) -> String? {
          rows.isEmpty ? nil : "\(change): \(rows.map { "\($0.id)" }.joined(separator: " "))"
        }
        let parts = [
          words(.inserted, new.filter { contents[$0.id] == nil }), words(.deleted, old.filter { !ids.contains($0.id) }),
          words(.updated, new.filter { row in contents[row.id].map { $0 != row } ?? false }),
        ].compactMap(\.self)
        // Which rows are moved is for the differ to say: they are in both lists, with the same content.
        let found = said.map { $0.split(separator: "|").map(String.init) } ?? []
        #expect(found.filter { !$0.hasPrefix("moved") } == parts, "seed \(random.seed)")
        let moved = found.first { $0.hasPrefix("moved: ") }?.dropFirst("moved: ".count).split(separator: " ").compactMap
        { Int($0) }
        #expect((moved ?? []).allSatisfy { id in contents[id] == new.first { $0.id == id } }, "seed \(random.seed)")
      }
    }
  }
}

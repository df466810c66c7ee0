import Testing

@Suite(.watched) struct AnnouncementTests {
  private func list(_ sections: (String, [(Int, String)])...) throws -> TestSnapshot {
    try TestSnapshot(sections.map { ListSection(TestSection($0.0), rows: $0.1.map { TestRow($0.0, $0.1) }) })
  }

  private typealias Words = (AnnouncedChange, [String]) -> String?

  /// What is said of one list after another.
  private func said(
    _ lists: [TestSnapshot], words: Words = AnnouncedChange.english(), separator: String = ", "
  ) -> [String?] {
    lists.indices.map { index in
      TestUpdate(initial: lists[index], revision: index)
        .announcement(since: index == 0 ? nil : lists[index - 1], words: words, separator: separator) {
          $0.text == "-" ? nil : $0.text
        }
    }
  }

  @Test func `one row is said by its title, several by their number, and the first list not at all`() throws {
    let first = try list(("a", [(1, "Bread"), (2, "Milk")]))
    let second = try list(("a", [(2, "Milk"), (3, "x"), (4, "y"), (5, "z")]))
    let third = try list(("a", [(5, "z"), (2, "Cream"), (3, "x"), (4, "y")]))
    let english = AnnouncedChange.english("message", "messages")
    #expect(
      said([first, second, third, first, first], words: english)
        == [
          nil, "3 new messages, Bread removed", "Cream changed, z moved",
          "Bread added, 3 messages removed, Milk changed", nil,
        ])
    #expect(said([first, second])[1] == "3 new rows, Bread removed")
    let words = [AnnouncedChange.inserted, .deleted, .updated, .moved].map {
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
    #expect(said(lists, words: { change, _ in change == .updated ? nil : "x" }) == [nil, "x"])
    #expect(said(lists, words: { _, _ in nil }) == [nil, nil])
    let german: Words = { change, titles in
      change == .inserted ? "\(titles.joined(separator: " und ")) hinzugefügt" : "\(titles.count) geändert"
    }
    #expect(said(lists, words: german, separator: "; ") == [nil, "Milch hinzugefügt; 1 geändert"])
    // Only a row that is not said was removed.
    #expect(said([try list(("a", [(1, "Brot"), (2, "-")])), try list(("a", [(1, "Brot")]))]) == [nil, nil])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a row with a NaN that goes to another section as it was has moved, and is not updated`() throws {
    struct Reading: RowViewModel {
      let id: Int
      var load = Double.nan
    }
    typealias Lists = ListSnapshot<TestSection, Reading>
    func list(_ section: String, _ reading: Reading) throws -> Lists {
      try Lists([ListSection(TestSection("a")), ListSection(TestSection(section), rows: [reading])])
    }
    func said(_ after: Lists) throws -> String? {
      ListUpdate(initial: after, revision: 1).announcement(since: try list("b", Reading(id: 1))) { "\($0.id)" }
    }
    #expect(try said(list("c", Reading(id: 1))) == "1 moved")
    #expect(try said(list("c", Reading(id: 1, load: 2))) == "1 changed")
  }

  @Test func `what is said of random lists is what an array says`() throws {
    var random = SeededGenerator.forFuzzing("announcements")
    for _ in 0..<SeededGenerator.rounds(80, long: 40_000) {
      var before = TestSnapshot()
      for revision in 0..<6 {
        let after = try TestSnapshot.random(sections: 4, rows: 12, using: &random)
        let update = TestUpdate(initial: after, revision: revision)
        let said = update.announcement(
          since: revision == 0 ? nil : before, words: { "\($0): \($1.joined(separator: " "))" }, separator: "|"
        ) { "\($0.id)" }
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

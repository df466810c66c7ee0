import RowcastDiff
import RowcastModel
import RowcastStore
import TestSupport
import Testing

@testable import RowcastViews

/// Subscribers of a part of a list.
@Suite(.watched) struct WatchingTests {
  @Test func `a section is watched alone, whatever happens to others`() async throws {
    let store = TestStore(try .of(("a", [1]), ("b", [2, 3]), ("c", [4])))
    var stream = store.updates(inSection: "b").makeAsyncIterator()
    #expect(NaiveList(try #require(await stream.next()).snapshot) == NaiveList(try .of(("b", [2, 3]))))
    try await store.edit {
      try $0.append(TestRow(5), to: "a")
      try $0.removeSection("c")
    }
    try await store.edit { try $0.removeSection("a") }
    try await store.edit { try $0.update(3) { $0.text = "new" } }
    let update = try #require(await stream.next())
    #expect(
      update.changes.count == 1
        && update.changes.rows.updates == [.init(from: .init(section: 0, row: 1), to: .init(section: 0, row: 1))])
    try await store.edit { try $0.removeSection("b") }
    #expect(try #require(await stream.next()).snapshot.isEmpty)
    try await store.edit {
      try $0.append(TestSection("z"))
      try $0.append(TestSection("b", "again"), rows: [TestRow(9)])
    }
    #expect(try #require(await stream.next()).snapshot.row(at: .init(section: 0, row: 0)) == TestRow(9))
    await store.finish()
    #expect(await stream.next() == nil)
  }

  @Test func `a row is watched by its id, wherever it goes`() async throws {
    let store = TestStore(try .of(("a", [1, 2]), ("b", [])))
    let row = store.arranged { $0.filter { $0.text != "hidden" } }.row(2)
    var stream = row.updates().makeAsyncIterator()
    #expect(await stream.next() == .some(TestRow(2)))
    try await store.edit {
      try $0.update(1) { $0.text = "other" }
      try $0.move(2, to: .init(section: 1, row: 0))
    }
    try await store.edit { try $0.update(2) { $0.text = "new" } }
    #expect(await stream.next() == .some(TestRow(2, "new")))
    try await store.edit { try $0.update(2) { $0.text = "hidden" } }
    #expect(await stream.next() == .some(nil))
    try await store.edit { try $0.update(2) { $0.text = "back" } }
    #expect(await stream.next() == .some(TestRow(2, "back")))
    try await store.edit { try $0.removeSection("b") }
    #expect(await row.value == nil)
    try await store.edit { try $0.append(TestSection("c"), rows: [TestRow(2)]) }
    #expect(await stream.next() == .some(TestRow(2)))
  }

  @Test func `the number of rows is watched without them`() async throws {
    let store = TestStore(try .of(("a", [1, 2])))
    var stream = store.rowCount.updates().makeAsyncIterator()
    #expect(await stream.next() == 2)
    try await store.edit { try $0.update(1) { $0.text = "new" } }
    try await store.edit { try $0.remove(1) }
    #expect(await stream.next() == 1)
  }

  @Test func `random edits reach the subscribers of sections and rows that they concern, and no others`() async throws {
    var random = SeededGenerator.forFuzzing("watching")
    for _ in 0..<SeededGenerator.rounds(60, long: 4_000) {
      let rig = ArrangedRig(SeededGenerator(seed: random.next())) { $0 }
      let section = ListNode.section("s1", of: rig.source)
      var former = NaiveList<TestSection, Card<Int>>()
      _ = section.pull()
      for _ in 0..<60 {
        rig.edit()
        rig.draft.commit()
        let step = section.pull()
        var expected = NaiveList(rig.draft.snapshot)
        expected.parts.removeAll { $0.section.id != "s1" }
        let found = NaiveList(section.snapshot())
        try #require(found == expected, "seed \(random.seed)")
        #expect((step != nil) == (found != former), "seed \(random.seed)")
        if let step, let before = step.before {
          try former.fold(before.changes(to: step.after), after: step.after)
          #expect(former == found)
        }
        former = found
      }
    }
  }
}

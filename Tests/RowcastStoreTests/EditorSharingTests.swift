@testable import RowcastStore

/// What transactions leave behind, and what they share.
@Suite(.watched) struct EditorSharingTests {
  struct Refusal: Error {}

  static func snapshot(_ rows: Int) -> TestSnapshot {
    TestSnapshot(unchecked: [
      ListSection(TestSection("a"), rows: (0..<rows).map { TestRow($0) }), ListSection(TestSection("b")),
    ])
  }

  @Test func `a transaction that throws leaves the same nodes, and everything is found`() async throws {
    var random = SeededGenerator.forFuzzing("failing transactions")
    let store = TestStore(Self.snapshot(2_000))
    let seed = random.seed
    for round in 0..<SeededGenerator.rounds(6, long: 1_000) {
      let before = await store.snapshot
      let ids = (0..<20).map { _ in Int.random(in: 0..<2_000, using: &random) }
      let replaces = round % 5 == 0
      await #expect(throws: Refusal.self) {
        try await store.edit { list in
          for (step, id) in ids.enumerated() {
            if step % 3 == 0 { try list.upsert(TestRow(5_000 + step, "x"), to: "b") }
            if step % 3 == 1, list.row(id) != nil { try list.remove(id) }
            if step % 3 == 2, list.row(id) != nil { try list.move(id, toEndOf: "b") }
          }
          if replaces { list.removeAll() }
          if replaces { try list.append(TestSection("c"), rows: [TestRow(1)]) }
          throw Refusal()
        }
      }
      let after = await store.snapshot
      #expect(await store.revision == round)
      #expect(after.nodeCount(besides: before) == 0, "seed \(seed)")
      let id = ids[0]
      try await store.edit { list in
        for id in ids { #expect(list.row(id)?.id == id, "seed \(seed)") }
        try list.update(id) { $0.text = "round \(round)" }
      }
      #expect(await store.snapshot.nodeCount(besides: after) <= 5)
    }
  }

  @Test func `restoring a kept list is one more revision that costs what differs`() async throws {
    let store = TestStore(Self.snapshot(5_000))
    let kept = await store.snapshot
    var stream = store.updates().makeAsyncIterator()
    _ = await stream.next()
    try await store.edit { list in
      try list.remove(17)
      try list.move(4_000, to: RowPath(section: 0, row: 0))
      try list.update(300) { $0.text = "new" }
      try list.append(TestRow(9_000), to: "b")
    }
    _ = await stream.next()
    let edited = await store.snapshot
    try await store.replace(with: kept)
    let update = try #require(await stream.next())
    #expect(update.previous == 1 && update.revision == 2)
    #expect(update.snapshot == kept)
    #expect(update.changes.count == 4, "\(update.changes)")
    #expect(await store.snapshot.nodeCount(besides: edited) <= 20)
    try await store.replace(with: kept)
    #expect(await store.revision == 2)
    // What was restored is found again.
    try await store.edit { try $0.update(17) { $0.text = "back" } }
    await store.finish()
    await #expect(throws: ListStoreError.finished) { try await store.replace(with: edited) }
  }

  @Test func `replacing the list by one from elsewhere, or the rows of a section, shares what is equal`() async throws {
    let store = TestStore(Self.snapshot(5_000))
    let before = await store.snapshot
    var rows = (0..<5_000).map { TestRow($0) }
    rows[2_500].text = "new"
    rows.remove(at: 100)
    try await store.replace(
      with: TestSnapshot([ListSection(TestSection("a"), rows: rows), ListSection(TestSection("b"))]))
    let replaced = await store.snapshot
    #expect(replaced.rows(inSection: 0).elementsEqual(rows))
    #expect(replaced.nodeCount(besides: before) <= 8)
    rows.swapAt(1_000, 3_000)
    try await store.edit { [rows] in try $0.replaceRows(in: "a", with: rows) }
    let swapped = await store.snapshot
    #expect(swapped.rows(inSection: 0).elementsEqual(rows))
    #expect(swapped.nodeCount(besides: replaced) <= 12)
    try await store.edit { try $0.replaceRows(in: "a", with: []) }
    #expect(await store.snapshot.rowCount == 0)
    try await store.edit { try $0.append(contentsOf: (0..<3_000).map { TestRow($0) }, to: "b") }
    try await store.edit { #expect($0.path(ofRow: 1_234) == RowPath(section: 1, row: 1_234)) }
  }

  @Test func `a lone subscriber leaves no difference behind, also when others are gone`() async throws {
    let store = TestStore(Self.snapshot(100))
    func edit(_ text: String) async throws { try await store.edit { try $0.update(3) { $0.text = text } } }
    var stream = store.updates().makeAsyncIterator()
    _ = await stream.next()
    try await edit("alone")
    #expect(await stream.next()?.changes.rows.updates.count == 1)
    #expect(await store.core.differences.newest == nil)
    for visit in 1...5 {
      var guests = (0..<20).map { _ in store.updates().makeAsyncIterator() }
      for index in guests.indices { _ = await guests[index].next() }
      try await edit("in company \(visit)")
      #expect(await stream.next()?.changes.rows.updates.count == 1)
      for index in guests.indices { #expect(await guests[index].next()?.changes.rows.updates.count == 1) }
      #expect(await store.core.differences.newest?.value.span == 2 * visit - 1..<2 * visit)
      guests = []
      try await edit("alone again \(visit)")
      #expect(await stream.next()?.changes.rows.updates.count == 1)
      #expect(await store.core.differences.newest == nil)
    }
  }
}

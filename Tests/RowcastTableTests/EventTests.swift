import Testing

/// The events of tables, and their delivery to listeners.
@Suite(.watched) struct EventTests {
  private func shown(_ stream: AsyncStream<TableEvent<TestRow>>) async -> [Int] {
    var ids: [Int] = []
    for await case .willDisplay(let row, _) in stream { ids.append(row.id) }
    return ids
  }

  @Test func `a listener that does not come costs no more than the newest events that it keeps`() async throws {
    var table: TestTable? = TestTable.make(height: 1)
    let last = try #require(table?.eventStream(keeping: 1))
    let few = try #require(table?.eventStream(keeping: 4))
    let usual = try #require(table?.eventStream())
    try table?.show(.of(("a", Array(0..<5_000))))
    for _ in 0..<4_999 { try table?.scroll(byLines: 1) }
    table = nil
    // The last event says that the end is reached; the others are in pairs.
    #expect(await shown(few) == [4_998, 4_999])
    #expect(await last.reduce(0) { count, _ in count + 1 } == 1)
    let kept = await shown(usual)
    #expect(kept.last == 4_999 && (500...512).contains(kept.count))
  }

  @Test func `every listener gets the events from its own start on, and all streams end with the table`() async throws {
    var table: TestTable? = TestTable.make(height: 1)
    let first = try #require(table?.eventStream())
    try table?.show(.of(("a", [1, 2, 3])))
    let second = try #require(table?.eventStream())
    try table?.scroll(byLines: 1)
    do {
      // A stream that is dropped hinders no other one.
      _ = table?.eventStream()
    }
    try table?.scroll(byLines: 1)
    table = nil
    #expect(await shown(first) == [1, 2, 3])
    #expect(await shown(second) == [2, 3])
  }

  @Test func `a stream that keeps no event is refused`() async {
    await #expect(processExitsWith: .failure) { _ = TestTable.make(height: 1).eventStream(keeping: 0) }
  }

  @Test func `R7 a row comes onto the screen and leaves it in pairs, reported as it was shown`() async throws {
    let events = try await TestTable.events(height: 2) { table in
      try table.show(.of(("a", [1, 2, 3])))
      try table.scroll(byLines: 1)
      try table.show(.of(("a", [3, 2])))
      try table.reloadAll()
    }
    #expect(
      events.filter(\.isDisplay) == [
        .willDisplay(TestRow(1), at: path(0)), .willDisplay(TestRow(2), at: path(1)),
        .didEndDisplaying(TestRow(1)), .willDisplay(TestRow(3), at: path(2)),
        .didEndDisplaying(TestRow(3)), .didEndDisplaying(TestRow(2)),
        .willDisplay(TestRow(3), at: path(0)), .willDisplay(TestRow(2), at: path(1)),
      ])
  }

  @Test func `the ends of the list are reported when they come into view, and when they are others`() async throws {
    let isEnd = { (event: TableEvent<TestRow>) in !event.isSelection && !event.isDisplay }
    let high = try await TestTable.events(height: 9) { table in
      try table.show(.of(("a", [3, 4, 5]), ("b", [6])))
      try table.show(.of(("a", [1, 3, 4, 5]), ("b", [6])))
      try table.show(.of(("a", [1, 5]), ("b", [6])))
      try table.show(.of(("z", []), ("a", [1, 5]), ("b", [6])))
      try table.show(.of(("a", [1, 6])))
      try table.show(.of(("a", [1, 6, 7])))
    }
    #expect(high.filter(isEnd) == [.reachedStart, .reachedEnd, .reachedStart, .reachedEnd])
    let low = try await TestTable.events(height: 2) { table in
      try table.show(.of(("a", [1, 2, 3])))
      try table.scroll(byLines: 1)
      try table.scroll(byLines: 0)
      try table.show(.of(("a", [1, 2, 3, 4, 5])))
      try table.scroll(byPages: 9)
      try table.show(.of(("a", [4, 5])))
      try table.show(.of(("a", [4, 6])))
    }
    #expect(low.filter(isEnd) == [.reachedStart, .reachedEnd, .reachedEnd, .reachedStart, .reachedEnd])
  }

  @Test func `rows are reported as they are when they are selected, and as they were last then`() async throws {
    let events = try await TestTable.events(height: 2) { table in
      table.selectionMode = .multiple
      try table.show(rows: [TestRow(6, "new"), TestRow(5), TestRow(1)])
      table.selectAll()
      // Selected before they were updated.
      try table.show(rows: [TestRow(6, "new"), TestRow(5, "new"), TestRow(1, "new")])
      table.deselect(5)
      try table.show(rows: [TestRow(6, "new")])
      #expect(try table.scroll(to: 99) == nil && table.invalidateHeight(of: 99) == nil)
    }
    #expect(
      events.filter(\.isSelection) == [
        .selected(TestRow(6, "new"), at: path(0)), .selected(TestRow(5), at: path(1)),
        .selected(TestRow(1), at: path(2)),
        .deselected(TestRow(5, "new")), .deselected(TestRow(1, "new")),
      ])
  }
}

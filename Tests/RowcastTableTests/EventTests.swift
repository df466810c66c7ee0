import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// How events reach those who listen.
@Suite(.watched) struct EventTests {
  private func shown(_ stream: AsyncStream<TableEvent<TestRow>>) async -> [Int] {
    var ids: [Int] = []
    for await case .willDisplay(let row, _) in stream { ids.append(row.id) }
    return ids
  }

  @Test func `a listener that does not come costs no more than the newest events that it keeps`() async throws {
    var table: TestTable? = TestTable.make(height: 1)
    let few = try #require(table?.eventStream(keeping: 4))
    let usual = try #require(table?.eventStream())
    try table?.show(.of(("a", Array(0..<5_000))))
    for _ in 0..<4_999 { try table?.scroll(byLines: 1) }
    table = nil
    // The last event says that the end is reached; the others come in pairs.
    #expect(await shown(few) == [4_998, 4_999])
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
}

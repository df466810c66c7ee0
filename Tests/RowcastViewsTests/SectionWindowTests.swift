import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastViews
import Testing

/// Windows that begin after a row, and windows of each section.
@Suite(.watched) struct SectionWindowTests {
  @Test func `a window after a row follows it, and begins at the start without it`() async throws {
    let store = try ListStore((0..<6).map { TestRow($0) })
    let next = store.arranged { $0.window(.after(2, count: 2)) }
    func ids() async -> [Int] { await next.snapshot.allRows.map(\.id) }
    #expect(await ids() == [3, 4])
    try await store.edit { try $0.move(2, to: RowPath(section: 0, row: 0)) }
    #expect(await ids() == [0, 1])
    try await store.edit { try $0.remove(2) }
    #expect(await ids() == [0, 1])
    try await store.edit { try $0.insert(TestRow(2), at: RowPath(section: 0, row: 4)) }
    #expect(await ids() == [5])
  }

  @Test func `each section shows its newest rows, and stays without any`() async throws {
    let store = ListStore(
      try TestSnapshot([
        ListSection(TestSection("a"), rows: (0..<4).map { TestRow($0) }), ListSection(TestSection("b")),
        ListSection(TestSection("c"), rows: [TestRow(10)]),
      ]))
    let list = store.arranged { $0.window(inEachSection: .last(2)) }
    func ids() async -> [[Int]] { await list.snapshot.contents.map { $0.rows.map(\.id) } }
    #expect(await ids() == [[2, 3], [], [10]])
    // A row crosses from one section to another, and one that was hidden takes its place.
    try await store.edit { try $0.move(3, to: RowPath(section: 1, row: 0)) }
    #expect(await ids() == [[1, 2], [3], [10]])
    try await store.edit { try $0.moveSection("a", to: 2) }
    #expect(await ids() == [[3], [10], [1, 2]])
    try await store.edit { try $0.append(TestRow(11), to: "c") }
    #expect(await ids() == [[3], [10, 11], [1, 2]])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an event costs the window of its section, and nothing behind that`() async throws {
    let comparisons = CallCount()
    func rows(_ ids: Range<Int>) -> [CountedRow] { ids.map { CountedRow(id: $0, key: 0, comparisons: comparisons) } }
    let store = ListStore(
      ListSnapshot(
        unchecked: (0..<100).map {
          ListSection(TestSection("s\($0)"), rows: rows($0 * 1_000..<($0 + 1) * 1_000))
        }))
    let list = store.arranged { $0.window(inEachSection: .first(3)) }
    _ = await list.snapshot
    func work(_ path: RowPath, _ key: Int) async throws -> Int {
      let row = CountedRow(id: path.section * 1_000 + path.row, key: key, comparisons: comparisons)
      try await store.edit { try $0.upsert(row) }
      let before = comparisons.value
      #expect(await list.snapshot.rowCount == 300)
      return comparisons.value - before
    }
    // The index of the rows that are shown is made at the first event.
    _ = try await work(RowPath(section: 7, row: 0), 1)
    // A leaf of the source on both sides of the change.
    let behind = try await work(RowPath(section: 50, row: 500), 2)
    let inside = try await work(RowPath(section: 50, row: 1), 3)
    #expect(behind <= 2 * 32 && inside <= 2 * 32 + 3 * 3, "\(behind), \(inside)")
  }
}

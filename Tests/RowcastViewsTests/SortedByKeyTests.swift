import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastViews
import RowcastTestSupport
import Testing

/// Rows whose keys are equal stand as they stood, whatever the compiler knows of their types.
@Suite(.watched) struct SortedByKeyTests {
  private static func ids<Section>(_ list: ListSnapshot<Section, TestRow>) -> [[Int]] {
    NaiveList(list).parts.map { $0.rows.map(\.id) }
  }

  /// Knows nothing of the ids of rows.
  private static func sortedGenerically<Section: SectionViewModel, Row: RowViewModel>(
    _ list: some LiveList<Section, Row>, by key: SortKey<Row>
  ) async -> ListSnapshot<Section, Row> {
    await list.arranged { $0.sorted(by: key) }.snapshot
  }

  @Test func `rows are sorted by a key path, and stand as they stood where the keys are equal`() async throws {
    let store = try ListStore([TestRow(3, "b"), TestRow(2, "a"), TestRow(1, "b")])
    let list = store.arranged { $0.sorted(by: \.text) }
    #expect(await Self.ids(list.snapshot) == [[2, 3, 1]])
    #expect(await Self.ids(Self.sortedGenerically(store, by: .ascending(\.text))) == [[2, 3, 1]])
    // Rows that come, move and change stand as they stand in the store, too.
    try await store.edit { list in
      try list.insert(TestRow(0, "b"), at: RowPath(section: 0, row: 1))
      try list.move(1, to: RowPath(section: 0, row: 0))
      try list.update(2) { $0.text = "b" }
    }
    #expect(await Self.ids(store.snapshot) == [[1, 3, 0, 2]])
    #expect(await Self.ids(list.snapshot) == [[1, 3, 0, 2]])
  }

  @Test func `an earlier order decides where the keys are equal, also through sections`() async throws {
    let store = try ListStore([TestRow(1, "b"), TestRow(2, "a"), TestRow(3, "b"), TestRow(4, "a")])
    let once = store.arranged { $0.sorted(by: .descending(\.id)).sorted(by: \.text) }
    #expect(await Self.ids(once.snapshot) == [[4, 2, 3, 1]])
    let sectioned = store.arranged { plan in
      plan.sorted(by: .descending(\.id)).sectioned(by: { $0.id / 4 }) { TestSection("\($0)") }.sorted(by: \.text)
    }
    #expect(await Self.ids(sectioned.snapshot) == [[2, 3, 1], [4]])
    try await store.edit { try $0.update(1) { $0.text = "a" } }
    #expect(await Self.ids(once.snapshot) == [[4, 2, 1, 3]])
    #expect(await Self.ids(sectioned.snapshot) == [[2, 1, 3], [4]])
  }
}

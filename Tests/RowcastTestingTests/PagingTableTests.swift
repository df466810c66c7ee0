import RowcastDiff
import RowcastModel
import RowcastSources
import RowcastStore
import RowcastTable
import RowcastTestSupport
import Testing

/// A history in a table: what a person looks at stays where it is, in the same cells, while pages come in above it.
@Suite(.watched) struct PagingTableTests {
  private struct Chat: PhasedSection {
    let id: String
    var phase = SectionPhase.idle
  }

  private final class Line: Cell, RowCell {
    func configure(with row: TestRow) {}
  }

  /// Pages of ten rows, backwards from row 100.
  private static func page(before cursor: Int?) -> Paging<Chat, TestRow, String, Int>.Page {
    let end = cursor ?? 100
    return .init(rows: (end - 10..<end).map { TestRow($0) }, next: end > 20 ? end - 10 : nil)
  }

  @Test func `a page that is prepended leaves every visible cell with its row`() async throws {
    let store = ListStore<Chat, TestRow>()
    try await store.edit { try $0.append(Chat(id: "a")) }
    let paging = Paging(store, section: "a", at: .top, query: "") { (_: String, cursor: Int?) in
      Self.page(before: cursor)
    }
    var registry = CellRegistry<TestRow>()
    registry.register(Line.self)
    let table = RetainedTable<Chat, TestRow>(cells: registry, height: 6)
    var updates = store.updates().makeAsyncIterator()
    func showNewest() async throws {
      let revision = await store.revision
      while table.revision != revision, let update = await updates.next() { try table.apply(update) }
    }
    await paging.demand()
    try await showNewest()
    try table.scroll(toLine: 2)
    for pages in 2...9 {
      let before = table.visibleRows.map { (id: $0.row.id, cell: ObjectIdentifier($0.cell)) }
      let configurations = table.configurationCount
      await paging.demand()
      try await showNewest()
      #expect(table.snapshot.rowCount == pages * 10)
      #expect(table.visibleRows.map(\.row.id) == before.map(\.id))
      #expect(table.visibleRows.map { ObjectIdentifier($0.cell) } == before.map(\.cell))
      #expect(table.configurationCount == configurations)
    }
    #expect(table.snapshot.rows(inSection: 0).map(\.id) == Array(10..<100))
    #expect(await paging.isComplete)
  }

  @Test func `a new query keeps the cells of the rows that are in both answers`() async throws {
    let store = ListStore<Chat, TestRow>()
    try await store.edit { try $0.append(Chat(id: "a")) }
    let paging = Paging(store, section: "a", query: 1) { (step: Int, _: Int?) in
      .init(rows: stride(from: 0, to: 24, by: step).map { TestRow($0) }, next: nil)
    }
    var registry = CellRegistry<TestRow>()
    registry.register(Line.self)
    let table = RetainedTable<Chat, TestRow>(cells: registry, height: 6)
    await paging.demand()
    var updates = store.updates().makeAsyncIterator()
    if let update = await updates.next() { try table.apply(update) }
    let before = Dictionary(uniqueKeysWithValues: table.visibleRows.map { ($0.row.id, ObjectIdentifier($0.cell)) })
    await paging.change(to: 2)
    if let update = await updates.next() { try table.apply(update) }
    #expect(table.visibleRows.map(\.row.id) == [0, 2, 4, 6, 8, 10])
    for visible in table.visibleRows.prefix(3) {
      #expect(ObjectIdentifier(visible.cell) == before[visible.row.id])
    }
  }
}

import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastTable

/// What selecting many rows costs, in counts.
@Suite(.watched) struct SelectionWorkTests {
  private let count = 4_000

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func metered() throws -> MeteredTable {
    let metered = try MeteredTable(rows: count, height: 20)
    metered.table.selectionMode = .multiple
    return metered
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `rows that are selected one by one are looked for in time for each, not for each row of the list`() throws
  {
    let metered = try metered()
    let ids = (0..<count).map { metered.row($0).id }
    let work = metered.meter.work(in: metered.table) { for id in ids { #expect(metered.table.select(id)) } }
    #expect(metered.table.selection.count == count)
    #expect(work.ids < 8 * count && work.hashes < 12 * count, "\(work)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `all rows, or some, are selected and deselected in time for each`() throws {
    let metered = try metered()
    let ids = (0..<count).map { metered.row($0).id }
    for select in [{ $0.selectAll() }, { $0.select(ids) }] as [(RetainedTable<TestSection, MeteredRow>) -> Void] {
      let selecting = metered.meter.work(in: metered.table) { select(metered.table) }
      #expect(metered.table.selection.count == count)
      let deselecting = metered.meter.work(in: metered.table) { metered.table.deselectAll() }
      #expect(metered.table.selection.isEmpty)
      for work in [selecting, deselecting] { #expect(work.ids < 8 * count && work.hashes < 16 * count, "\(work)") }
    }
  }

  @Test func `rows are found where they are after updates of any kind, and selectAll has the events of each`()
    async throws
  {
    let events = try await TestTable.events(height: 2) { table in
      table.selectionMode = .multiple
      try table.show(.of(("a", [1, 2, 3]), ("b", [4, 5])))
      table.select([4, 99, 5])
      #expect(table.select(3) && !table.select(99))
      try table.show(.of(("b", [5, 3]), ("a", [4, 6, 1])))
      #expect(table.focus(1) && table.focusedPath == RowPath(section: 1, row: 2))
      #expect(!table.focus(2) && table.focus(6) && table.focusedPath == RowPath(section: 1, row: 1))
      try table.show(TestSnapshot([ListSection(TestSection("b"), rows: [TestRow(6, "new"), TestRow(5), TestRow(1)])]))
      #expect(table.selection == [5])
      table.selectAll()
      #expect(table.selection == [1, 5, 6])
    }
    #expect(
      events.filter(\.isSelection).suffix(2) == [
        .selected(TestRow(6, "new"), at: RowPath(section: 0, row: 0)),
        .selected(TestRow(1), at: RowPath(section: 0, row: 2)),
      ])
    let single = TestTable.make(height: 2)
    try single.show(.of(("a", [1, 2, 3])))
    single.selectAll()
    #expect(single.selection.isEmpty)
    single.select([1, 3])
    #expect(single.selection == [3])
    #expect(try single.scroll(to: 99) == nil)
  }
}

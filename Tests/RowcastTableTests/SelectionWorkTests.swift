import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastTable

/// What selecting many rows costs, in counts, and which rows are selected.
@Suite(.watched) struct SelectionWorkTests {
  private let count = 4_000

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `all rows, or some, are selected and deselected in time for each, also one by one`() throws {
    let metered = try MeteredTable(rows: count, height: 20)
    metered.table.selectionMode = .multiple
    let ids = (0..<count).map { metered.row($0).id }
    let ways: [(hashes: Int, select: (RetainedTable<TestSection, MeteredRow>) -> Void)] = [
      (12, { table in for id in ids { #expect(table.select(id)) } }), (16, { $0.selectAll() }),
      (16, { $0.select(ids) }),
    ]
    for (hashes, select) in ways {
      let selecting = metered.meter.work(in: metered.table) { select(metered.table) }
      #expect(metered.table.selection.count == count)
      #expect(selecting.ids < 8 * count && selecting.hashes < hashes * count, "\(selecting)")
      let deselecting = metered.meter.work(in: metered.table) { metered.table.deselectAll() }
      #expect(metered.table.selection.isEmpty)
      #expect(deselecting.ids < 8 * count && deselecting.hashes < 16 * count, "\(deselecting)")
    }
  }

  @Test func `rows are found where they are after updates of any kind, and are reported as they are then`() async throws
  {
    let events = try await TestTable.events(height: 2) { table in
      table.selectionMode = .multiple
      try table.show(.of(("a", [1, 2, 3]), ("b", [4, 5])))
      table.select([4, 99, 5])
      #expect(table.select(3) && !table.select(99))
      try table.show(.of(("b", [5, 3]), ("a", [4, 6, 1])))
      #expect(table.focus(1) && table.focusedPath == RowPath(section: 1, row: 2))
      #expect(!table.focus(2) && table.focus(6) && table.focusedPath == RowPath(section: 1, row: 1))
      try table.show(rows: [TestRow(6, "new"), TestRow(5), TestRow(1)])
      #expect(table.selection == [5])
      table.selectAll()
      #expect(table.selection == [1, 5, 6])
      // Selected before they were updated.
      try table.show(rows: [TestRow(6, "new"), TestRow(5, "new"), TestRow(1, "new")])
      table.deselect(5)
      try table.show(rows: [TestRow(6, "new")])
    }
    #expect(
      events.filter(\.isSelection).suffix(4) == [
        .selected(TestRow(6, "new"), at: RowPath(section: 0, row: 0)),
        .selected(TestRow(1), at: RowPath(section: 0, row: 2)), .deselected(TestRow(5, "new")),
        .deselected(TestRow(1, "new")),
      ])
    let single = TestTable.make(height: 2)
    try single.show(.rows([1, 2, 3]))
    single.selectAll()
    #expect(single.selection.isEmpty)
    single.select([1, 3])
    #expect(single.selection == [3])
    #expect(try single.scroll(to: 99) == nil)
  }
}

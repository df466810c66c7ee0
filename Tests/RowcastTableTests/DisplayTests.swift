import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// What is on the screen, what is kept ready near it, and what came too late.
@Suite(.watched) struct DisplayTests {
  private func ready(_ table: TestTable) -> [Int] { table.prefetchedRows.map(\.row.id) }

  @Test func `R7 rows near the screen are configured and not displayed`() async throws {
    let events = try await TestTable.events(height: 3) { table in
      table.workingRange = 2
      try table.show(.rows(0..<20))
      #expect(ready(table) == [3, 4] && table.totals.prefetched == 2 && table.totals.visible == 3)
      let cell = table.prefetchedRows.first?.cell as? TestCell
      #expect(cell?.configurations == 1 && cell?.displays == 0)
      let configured = table.configurationCount
      try table.scroll(byLines: 1)
      // The row that comes into view was ready; the one that went is kept ready.
      #expect(table.cell(of: 3) === cell && cell?.displays == 1 && cell?.configurations == 1)
      #expect(ready(table) == [4, 5, 0] && table.configurationCount == configured + 1)
      try table.scroll(toLine: 10)
      #expect(table.ids == [10, 11, 12] && ready(table) == [13, 14, 9, 8])
      // R11: a result reaches them.
      for cell in table.prefetchedRows.map(\.cell) {
        #expect(try table.deliver(to: cell.token, as: TestCell.self) { $0.late.append("in time") })
        #expect((cell as? TestCell)?.late == ["in time"])
      }
      table.workingRange = 0
      try table.scroll(byLines: 0)
      #expect(ready(table).isEmpty)
    }
    let shown = events.filter(\.isDisplay).map { event in
      switch event {
      case .willDisplay(let row, _): row.id
      case .didEndDisplaying(let row): -row.id
      default: 0
      }
    }
    #expect(shown == [0, 1, 2, 0, 3, -1, -2, -3, 10, 11, 12])
  }

  @Test func `R11 a result that comes after its cell was given back, or in another table, lands nowhere`() throws {
    let table = TestTable.make(height: 1)
    try table.show(.rows([1, 2, 3]))
    let cell = try #require(table.cell(of: 1))
    let token = cell.token
    #expect(try table.deliver(to: token, as: TestCell.self) { $0.late.append("in time") })
    #expect(cell.late == ["in time"])
    #expect(throws: TableError.self) { try table.deliver(to: token, as: TallCell.self) { _ in } }
    let other = TestTable.make(height: 1)
    try other.show(.rows([1]))
    #expect(try !other.deliver(to: token, as: TestCell.self) { _ in })
    try table.show(rows: [TestRow(1, "new"), TestRow(2), TestRow(3)])
    #expect(cell.token == token, "the same row is still shown")
    try table.scroll(byLines: 1)
    #expect(table.cell(of: 2) === cell && cell.token != token)
    #expect(try !table.deliver(to: token, as: TestCell.self) { $0.late.append("late") })
    // Back at the row, it is another use of a cell.
    try table.scroll(byLines: -1)
    #expect(try !table.deliver(to: token, as: TestCell.self) { $0.late.append("late") })
    #expect(cell.late == ["in time"])
    let pooled = cell.token
    try table.show(.rows([]))
    #expect(cell.token != pooled, "a cell that waits shows nothing that results could be for")
    #expect(try !table.deliver(to: pooled, as: TestCell.self) { $0.late.append("pooled") })
  }

  @Test func `R12 a table without lines on the screen keeps its place and its end`() throws {
    let table = TestTable.make(height: 6)
    try table.show(.rows(0..<41))
    try table.scroll(toLine: 20)
    try table.resize(toHeight: 0)
    #expect(table.lines.isEmpty && table.topLine == 20)
    try table.show(.of(("b", Array(70..<75) + Array(10..<41))))
    try table.resize(toHeight: 6)
    #expect(table.ids.first == 20)
    table.followsTail = true
    try table.scroll(toLine: 99)
    try table.resize(toHeight: 0)
    try table.show(.of(("b", Array(10..<42))))
    try table.resize(toHeight: 6)
    #expect(table.ids.last == 41)
  }

  // MARK: - Rows whose look depends on what `==` ignores

  private func sized(_ ids: Range<Int>) throws -> PlacedList {
    try PlacedList([ListSection(PlacedSection(id: 1), rows: ids.map { PlacedRow(id: $0, lines: 1, group: 0) })])
  }

  @Test func `rows on the screen and near it are configured again when that is asked for, and no other`() throws {
    let table = PlacedTable(cells: PlacedCells(surroundings: Surroundings(estimates: false)), height: 6)
    table.workingRange = 1
    try table.viewDidPerform(sized(0..<40))
    try table.scroll(toLine: 10)
    let (cells, count) = (table.visibleRows.map(\.cell), table.configurationCount)
    let report = try table.refresh([3, 9, 12, 99])
    #expect(report.cells.map(\.event) == [.reconfigured, .reconfigured])
    #expect(report.cells.map(\.element.rowPath?.row) == [12, 9])
    #expect(report.changes.isEmpty && table.configurationCount == count + 2 && table.position == nil)
    #expect(areSame(table.visibleRows.map(\.cell), cells))
    #expect(try table.refresh([]).cells.isEmpty)
  }

  @Test func `R16 heights that are taken back are measured where they are seen, and configure nothing`() throws {
    let surroundings = Surroundings(estimates: false)
    let table = PlacedTable(cells: PlacedCells(surroundings: surroundings), height: 6, estimatedRowHeight: 2)
    try table.viewDidPerform(sized(0..<20))
    surroundings.scale = 3
    let configured = table.configurationCount
    try table.invalidateHeights()
    #expect(table.configurationCount == configured && table.contentHeight == 2 * 3 + 18 * 2)
    #expect(try table.invalidateHeight(of: 99) == nil)
  }
}

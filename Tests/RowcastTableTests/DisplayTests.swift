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
      try table.show(.of(("a", Array(0..<20))))
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

  @Test func `R4 a row that is kept ready comes onto the screen in its cell, from above as from below`() throws {
    let table = TestTable.make(height: 2)
    table.workingRange = 2
    try table.show(.of(("a", Array(0..<12))))
    try table.scroll(toLine: 5)
    #expect(table.prefetchedRows.map(\.row.id) == [7, 8, 4, 3])
    for (lines, id) in [(-1, 4), (-1, 3), (1, 5), (1, 6), (1, 7), (-2, 4)] {
      let ready = table.prefetchedRows.first { $0.row.id == id }?.cell as? TestCell
      let configurations = ready?.configurations
      try table.scroll(byLines: lines)
      #expect(table.cell(of: id) === ready && ready?.row?.id == id, "\(id), after \(lines) lines")
      #expect(ready?.configurations == configurations, "\(id), after \(lines) lines")
    }
  }

  final class LongCell: Cell, RowCell {
    func configure(with row: TestRow) {}
    static func height(of row: TestRow) -> Int { row.id == 9 ? 15 : 8 }
  }

  @Test(arguments: [true, false])
  func `R13 however far the content is moved, a long row that stays on the screen moves as far`(_ isLast: Bool) throws {
    for lines in -15...15 {
      var cells = CellRegistry<TestRow>()
      cells.register(LongCell.self)
      let table = TestTable(cells: cells, height: 3)
      table.followsTail = true
      // No row but the long one is ever measured before.
      try table.show(.of(("a", isLast ? Array(0..<10) : [9])))
      if !isLast { try table.show(.of(("a", Array(9..<20)))) }
      try table.scroll(toLine: isLast ? .max : 0)
      let top = isLast ? -12 : 0
      #expect(table.visibleElements.first?.line == top)
      try table.scroll(byLines: lines)
      let expected = isLast ? max(-12, top - lines) : min(0, top - lines)
      guard expected < 3, expected > -15 else { continue }
      let row = table.visibleElements.first { $0.element == .row(RowPath(section: 0, row: isLast ? 9 : 0)) }
      #expect(row?.line == expected, "by \(lines) lines")
    }
  }

  @Test func `R5 R7 a row that is kept ready is configured again when it changes, on the same cell`() throws {
    let table = TestTable.make(height: 2)
    table.workingRange = 1
    try table.show(.of(("a", [1, 2, 3, 4])))
    let cell = table.prefetchedRows.first?.cell as? TestCell
    try table.show(TestSnapshot([ListSection(TestSection("a"), rows: [1, 2, 3, 4].map { TestRow($0, "new") })]))
    #expect(table.prefetchedRows.first?.cell === cell && cell?.row?.text == "new" && cell?.configurations == 2)
    table.workingRange = 0
    try table.scroll(byLines: 0)
    #expect(table.prefetchedRows.isEmpty && table.totals.pooled == 1)
  }

  @Test func `R11 a result that comes after its cell was given back lands nowhere`() throws {
    let table = TestTable.make(height: 1)
    try table.show(.of(("a", [1, 2, 3])))
    let cell = try #require(table.cell(of: 1))
    let token = cell.token
    #expect(try table.deliver(to: token, as: TestCell.self) { $0.late.append("in time") })
    #expect(cell.late == ["in time"])
    try table.show(TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(1, "new"), TestRow(2), TestRow(3)])]))
    #expect(cell.token == token, "the same row is still shown")
    try table.scroll(byLines: 1)
    #expect(table.cell(of: 2) === cell && cell.token != token)
    #expect(try !table.deliver(to: token, as: TestCell.self) { $0.late.append("late") })
    // Back at the row, it is another use of a cell.
    try table.scroll(byLines: -1)
    #expect(try !table.deliver(to: token, as: TestCell.self) { $0.late.append("late") })
    #expect(cell.late == ["in time"])
    let pooled = cell.token
    try table.show(.of(("a", [])))
    #expect(cell.token != pooled, "a cell that waits shows nothing that results could be for")
    #expect(try !table.deliver(to: pooled, as: TestCell.self) { $0.late.append("pooled") })
  }

  @Test func `R11 a result for another class of cell is a typed error`() throws {
    let table = TestTable.make(height: 1)
    try table.show(.of(("a", [1])))
    let token = try #require(table.cell(of: 1)).token
    #expect(throws: TableError.self) { try table.deliver(to: token, as: TallCell.self) { _ in } }
    let other = TestTable.make(height: 1)
    try other.show(.of(("a", [1])))
    #expect(try !other.deliver(to: token, as: TestCell.self) { _ in })
  }

  @Test func `headers and footers are cells: kept, moved, configured anew only when they change, pooled`() throws {
    var cells = CellRegistry<TestRow>()
    cells.register(TestCell.self)
    var headers = CellRegistry<TestSection>()
    headers.register(TestHeader.self)
    let table = TestTable(cells: cells, headers: headers, footers: headers, height: 8)
    func header(_ section: Int) -> TestHeader? {
      table.visibleElements.first { $0.element == .header(section: section) }?.cell as? TestHeader
    }
    try table.show(.of(("a", [1]), ("b", [2])))
    #expect(
      table.lines.map(\.element) == [
        .header(section: 0), .row(RowPath(section: 0, row: 0)), .footer(section: 0),
        .header(section: 1), .row(RowPath(section: 1, row: 0)), .footer(section: 1),
      ])
    let (first, second) = (header(0), header(1))
    #expect(table.sectionStatistics.values.map(\.created) == [4])
    try table.show(.of(("b", [2]), ("a", [1])))
    #expect(header(0) === second && header(1) === first && first?.configurations == 1)
    try table.show(
      TestSnapshot([
        ListSection(TestSection("b", "new"), rows: [TestRow(2)]), ListSection(TestSection("a"), rows: [TestRow(1)]),
      ]))
    #expect(header(0) === second && second?.section?.content.title == "new" && second?.configurations == 2)
    #expect(first?.configurations == 1)
    try table.show(.of(("c", [3])))
    #expect(table.sectionStatistics.values.map(\.created) == [4])
    #expect(table.sectionStatistics.values.map(\.pooled) == [2])
  }

  @Test func `R12 a table without lines on the screen keeps its place and its end`() throws {
    let table = TestTable.make(height: 6)
    try table.show(.of(("a", Array(0..<41))))
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
}

import Testing

/// Late results, and a screen without lines.
@Suite(.watched) struct DisplayTests {
  @Test func `R11 a result that comes after its cell was given back, or in another table, lands nowhere`() throws {
    let table = TestTable.make(height: 1)
    table.workingRange = 1
    try table.show(.rows([1, 2, 3]))
    let cell = try #require(table.cell(of: 1))
    let token = cell.token
    for cell in [cell, try #require(table.prefetchedRows.first?.cell)] {
      #expect(try table.deliver(to: cell.token, as: TestCell.self) { $0.late.append("in time") })
    }
    table.workingRange = 0
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
}

import Testing

/// One test for each rule of part B that the table keeps, but R6 and R8, which the driver has.
@Suite(.watched) struct ReuseRuleTests {
  @Test func `R1 an identifier that was never registered is a typed error, and nothing changes`() throws {
    let table = TestTable(cells: CellRegistry<TestRow>(), height: 3)
    #expect(throws: TableError.unregistered(identifier: "RowcastTestSupport.TestRow")) { try table.show(.rows([1])) }
    #expect(table.revision == nil && table.snapshot.isEmpty && table.visibleRows.isEmpty)
    #expect(
      TableError.unregistered(identifier: "x").description.hasPrefix(
        "unable to dequeue a cell with identifier x - must register a nib or a class for the identifier or connect a "
          + "prototype cell in a storyboard"))
  }

  @Test func `R2 the pool is a stack, and identifiers never mix`() throws {
    struct Picture: RowViewModel { let id: Int }
    final class PictureCell: Cell, RowCell { func configure(with row: Picture) {} }
    var registry = CellRegistry<AnyRow<Int>>()
    registry.register(TestCell.self)
    registry.register(PictureCell.self)
    let table = RetainedTable<TestSection, AnyRow<Int>>(cells: registry, height: 2)
    try table.show([TestRow(1), TestRow(2)])
    let cells = table.visibleRows.map(\.cell)
    try table.show([Picture(id: 3), Picture(id: 4)])
    #expect(table.visibleRows.allSatisfy { $0.cell is PictureCell })
    #expect(table.statistics.values.map(\.created) == [2, 2])
    // Pooled 1, then 2: the last one comes out first.
    try table.show([TestRow(5), TestRow(6)])
    #expect(areSame(table.visibleRows.map(\.cell), cells.reversed()))
  }

  @Test func `R3 a cell is prepared once for each reuse, and not when it is fresh or updated`() throws {
    let table = TestTable.make(height: 1)
    try table.show(.rows([1, 2, 3]))
    let cell = try #require(table.cell(of: 1))
    #expect(cell.preparations == 0)
    #expect(try table.show(.rows([1, 2, 3], "new")).cells.map(\.event) == [.reconfigured])
    #expect(cell.preparations == 0 && cell.configurations == 2)
    try table.scroll(byLines: 1)
    #expect(table.cell(of: 2) === cell)
    #expect(cell.preparations == 1 && cell.configurations == 3)
  }

  @Test func `R9 a slow scroll keeps at most one cell more than is visible, a jump at most twice as many`() throws {
    let table = TestTable.make(height: 10, poolCap: 100)
    try table.show(.rows(0..<1_000))
    for _ in 0..<500 { try table.scroll(byLines: 1) }
    #expect(table.totals.created <= 11)
    for line in [0, 900, 30, 500] { try table.scroll(toLine: line) }
    #expect(table.totals.created <= 20)
  }

  @Test func `R9 the pool discards what exceeds its cap, and drains on demand`() throws {
    let table = TestTable.make(height: 10, poolCap: 3)
    try table.show(.rows(0..<10))
    try table.show(.rows([]))
    #expect(table.totals.pooled == 3 && table.totals.discarded == 7)
    table.drain()
    #expect(table.totals.pooled == 0 && table.totals.discarded == 10)
    let without = TestTable.make(height: 10, poolCap: 0)
    try without.show(.rows(0..<10))
    try without.show(.rows([]))
    #expect(without.totals.pooled == 0 && without.totals.discarded == 10)
  }
}

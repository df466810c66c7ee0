import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// One test for each rule of part B that the table keeps.
@Suite(.watched) struct ReuseRuleTests {
  private func list(_ ids: some Sequence<Int>, text: String = "") throws -> TestSnapshot {
    try TestSnapshot([ListSection(TestSection("a"), rows: ids.map { TestRow($0, text) })])
  }

  @Test func `R1 an identifier that was never registered is a typed error, and nothing changes`() throws {
    let table = TestTable(cells: CellRegistry<TestRow>(), height: 3)
    #expect(throws: TableError.unregistered(identifier: "RowcastTestSupport.TestRow")) { try table.show(list([1])) }
    #expect(table.revision == nil && table.snapshot.isEmpty && table.visibleRows.isEmpty)
    #expect(
      TableError.unregistered(identifier: "x").description.hasPrefix(
        "unable to dequeue a cell with identifier x - must register a nib or a class for the identifier or connect a "
          + "prototype cell in a storyboard"))
  }

  @Test func `R2 the pool is a stack, and identifiers never mix`() throws {
    struct Picture: RowViewModel { let id: Int }
    final class TextCell: Cell, RowCell { func configure(with row: TestRow) {} }
    final class PictureCell: Cell, RowCell { func configure(with row: Picture) {} }
    var registry = CellRegistry<AnyRow<Int>>()
    registry.register(TextCell.self)
    registry.register(PictureCell.self)
    let table = RetainedTable<TestSection, AnyRow<Int>>(cells: registry, height: 2)
    func list(_ rows: [any RowViewModel<Int>]) throws -> ListSnapshot<TestSection, AnyRow<Int>> {
      try ListSnapshot([ListSection(TestSection("a"), rows: rows.map { row in AnyRow.erasing(row) })])
    }
    try table.apply(ListUpdate(initial: list([TestRow(1), TestRow(2)]), revision: 0))
    let cells = table.visibleRows.map(\.cell)
    try table.apply(ListUpdate(initial: list([Picture(id: 3), Picture(id: 4)]), revision: 1))
    #expect(table.visibleRows.allSatisfy { $0.cell is PictureCell })
    #expect(table.statistics.values.map(\.created) == [2, 2])
    // Pooled 1, then 2: the last one comes out first.
    try table.apply(ListUpdate(initial: list([TestRow(5), TestRow(6)]), revision: 2))
    #expect(table.visibleRows[0].cell === cells[1])
    #expect(table.visibleRows[1].cell === cells[0])
  }

  @Test func `R3 a cell is prepared once for each reuse, and not when it is fresh or updated`() throws {
    let table = TestTable.make(height: 1)
    try table.show(list([1, 2, 3]))
    let cell = try #require(table.cell(of: 1))
    #expect(cell.preparations == 0)
    #expect(try table.show(list([1, 2, 3], text: "new")).cells.map(\.event) == [.reconfigured])
    #expect(cell.preparations == 0 && cell.configurations == 2)
    try table.scroll(byLines: 1)
    #expect(table.cell(of: 2) === cell)
    #expect(cell.preparations == 1 && cell.configurations == 3)
  }

  @Test func `R6 a visible row that moves or is shifted keeps its cell, unconfigured`() throws {
    let table = TestTable.make(height: 4)
    try table.show(list([1, 2, 3, 4]))
    let cells = [1, 2, 3, 4].map { table.cell(of: $0) }
    let report = try table.show(list([4, 1, 2, 3]))
    #expect(report.cells.isEmpty)
    #expect([1, 2, 3, 4].map { table.cell(of: $0) }.elementsEqual(cells) { $0 === $1 })
    try table.show(list([9, 4, 1, 2, 3]))
    #expect(table.cell(of: 1)?.configurations == 1)
  }

  @Test func `R6 B3 a row that leaves a deleted section keeps its cell`() throws {
    let table = TestTable.make(height: 4)
    try table.show(.of(("a", [1]), ("b", [2])))
    let cell = table.cell(of: 1)
    try table.show(.of(("b", [2, 1])))
    #expect(table.cell(of: 1) === cell && cell?.configurations == 1)
    try table.show(.of(("n", [1]), ("b", [2])))
    #expect(table.cell(of: 1) === cell && cell?.configurations == 1)
  }

  @Test func `R4 R6 rows that come and go between visible ones are seen, also if their number stays`() throws {
    let table = TestTable.make(height: 6)
    try table.show(list(0..<20))
    try table.scroll(toLine: 4)
    let cells = [4, 5, 7, 8, 9].map { table.cell(of: $0) }
    try table.show(list(Array(0..<6) + [7, 8, 100] + Array(9..<20)))
    #expect(table.ids == [4, 5, 7, 8, 100, 9])
    #expect([4, 5, 7, 8, 9].map { table.cell(of: $0) }.elementsEqual(cells) { $0 === $1 })
    #expect(table.visibleRows.allSatisfy { ($0.cell as? TestCell)?.row == $0.row })
  }

  @Test func `R8 reloading pools every visible cell and makes none`() throws {
    let table = TestTable.make(height: 4)
    try table.show(list(0..<10))
    let cells = Set(table.visibleRows.map { ObjectIdentifier($0.cell) })
    let report = try table.reloadAll()
    #expect(report.cells.map(\.event) == Array(repeating: .reused, count: 4))
    #expect(Set(table.visibleRows.map { ObjectIdentifier($0.cell) }) == cells)
    #expect(table.ids == [0, 1, 2, 3] && table.totals.created == 4 && table.totals.hits == 4)
    #expect(table.cell(of: 0)?.preparations == 1 && table.cell(of: 0)?.configurations == 2)
  }

  @Test func `R9 a slow scroll keeps at most one cell more than is visible, a jump at most twice as many`() throws {
    let table = TestTable.make(height: 10, poolCap: 100)
    try table.show(list(0..<1_000))
    for _ in 0..<500 { try table.scroll(byLines: 1) }
    #expect(table.totals.created <= 11)
    for line in [0, 900, 30, 500] { try table.scroll(toLine: line) }
    #expect(table.totals.created <= 20)
  }

  @Test func `R9 the pool discards what exceeds its cap, and drains on demand`() throws {
    let table = TestTable.make(height: 10, poolCap: 3)
    try table.show(list(0..<10))
    try table.show(list([]))
    #expect(table.totals.pooled == 3 && table.totals.discarded == 7)
    table.drain()
    #expect(table.totals.pooled == 0 && table.totals.discarded == 10)
  }
}

extension AnyRow {
  static func erasing(_ row: any RowViewModel<ID>) -> AnyRow {
    func open(_ row: some RowViewModel<ID>) -> AnyRow { AnyRow(row) }
    return open(row)
  }
}

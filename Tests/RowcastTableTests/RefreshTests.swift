import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// Rows whose look depends on what `==` ignores.
@Suite(.watched) struct RefreshTests {
  private func rows(_ ids: Range<Int>) throws -> PlacedList {
    try PlacedList([ListSection(PlacedSection(id: 1), rows: ids.map { PlacedRow(id: $0, lines: 1, group: 0) })])
  }

  private func events(_ report: ApplyReport) -> [String] {
    report.cells.map { "\($0.event) \($0.element.rowPath?.row ?? -1)" }
  }

  @Test func `rows on the screen and near it are configured again when that is asked for, and no other`() throws {
    let surroundings = Surroundings(estimates: false)
    let table = PlacedTable(cells: PlacedCells(surroundings: surroundings), height: 6)
    table.workingRange = 1
    try table.viewDidPerform(rows(0..<40))
    try table.scroll(toLine: 10)
    let (cells, count) = (table.visibleRows.map(\.cell), table.configurationCount)
    let report = try table.refresh([3, 9, 12, 99])
    #expect(events(report) == ["reconfigured 12", "reconfigured 9"] && report.changes.isEmpty)
    #expect(table.configurationCount == count + 2 && table.position == nil)
    #expect(zip(table.visibleRows.map(\.cell), cells).allSatisfy { $0 === $1 })
    #expect(try table.refresh([]).cells.isEmpty)
  }

  @Test func `a refreshed row that has no cell by now leaves everything, and one of another kind gets another cell`()
    throws
  {
    final class Switch { var kind: String? = "a" }
    struct Cells: CellProvider {
      let hook: Switch
      func request(for row: TestRow) throws(TableError) -> CellRequest {
        guard let kind = hook.kind else { throw .unregistered(identifier: "none") }
        return CellRequest(TestCell.self, showing: row, reuseIdentifier: kind)
      }
    }
    let hook = Switch()
    let table = TestTable(cells: Cells(hook: hook), height: 3)
    try table.show(.of(("a", [1, 2, 3, 4])))
    let (cells, statistics) = (table.visibleRows.map(\.cell), table.statistics)
    hook.kind = nil
    #expect(throws: TableError.unregistered(identifier: "none")) { try table.refresh([2]) }
    #expect(table.statistics == statistics && zip(table.visibleRows.map(\.cell), cells).allSatisfy { $0 === $1 })
    hook.kind = "b"
    #expect(events(try table.refresh([2])) == ["replaced 1"])
    #expect(table.visibleRows.map(\.cell.reuseIdentifier) == ["a", "b", "a"])
  }

  @Test func `R16 heights that are taken back are measured where they are seen, and configure nothing`() throws {
    let surroundings = Surroundings(estimates: false)
    let table = PlacedTable(cells: PlacedCells(surroundings: surroundings), height: 6, estimatedRowHeight: 2)
    try table.viewDidPerform(rows(0..<20))
    surroundings.scale = 3
    let configured = table.configurationCount
    try table.invalidateHeights()
    #expect(table.configurationCount == configured && table.contentHeight == 2 * 3 + 18 * 2)
    #expect(try table.invalidateHeight(of: 99) == nil)
  }
}

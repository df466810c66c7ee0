import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// R17: headers and footers that some sections have, and others have not.
@Suite(.watched) struct SectionHeaderTests {
  /// Headers and footers as their sections say, with a count of those asked for.
  private final class Calls { var count = 0 }

  private struct Headers: CellProvider {
    let calls: Calls
    func request(for row: PlacedSection) throws(TableError) -> CellRequest {
      calls.count += 1
      return CellRequest(PlacedHeader.self, showing: row)
    }
  }

  /// Sections of three rows of one line, 10 to 12, 20 to 22 and so on, with headers of some heights.
  private func list(_ heights: [Int]) throws -> PlacedList {
    try PlacedList(
      heights.enumerated().map { index, lines in
        ListSection(
          PlacedSection(id: index + 1, lines: lines),
          rows: (0..<3).map { PlacedRow(id: 10 * (index + 1) + $0, lines: 1, group: 0) })
      })
  }

  private func show(_ heights: [Int], in table: PlacedTable) throws {
    let (list, revision) = (try list(heights), table.revision)
    try table.apply(
      ListUpdate(
        revision: (revision ?? -1) + 1, previous: revision, changes: table.snapshot.changes(to: list), snapshot: list))
  }

  private func table(_ heights: [Int], height: Int, calls: Calls = Calls()) throws -> PlacedTable {
    let table = PlacedTable(
      cells: PlacedCells(surroundings: Surroundings(estimates: true)), headers: Headers(calls: calls), height: height)
    try show(heights, in: table)
    return table
  }

  private func elements(_ table: PlacedTable) -> [String] {
    table.visibleElements.map { shown in
      shown.element.rowPath.map { "\(table.snapshot.row(at: $0).id)" } ?? "section \(shown.element.section + 1)"
    }
  }

  @Test func `a header that a section gets is pinned, and one that it loses is not`() throws {
    // Rows of two sections, and rows of one: the screen need not be laid out for these.
    for (height, rows) in [(4, ["21", "22", "30", "31"]), (2, ["21", "22"])] {
      let table = try table([0, 0, 0], height: height)
      table.pinsHeaders = true
      try table.scroll(to: 21, at: .top)
      #expect(elements(table) == rows)
      try show([0, 1, 0], in: table)
      #expect(elements(table) == ["section 2"] + rows && table.visibleElements[1].line == 0)
      try show([0, 0, 0], in: table)
      #expect(elements(table) == rows)
    }
  }

  @Test func `headers are asked for when their sections come or change, and not otherwise`() throws {
    let calls = Calls()
    let table = try table(Array(repeating: 1, count: 100), height: 4, calls: calls)
    // All, and once more for the cell of the visible one.
    #expect(calls.count == 101)
    try table.scroll(byLines: 1)
    #expect(calls.count == 102)
    var list = try list(Array(repeating: 1, count: 100)).contents.map { ListSection($0.section, rows: Array($0.rows)) }
    list[50].rows.removeLast()
    try table.apply(
      ListUpdate(
        revision: 1, previous: 0, changes: table.snapshot.changes(to: PlacedList(list)), snapshot: PlacedList(list)))
    #expect(calls.count == 102)
    list[60].model.lines = 2
    try table.apply(
      ListUpdate(
        revision: 2, previous: 1, changes: table.snapshot.changes(to: PlacedList(list)), snapshot: PlacedList(list)))
    #expect(calls.count == 103 && table.contentHeight == 100 + 299 + 1)
  }

  @Test func `other cells show the same rows, and those of one class are used again`() throws {
    let table = try table([1, 1, 1, 1], height: 5)
    let surroundings = Surroundings(estimates: true)
    let report = try table.replaceCells(
      with: PlacedCells(surroundings: surroundings, isOther: true),
      headers: PlacedHeaders(surroundings: surroundings))
    #expect(table.visibleRows.allSatisfy { ($0.cell as? OtherPlacedCell)?.row == $0.row })
    // The class of the headers is the same; the other cells are of no use any more.
    #expect(report.count(.created) == 3 && report.count(.reused) == 2)
    #expect(table.totals.created == table.totals.visible + table.totals.pooled + table.totals.discarded)
    try table.replaceCells(with: PlacedCells(surroundings: surroundings))
    #expect(table.visibleRows.allSatisfy { $0.cell is PlacedCell })
  }

  @Test func `other cells that cannot show the rows leave the table as it was`() throws {
    let table = try table([1, 1], height: 5)
    let (before, cell) = (elements(table), table.visibleElements[1].cell)
    #expect(throws: TableError.self) { try table.replaceCells(with: CellRegistry<PlacedRow>()) }
    #expect(elements(table) == before && table.visibleElements[1].cell === cell && table.contentHeight == 8)
    try table.scroll(byLines: 1)
    #expect(elements(table) == ["10", "11", "12", "section 2", "20"])
    // Cells of this kind are of one class, as before.
    try show([1, 1, 1], in: table)
    #expect(table.visibleRows.allSatisfy { $0.cell is PlacedCell })
  }

  @Test func `a header is one cell while it is pinned, and is pooled with the end of its section`() throws {
    let table = try table([1, 1, 1], height: 3)
    table.pinsHeaders = true
    let cell = try #require(table.visibleElements.first?.cell)
    let configurations = table.configurationCount
    for _ in 0..<3 {
      try table.scroll(byLines: 1)
      #expect(table.visibleElements.first?.cell === cell)
    }
    // Two rows came, and the next header.
    #expect(table.configurationCount == configurations + 3)
    try table.scroll(byLines: 2)
    let statistics = try #require(table.sectionStatistics.values.first)
    #expect(table.visibleElements.first?.cell !== cell)
    #expect(statistics.created == 2 && statistics.visible == 1 && statistics.pooled == 1)
    // It is dequeued again for the third section.
    try table.scroll(toLine: 9)
    #expect(table.sectionStatistics.values.first?.created == 2)
  }
}

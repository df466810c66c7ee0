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

  private func table(_ heights: [Int], height: Int, calls: Calls = Calls()) throws -> PlacedTable {
    let table = PlacedTable(
      cells: PlacedCells(surroundings: Surroundings(estimates: true)), headers: Headers(calls: calls), height: height)
    try table.show(list(heights))
    return table
  }

  @Test func `headers are asked for when their sections come or change, and not otherwise`() throws {
    let calls = Calls()
    let table = try table(Array(repeating: 1, count: 100), height: 4, calls: calls)
    // All, and once more for the cell of the visible one.
    #expect(calls.count == 101)
    try table.scroll(byLines: 1)
    #expect(calls.count == 102)
    var parts = table.snapshot.contents.map { ListSection($0.section, rows: Array($0.rows)) }
    parts[50].rows.removeLast()
    try table.show(PlacedList(parts))
    #expect(calls.count == 102)
    parts[60].model.lines = 2
    try table.show(PlacedList(parts))
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

  @Test func `headers and footers are cells: kept, moved, configured anew only when they change, pooled`() throws {
    let surroundings = Surroundings(estimates: true)
    let table = PlacedTable(
      cells: PlacedCells(surroundings: surroundings), headers: PlacedHeaders(surroundings: surroundings),
      footers: PlacedHeaders(surroundings: surroundings), height: 12)
    func header(_ section: Int) -> Cell? {
      table.visibleElements.first { $0.element == .header(section: section) }?.cell
    }
    try table.show(list([1, 1]))
    let elements: [TableElement] = (0..<2).flatMap { section -> [TableElement] in
      let rows = (0..<3).map { TableElement.row(RowPath(section: section, row: $0)) }
      return [.header(section: section)] + rows + [.footer(section: section)]
    }
    #expect(table.visibleElements.map(\.element) == elements)
    let (first, second) = (header(0), header(1))
    #expect(table.sectionStatistics.values.map(\.created) == [4] && table.configurationCount == 10)
    var parts = table.snapshot.contents.map { ListSection($0.section, rows: Array($0.rows)) }
    parts.reverse()
    try table.show(PlacedList(parts))
    #expect(header(0) === second && header(1) === first && table.configurationCount == 10)
    parts[0].model.lines = 2
    try table.show(PlacedList(parts))
    #expect(header(0) === second && (second as? PlacedHeader)?.section?.lines == 2)
    #expect(table.configurationCount == 12)
    try table.show(PlacedList([ListSection(PlacedSection(id: 9), rows: parts[0].rows)]))
    #expect(table.sectionStatistics.values.map(\.created) == [4])
    #expect(table.sectionStatistics.values.map(\.pooled) == [2])
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

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

  @Test func `a section without a header takes no line and no cell, and the height is right before it is seen`() throws
  {
    let table = try table([0, 1, 0, 2, 0], height: 6)
    #expect(table.contentHeight == 15 + 3)
    #expect(elements(table) == ["10", "11", "12", "section 2", "20", "21"])
    #expect(table.sectionStatistics.values.map(\.created) == [1])
    try table.scroll(byLines: 3)
    #expect(elements(table) == ["section 2", "20", "21", "22", "30", "31"])
    try table.scroll(toLine: .max)
    #expect(elements(table) == ["40", "41", "42", "50", "51", "52"])
    #expect(table.contentHeight == 15 + 3 && table.topLine == 12)
  }

  @Test func `a header comes and goes with its section's content, and what is read stays in place`() throws {
    let table = try table([0, 0, 0], height: 4)
    try table.scroll(to: 20, at: .top)
    try show([2, 1, 0], in: table)
    #expect(elements(table) == ["20", "21", "22", "30"] && table.contentHeight == 12 && table.topLine == 6)
    try show([2, 1, 1], in: table)
    #expect(elements(table) == ["20", "21", "22", "section 3"])
    let cell = table.visibleElements[3].cell
    try show([0, 0, 0], in: table)
    #expect(elements(table) == ["20", "21", "22", "30"] && table.contentHeight == 9 && table.topLine == 3)
    #expect(table.sectionStatistics.values.map(\.pooled) == [1])
    try show([0, 0, 3], in: table)
    #expect(table.visibleElements[3].cell === cell && table.visibleElements[3].height == 3)
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

  @Test func `other cells show the same rows, and place, focus and selection stay`() throws {
    let table = try table([1, 1, 1, 1], height: 5)
    try table.scroll(to: 30, at: .top)
    table.focus(31)
    table.select(32)
    let surroundings = Surroundings(estimates: true)
    let report = try table.replaceCells(
      with: PlacedCells(surroundings: surroundings, isOther: true),
      headers: PlacedHeaders(surroundings: surroundings))
    #expect(elements(table) == ["30", "31", "32", "section 4", "40"])
    #expect(table.visibleRows.allSatisfy { ($0.cell as? OtherPlacedCell)?.row == $0.row })
    #expect(table.focusedID == 31 && table.selection == [32])
    // The class of the header is the same, so its cell is used again; the others are of no use any more.
    #expect(report.count(.created) == 4 && report.count(.reused) == 1)
    #expect(table.totals.created == table.totals.visible + table.totals.pooled + table.totals.discarded)
    // Without headers, what is read stays where it is.
    try table.replaceCells(with: PlacedCells(surroundings: surroundings))
    #expect(elements(table) == ["30", "31", "32", "40", "41"] && table.contentHeight == 12 && table.topLine == 6)
    #expect(table.visibleRows.allSatisfy { $0.cell is PlacedCell })
    try table.replaceCells(
      with: PlacedCells(surroundings: surroundings), headers: PlacedHeaders(surroundings: surroundings))
    #expect(elements(table) == ["30", "31", "32", "section 4", "40"] && table.topLine == 9)
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
}

import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// R17: headers that stay at the top while their sections are on the screen.
@Suite(.watched) struct PinnedHeaderTests {
  /// A table with pinned headers of some lines over sections of ten rows of one line: 10 to 19, 20 to 29 and so on.
  private func table(height: Int, headerLines: Int = 1, sections: Int = 3) throws -> PlacedTable {
    let surroundings = Surroundings(estimates: true)
    let table = PlacedTable(
      cells: PlacedCells(surroundings: surroundings), headers: PlacedHeaders(surroundings: surroundings),
      height: height)
    table.pinsHeaders = true
    let list = try PlacedList(
      (1...sections).map { section in
        ListSection(
          PlacedSection(id: section, lines: headerLines),
          rows: (0..<10).map { PlacedRow(id: 10 * section + $0, lines: 1, group: 0) })
      })
    try table.apply(ListUpdate(initial: list, revision: 0))
    return table
  }

  /// What is seen on each line of the screen: the ids of rows, and of sections for headers.
  private func seen(_ table: PlacedTable) -> [String] {
    var lines = [String](repeating: "", count: table.height)
    // From the bottom to the top, so that a pinned header covers what it does.
    for shown in table.visibleElements.reversed() {
      for line in max(0, shown.line)..<min(table.height, shown.line + shown.height) {
        lines[line] =
          shown.element.rowPath.map { "\(table.snapshot.row(at: $0).id)" }
          ?? "section \(table.snapshot.section(at: shown.element.section).id)"
      }
    }
    return lines
  }

  /// Shows the list with another row instead of one, or without it.
  private func replace(_ id: Int, in table: PlacedTable, with row: PlacedRow?) throws {
    let list = try PlacedList(
      table.snapshot.contents.map { content in
        ListSection(content.section, rows: content.rows.compactMap { $0.id == id ? row : $0 })
      })
    let revision = table.revision ?? 0
    try table.apply(
      ListUpdate(
        revision: revision + 1, previous: revision, changes: table.snapshot.changes(to: list), snapshot: list))
  }

  @Test func `a header stays above its rows, and the next one pushes it out line by line`() throws {
    let table = try table(height: 4, headerLines: 2)
    #expect(seen(table) == ["section 1", "section 1", "10", "11"])
    try table.scroll(byLines: 1)
    #expect(seen(table) == ["section 1", "section 1", "11", "12"])
    try table.scroll(toLine: 9)
    #expect(seen(table) == ["section 1", "section 1", "19", "section 2"])
    try table.scroll(byLines: 1)
    #expect(seen(table) == ["section 1", "section 1", "section 2", "section 2"])
    try table.scroll(byLines: 1)
    #expect(seen(table) == ["section 1", "section 2", "section 2", "20"])
    #expect(table.visibleElements.first?.line == -1)
    try table.scroll(byLines: 1)
    #expect(seen(table) == ["section 2", "section 2", "20", "21"])
    table.pinsHeaders = false
    try table.scroll(byLines: 3)
    #expect(seen(table) == ["21", "22", "23", "24"])
  }

  @Test func `a header is one cell while it is pinned, and is pooled with the end of its section`() throws {
    let table = try table(height: 4)
    let cell = try #require(table.visibleElements.first?.cell)
    let configurations = table.configurationCount
    for _ in 0..<9 {
      try table.scroll(byLines: 1)
      #expect(table.visibleElements.first?.cell === cell)
    }
    // Nine rows came, and the next header.
    #expect(table.configurationCount == configurations + 9)
    try table.scroll(byLines: 3)
    let statistics = try #require(table.sectionStatistics.values.first)
    #expect(table.visibleElements.first?.cell !== cell)
    #expect(statistics.created == 2 && statistics.visible == 1 && statistics.pooled == 1)
    // It is dequeued again for the third section.
    try table.scroll(toLine: 25)
    #expect(table.sectionStatistics.values.first?.created == 2)
  }

  @Test func `a row that is scrolled to, or gets the focus, is not covered by the header`() throws {
    let table = try table(height: 5, headerLines: 2)
    try table.scroll(to: 25, at: .top)
    #expect(seen(table) == ["section 2", "section 2", "25", "26", "27"])
    try table.scroll(to: 24)
    #expect(seen(table) == ["section 2", "section 2", "24", "25", "26"])
    table.focus(24)
    try table.moveFocus(byRows: -3)
    #expect(seen(table) == ["section 2", "section 2", "21", "22", "23"])
    try table.scroll(to: 20, at: .top)
    #expect(seen(table) == ["section 2", "section 2", "20", "21", "22"] && table.topLine == 12)
  }

  @Test func `a row that is covered grows or leaves, and what is read stays in place`() throws {
    let table = try table(height: 4)
    try table.scroll(to: 25, at: .top)
    #expect(seen(table) == ["section 2", "25", "26", "27"])
    try replace(24, in: table, with: PlacedRow(id: 24, lines: 3, group: 0))
    #expect(seen(table) == ["section 2", "25", "26", "27"])
    try replace(24, in: table, with: nil)
    #expect(seen(table) == ["section 2", "25", "26", "27"])
    try replace(25, in: table, with: nil)
    #expect(seen(table).dropFirst(2) == ["26", "27"])
  }

  @Test func `a header that leaves no line to the rows is not pinned`() throws {
    let table = try table(height: 2, headerLines: 2)
    try table.scroll(byLines: 3)
    #expect(seen(table) == ["11", "12"])
    try table.resize(toHeight: 3)
    #expect(seen(table) == ["section 1", "section 1", "13"])
  }

  @Test func `a last row that grows keeps a follower at the end, and a reader where they are`() throws {
    for pinsHeaders in [false, true] {
      let table = try table(height: 4)
      table.pinsHeaders = pinsHeaders
      table.followsTail = true
      try table.scroll(toLine: table.contentHeight)
      for lines in 2...9 {
        try replace(39, in: table, with: PlacedRow(id: 39, lines: lines, group: 0))
        #expect(table.topLine + table.height == table.contentHeight)
        #expect(seen(table).last == "39")
      }
      try table.scroll(to: 35, at: .top)
      let before = seen(table)
      for lines in 10...15 {
        try replace(39, in: table, with: PlacedRow(id: 39, lines: lines, group: 0))
        #expect(seen(table) == before)
      }
    }
  }
}

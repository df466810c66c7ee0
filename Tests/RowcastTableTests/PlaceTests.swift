import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// Heights and places that an index of the list before, or a height of it, would get wrong.
@Suite(.watched) struct PlaceTests {
  private let surroundings = Surroundings(estimates: false)

  private func makeTable(height: Int, estimate: Int? = 1) -> PlacedTable {
    PlacedTable(cells: PlacedCells(surroundings: surroundings), height: height, estimatedRowHeight: estimate)
  }

  private func list(_ sections: (id: Int, rows: [(id: Int, lines: Int)])...) throws -> PlacedList {
    try PlacedList(
      sections.map { section in
        ListSection(
          PlacedSection(id: section.id), rows: section.rows.map { PlacedRow(id: $0.id, lines: $0.lines, group: 0) })
      })
  }

  private func rows(_ ids: some Sequence<Int>, _ lines: Int) -> [(id: Int, lines: Int)] { ids.map { ($0, lines) } }

  /// The rows on the screen, each with the line at which it begins.
  private func screen(_ table: PlacedTable) -> [[Int]] {
    zip(table.visibleRows, table.visibleElements).map { [$0.row.id, $1.line] }
  }

  @Test func `R16 rows whose section is replaced keep their heights and their place`() throws {
    let table = makeTable(height: 10)
    try table.viewDidPerform(list((1, rows(0..<9, 3))))
    for _ in 0..<9 { try table.scroll(byLines: 3) }
    try table.scroll(toLine: 10)
    let (shown, cells) = (screen(table), table.visibleRows.map(\.cell))
    try table.viewDidPerform(list((2, rows([90], 3) + rows(0..<4, 3)), (3, rows(4..<9, 3))))
    #expect(screen(table) == shown && zip(table.visibleRows.map(\.cell), cells).allSatisfy { $0 === $1 })
    // The new row above was never seen.
    #expect(table.contentHeight == 9 * 3 + 1 && table.topLine == 11)
    try table.scroll(to: 8)
    #expect(screen(table) == [[5, -2], [6, 1], [7, 4], [8, 7]])
  }

  @Test func `R15 the focus goes to the next row that is left, whatever comes and goes above it`() throws {
    let table = makeTable(height: 5)
    try table.viewDidPerform(list((1, rows(0..<50, 1))))
    table.focus(20)
    try table.viewDidPerform(list((1, rows(Array(10..<20) + Array(23..<50), 1))))
    #expect(table.focusedID == 23)
    try table.viewDidPerform(list((2, rows(Array(60..<90) + (24..<50).reversed(), 1))))
    #expect(table.focusedID == 24)
    try table.viewDidPerform(list((2, rows(60..<90, 1))))
    #expect(table.focusedID == 89)
    try table.viewDidPerform(list((2, rows(100..<110, 1))))
    #expect(table.focusedID == nil)
  }

  @Test func `R12 a row of which only the end is visible folds, and what is below it stays in place`() throws {
    let table = makeTable(height: 6)
    try table.viewDidPerform(list((1, rows(0..<3, 2) + [(3, 20)] + rows(4..<20, 2))))
    for _ in 0..<12 { try table.scroll(byLines: 6) }
    try table.scroll(toLine: 24)
    #expect(screen(table) == [[3, -18], [4, 2], [5, 4]])
    try table.viewDidPerform(list((1, rows(0..<3, 2) + [(3, 1)] + rows(4..<20, 2))))
    #expect(screen(table) == [[2, -1], [3, 1], [4, 2], [5, 4]])
  }

  @Test func `R12 a row that fills the screen shrinks, and its last line is the first`() throws {
    let table = makeTable(height: 6)
    try table.viewDidPerform(list((1, rows(0..<3, 2) + [(3, 40)] + rows(4..<20, 2))))
    for _ in 0..<16 { try table.scroll(byLines: 6) }
    try table.scroll(toLine: 30)
    #expect(screen(table) == [[3, -24]])
    try table.viewDidPerform(list((1, rows(0..<3, 2) + [(3, 5)] + rows(4..<20, 2))))
    #expect(screen(table) == [[3, -4], [4, 1], [5, 3], [6, 5]])
  }

  @Test func `R16 heights that are taken back are estimated again, and measured where they are seen`() throws {
    let table = makeTable(height: 6, estimate: 2)
    try table.viewDidPerform(list((1, rows(0..<20, 1))))
    for _ in 0..<9 { try table.scroll(byLines: 5) }
    try table.scroll(toLine: 4)
    #expect(table.contentHeight == 20 && table.topLine == 4)
    surroundings.scale = 3
    let configured = table.configurationCount
    try table.invalidateHeights()
    #expect(table.configurationCount == configured && screen(table) == [[4, 0], [5, 3]])
    #expect(table.contentHeight == 2 * 3 + 18 * 2 && table.topLine == 4 * 2)
    surroundings.extra[4] = 2
    try table.invalidateHeight(of: 4)
    #expect(table.contentHeight == 5 + 3 + 18 * 2 && screen(table) == [[4, 0], [5, 5]])
    surroundings.scale = 1
    try table.reloadAll()
    #expect(screen(table) == [[4, 0], [5, 3], [6, 4], [7, 5]] && table.contentHeight == 3 + 3 + 16 * 2)
    surroundings.scale = 2
    try table.resize(toHeight: 6, width: 40)
    #expect(screen(table) == [[4, 0], [5, 4]] && table.contentHeight == 4 + 2 + 18 * 2)
    #expect(try table.invalidateHeight(of: 99) == nil)
  }

  @Test func `R12 a table without lines on the screen keeps its place and its end`() throws {
    let table = makeTable(height: 6)
    try table.viewDidPerform(list((1, rows(0..<40, 1) + [(40, 4)])))
    try table.scroll(toLine: 20)
    try table.resize(toHeight: 0)
    try table.viewDidPerform(list((2, rows(Array(70..<75) + Array(10..<40), 1) + [(40, 4)])))
    try table.resize(toHeight: 6)
    #expect(screen(table).first == [20, 0])
    table.followsTail = true
    try table.scroll(toLine: 99)
    try table.resize(toHeight: 0)
    try table.viewDidPerform(list((2, rows(10..<40, 1) + [(40, 4), (41, 3)])))
    try table.resize(toHeight: 6)
    #expect(screen(table) == [[40, -1], [41, 3]])
  }
}

import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// A cell with as many lines as its row's text says.
final class TallCell: Cell, RowCell {
  private(set) var row: TestRow?
  static func height(of row: TestRow) -> Int { Int(row.text) ?? 1 }
  func configure(with row: TestRow) { self.row = row }
}

/// Rows of several heights.
@Suite(.watched) struct HeightTests {
  private func makeTable(height: Int, estimate: Int = 1, workingRange: Int = 0) -> TestTable {
    var registry = CellRegistry<TestRow>()
    registry.register(TallCell.self)
    let table = TestTable(cells: registry, height: height, estimatedRowHeight: estimate)
    table.workingRange = workingRange
    return table
  }

  private func list(_ heights: [(id: Int, height: Int)]) throws -> TestSnapshot {
    try TestSnapshot([
      ListSection(TestSection("a"), rows: heights.map { TestRow($0.id, String($0.height)) })
    ])
  }

  /// What stands on the lines of the screen: an id for each line.
  private func screen(_ table: TestTable) -> [Int] {
    table.lines.compactMap(\.element.rowPath).map { table.snapshot.row(at: $0).id }
  }

  @Test func `R13 the content is as high as what was measured, and an estimate for each row that was not`() throws {
    let table = makeTable(height: 4, estimate: 2)
    try table.show(list((0..<100).map { ($0, 3) }))
    #expect(screen(table) == [0, 0, 0, 1])
    #expect(table.lines.map(\.offset) == [0, 1, 2, 0])
    #expect(table.contentHeight == 2 * 3 + 98 * 2)
    try table.scroll(byLines: 3)
    #expect(screen(table) == [1, 1, 1, 2] && table.contentHeight == 3 * 3 + 97 * 2)
    // A row that leaves keeps the height that was measured.
    try table.scroll(byLines: -3)
    #expect(table.contentHeight == 3 * 3 + 97 * 2)
  }

  @Test func `R13 measuring a row above the screen does not move what is on it`() throws {
    let table = makeTable(height: 4, estimate: 1)
    try table.show(list((0..<100).map { ($0, 5) }))
    try table.scroll(to: 50, at: .top)
    #expect(screen(table) == [50, 50, 50, 50] && table.topLine == 54)
    table.workingRange = 3
    try table.scroll(byLines: 0)
    #expect(screen(table) == [50, 50, 50, 50])
    #expect(table.topLine == 66 && table.prefetchedRows.map(\.row.id) == [51, 52, 53, 49, 48, 47])
    try table.scroll(byLines: -1)
    #expect(screen(table) == [49, 50, 50, 50])
  }

  @Test func `a row that is partly above the screen keeps its place, also when rows come above it`() throws {
    let table = makeTable(height: 4)
    try table.show(list((0..<20).map { ($0, 3) }))
    try table.scroll(byLines: 4)
    #expect(screen(table) == [1, 1, 2, 2] && table.visibleElements.first?.line == -1)
    try table.show(list([(100, 2), (101, 7)] + (0..<20).map { ($0, 3) }))
    #expect(screen(table) == [1, 1, 2, 2] && table.lines.first?.offset == 1)
    try table.show(list((0..<20).map { ($0, 3) }.reversed()))
    #expect(screen(table) == [1, 1, 0, 0])
  }

  @Test func `a row that grows pushes what is below it, and one that is gone lets the next take its place`() throws {
    let table = makeTable(height: 6)
    try table.show(list([(1, 2), (2, 2), (3, 2), (4, 2)]))
    try table.show(list([(1, 2), (2, 3), (3, 2), (4, 2)]))
    // The last row was never in view.
    #expect(screen(table) == [1, 1, 2, 2, 2, 3] && table.contentHeight == 8)
    try table.show(list([(1, 2), (3, 2), (4, 2)]))
    #expect(screen(table) == [1, 1, 3, 3, 4, 4])
  }

  @Test func `the end is exact, however wrong the estimates are`() throws {
    for estimate in [1, 2, 9] {
      let table = makeTable(height: 7, estimate: estimate)
      try table.show(list((0..<50).map { ($0, 1 + $0 % 4) }))
      try table.scroll(toLine: table.contentHeight)
      #expect(screen(table) == [47, 47, 47, 47, 48, 49, 49].suffix(7), "\(estimate)")
      #expect(table.topLine + 7 == table.contentHeight)
      try table.scroll(byLines: 5)
      #expect(screen(table).last == 49 && table.lines.last?.offset == 1)
      try table.scroll(toLine: 0)
      #expect(screen(table) == [0, 1, 1, 2, 2, 2, 3] && table.topLine == 0)
      try table.scroll(byLines: -5)
      #expect(table.topLine == 0)
    }
  }

  @Test func `a table that follows its tail shows the last row whole, whatever it measures`() throws {
    let table = makeTable(height: 5)
    table.followsTail = true
    try table.show(list([(1, 2), (2, 2)]))
    try table.show(list([(1, 2), (2, 2), (3, 4)]))
    #expect(screen(table) == [2, 3, 3, 3, 3])
    try table.show(list([(1, 2), (2, 2), (3, 4), (4, 9)]))
    #expect(screen(table) == [4, 4, 4, 4, 4] && table.lines.last?.offset == 8)
  }

  @Test func `rows are brought into view whole, and long ones from their start`() throws {
    let table = makeTable(height: 5, estimate: 3)
    try table.show(list((0..<30).map { ($0, $0 == 20 ? 8 : 3) }))
    try table.scroll(to: 4)
    #expect(screen(table) == [3, 3, 4, 4, 4])
    try table.scroll(to: 3)
    #expect(screen(table) == [3, 3, 3, 4, 4])
    try table.scroll(to: 20)
    #expect(screen(table) == [20, 20, 20, 20, 20] && table.lines.first?.offset == 0)
    try table.scroll(to: 10, at: .middle)
    #expect(screen(table) == [9, 10, 10, 10, 11])
  }

  /// Scrolling line by line is the same as looking at the whole content through a window.
  @Test func `R13 the screen is a window onto the content, through random updates, scrolls and measurements`() throws {
    var random = SeededGenerator.forFuzzing("heights")
    for _ in 0..<SeededGenerator.rounds(40, long: 2_000) {
      let table = makeTable(
        height: Int.random(in: 1...9, using: &random), estimate: Int.random(in: 1...4, using: &random),
        workingRange: Int.random(in: 0...3, using: &random))
      for _ in 0..<30 {
        let (before, height, start) = (screen(table), table.height, table.summary)
        var note: Comment { "seed \(random.seed): \(start), then \(table.summary)" }
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          let lines = Int.random(in: -height...height, using: &random)
          let top = table.topLine
          try table.scroll(byLines: lines)
          // Unless an end is reached, exactly that many lines move.
          if lines > 0, lines < before.count, table.topLine + height < table.contentHeight {
            #expect(screen(table).prefix(before.count - lines) == before.dropFirst(lines), note)
          }
          if lines < 0, -lines < before.count, table.topLine > 0, top > 0 {
            #expect(screen(table).suffix(height + lines) == before.prefix(height + lines), note)
          }
        case 1: try table.scroll(toLine: Int.random(in: 0...80, using: &random))
        case 2: try table.resize(toHeight: Int.random(in: 1...9, using: &random))
        default:
          let ids = (0..<30).filter { _ in Int.random(in: 0..<5, using: &random) > 0 }.shuffled(using: &random)
          try table.show(list(ids.map { ($0, 1 + ($0 * 7) % 5) }))
        }
        check(table, note)
      }
    }
  }

  private func check(_ table: TestTable, _ note: Comment) {
    let screen = screen(table)
    #expect(screen.count == min(table.height, table.contentHeight), note)
    #expect(table.topLine >= 0 && table.topLine + screen.count <= table.contentHeight, note)
    // Rows on the screen follow each other, each whole but for the ends.
    guard let first = table.visibleRows.first else { return }
    let order = table.snapshot.rows(inSection: 0).map { $0 }
    let whole = order[first.path.row...].flatMap { row in Array(repeating: row.id, count: TallCell.height(of: row)) }
    let offset = table.lines.first?.offset ?? 0
    #expect(Array(whole.dropFirst(offset).prefix(screen.count)) == screen, note)
  }
}

import Testing

/// Numbers at the ends of their range are clamped.
@Suite(.watched) struct ExtremeTests {
  @Test(arguments: [Int.max, .max - 1, .max / 2, .max / 3 + 1])
  func `scrolling further than any number of lines stops at the ends`(lines: Int) throws {
    let table = TestTable.make(height: 3)
    try table.show(.rows(0..<20))
    for scroll in [table.scroll(byLines:), table.scroll(byPages:), table.scroll(toLine:)] {
      _ = try scroll(lines)
      #expect(table.ids == [17, 18, 19])
      _ = try scroll(-lines)
      #expect(table.ids == [0, 1, 2])
      _ = try scroll(lines)
      _ = try scroll(.min)
      #expect(table.ids == [0, 1, 2])
    }
  }

  @Test func `the focus goes to the ends of the list, however far it is to go`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.of(("a", [1, 2]), ("b", []), ("c", [3, 4, 5])))
    table.focus(3)
    for (rows, id) in [(Int.min, 1), (.max, 5), (-.max, 1), (.max - 1, 5)] {
      try table.moveFocus(byRows: rows)
      #expect(table.focusedID == id)
    }
    #expect(table.ids == [3, 4, 5])
  }

  @Test func `a screen without an end shows all there is, and stays where it is`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.rows(0..<20))
    try table.scroll(toLine: 9)
    try table.resize(toHeight: .max)
    #expect(table.height == .max && table.ids == Array(0..<20) && table.lines.count == 20)
    for lines in [1, -1, .max, .min] {
      try table.scroll(byLines: lines)
      try table.scroll(byPages: lines)
      try table.scroll(toLine: lines)
    }
    for position in [ScrollPosition.top, .middle, .bottom, .nearest] { try table.scroll(to: 7, at: position) }
    try table.moveFocus(byRows: 1)
    try table.show(.rows(0..<30, "new"))
    table.followsTail = true
    try table.show(.rows(0..<31))
    #expect(table.topLine == 0 && table.ids == Array(0..<31))
    try table.resize(toHeight: 2)
    #expect(table.ids == [29, 30])
    table.workingRange = .max
    try table.scroll(byLines: -20)
    #expect(table.prefetchedRows.map(\.row.id) == Array(11..<31) + (0..<9).reversed())
  }

  @Test(arguments: [Int.max, .max - 1, .max / 2, CellRequest.maximumHeight + 1])
  func `heights and estimates are cut at the most lines that a cell can have`(height: Int) throws {
    let most = CellRequest.maximumHeight
    var registry = CellRegistry<TestRow>()
    registry.register(TallCell.self)
    let table = TestTable(cells: registry, height: 4, estimatedRowHeight: height)
    try table.show(.rows(0..<5, String(height)))
    #expect(table.contentHeight == 5 * most && table.visibleElements.map(\.height) == [most])
    try table.scroll(toLine: .max)
    #expect(table.topLine == 5 * most - 4 && table.ids == [4])
    try table.scroll(byLines: -5)
    try table.scroll(to: 2, at: .middle)
    #expect(table.ids == [2] && table.topLine == 2 * most)
    try table.show(.rows(0..<5))
    #expect(table.ids == [2, 3] || table.ids.count == 4)
    let request = CellRequest(TallCell.self, showing: TestRow(1, String(Int.min)))
    #expect(request.height == 0)
  }

  @Test(arguments: [0, -1, Int.min]) func `estimates of 0 and below are taken to be 1`(estimate: Int) throws {
    let cells = TestCells()
    cells.estimate = estimate
    let table = TestTable(cells: cells, height: 3)
    try table.show(.rows(0..<50))
    #expect(table.contentHeight == 50)
    try table.scroll(toLine: 40)
    #expect(table.ids == [40, 41, 42])
    try table.show(.rows(0..<60))
    #expect(table.contentHeight == 60)
  }
}

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
    try table.show(list([1, 2, 3], text: "new"))
    #expect(cell.preparations == 0 && cell.configurations == 2)
    try table.scroll(byLines: 1)
    #expect(table.cell(of: 2) === cell)
    #expect(cell.preparations == 1 && cell.configurations == 3)
  }

  @Test func `R4 what happens off the screen configures nothing`() throws {
    let table = TestTable.make(height: 3)
    try table.show(list(0..<100))
    let configured = table.configurationCount
    try table.show(list(Array(0..<50) + [500] + Array(50..<100)))
    try table.show(list(Array(0..<40) + Array(60..<100)))
    try table.show(
      TestSnapshot([
        ListSection(
          TestSection("a"), rows: (Array(0..<40) + Array(60..<100)).map { TestRow($0, $0 > 70 ? "new" : "") })
      ]))
    #expect(table.configurationCount == configured)
  }

  @Test func `R5 a visible row that changes keeps its cell, configured once more`() throws {
    let table = TestTable.make(height: 3)
    try table.show(list([1, 2, 3]))
    let cell = table.cell(of: 2)
    let report = try table.show(
      TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(1), TestRow(2, "new"), TestRow(3)])]))
    #expect(table.cell(of: 2) === cell)
    #expect(cell?.configurations == 2 && cell?.row?.text == "new")
    #expect(report.cells.map(\.event) == [.reconfigured])
  }

  @Test func `R5 a row that changes its kind gets another cell, dequeued before the old one is pooled`() throws {
    struct Note: RowViewModel {
      let id: Int
      var kind: String
      var reuseIdentifier: String { kind }
    }
    final class NoteCell: Cell, RowCell { func configure(with row: Note) {} }
    var registry = CellRegistry<Note>()
    registry.registerFallback(NoteCell.self)
    let table = RetainedTable<TestSection, Note>(cells: registry, height: 2)
    func show(_ kind: String, revision: Int) throws -> ApplyReport {
      let list = try ListSnapshot([ListSection(TestSection("a"), rows: [Note(id: 1, kind: kind)])])
      return try table.apply(
        ListUpdate(
          revision: revision, previous: table.revision, changes: table.snapshot.changes(to: list), snapshot: list))
    }
    _ = try show("x", revision: 0)
    let first = table.visibleRows[0].cell
    let report = try show("y", revision: 1)
    #expect(report.cells.map(\.event) == [.replaced])
    #expect(table.visibleRows[0].cell !== first)
    #expect(table.statistics["x"]?.pooled == 1 && table.statistics["y"]?.visible == 1)
    _ = try show("x", revision: 2)
    #expect(table.visibleRows[0].cell === first)
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

  @Test func `R10 cells are conserved through random updates and scrolls, and the screen shows the list`() throws {
    var random = SeededGenerator.forFuzzing("table")
    for _ in 0..<SeededGenerator.rounds(60, long: 2_000) {
      let table = TestTable.make(
        height: Int.random(in: 0...8, using: &random), showsHeaders: Bool.random(using: &random),
        poolCap: Int.random(in: 0...3, using: &random))
      for _ in 0..<40 {
        let before = table.summary
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try table.scroll(byLines: Int.random(in: -6...6, using: &random))
        case 1: try table.resize(toHeight: Int.random(in: 0...8, using: &random))
        case 2: table.followsTail.toggle()
        case 3: if Int.random(in: 0..<6, using: &random) == 0 { try table.reloadAll() }
        default: try table.show(.random(sections: 4, rows: 16, using: &random))
        }
        try Self.check(table, note: "seed \(random.seed): \(before), then \(table.summary)")
      }
    }
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

  @Test func `R10 the screen shows the list through random updates that keep the order of rows`() throws {
    var random = SeededGenerator.forFuzzing("ordered table")
    for _ in 0..<SeededGenerator.rounds(60, long: 2_000) {
      let table = TestTable.make(height: Int.random(in: 1...8, using: &random))
      table.showsArrivalsAtTop = Bool.random(using: &random)
      for _ in 0..<40 {
        let before = table.summary
        if Bool.random(using: &random) { try table.scroll(byLines: Int.random(in: -6...6, using: &random)) }
        let sections = (0..<2).map { section in
          let ids = (0..<15).filter { _ in Int.random(in: 0..<8, using: &random) > 0 }
          let rows = ids.map { id in
            TestRow(20 * section + id, Int.random(in: 0..<9, using: &random) == 0 ? "new" : "")
          }
          return ListSection(TestSection("s\(section)"), rows: rows)
        }
        try table.show(TestSnapshot(sections))
        try Self.check(table, note: "seed \(random.seed): \(before), then \(table.summary)")
      }
    }
  }

  private static func check(_ table: TestTable, note: Comment) throws {
    let all = table.totals
    #expect(all.created == table.visibleRows.count + table.prefetchedRows.count + all.pooled + all.discarded, note)
    #expect(all.dequeues == all.hits + all.created, note)
    let cells = table.visibleRows.map { ObjectIdentifier($0.cell) }
    #expect(Set(cells).count == cells.count, note)
    for visible in table.visibleRows {
      #expect(table.snapshot.row(at: visible.path) == visible.row, note)
      #expect((visible.cell as? TestCell)?.row == visible.row, note)
      #expect((visible.cell as? TestCell)?.isPrepared == false, note)
    }
    guard !table.visibleRows.isEmpty else { return }
    let paths = table.lines.compactMap(\.element.rowPath)
    #expect(table.visibleRows.map(\.path) == paths, note)
    #expect(table.topLine + table.lines.count <= table.contentHeight, note)
  }
}

extension AnyRow {
  static func erasing(_ row: any RowViewModel<ID>) -> AnyRow {
    func open(_ row: some RowViewModel<ID>) -> AnyRow { AnyRow(row) }
    return open(row)
  }
}

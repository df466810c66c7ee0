import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// What throws leaves the table as it was; and what follows rows that go, change or come near.
@Suite(.watched) struct RefusalTests {
  /// Cells for all rows but one.
  private struct PickyCells: CellProvider {
    var refused = 5

    func request(for row: TestRow) throws(TableError) -> CellRequest {
      guard row.id != refused else { throw .unregistered(identifier: "refused") }
      return CellRequest(TestCell.self, showing: row)
    }
  }

  private func rows(_ ids: some Sequence<Int>, text: String = "") throws -> TestSnapshot {
    try TestSnapshot([ListSection(TestSection("a"), rows: ids.map { TestRow($0, text) })])
  }

  private var refusal: TableError { .unregistered(identifier: "refused") }

  @Test func `a focus step that throws leaves the focus, and the screen`() throws {
    let table = TestTable(cells: PickyCells(), height: 3)
    try table.show(rows(0..<9))
    table.focus(2)
    #expect(throws: refusal) { try table.moveFocus(byRows: 3) }
    #expect(table.focusedID == 2 && table.ids == [0, 1, 2] && table.topLine == 0)
    try table.moveFocus(byRows: 2)
    #expect(table.focusedID == 4 && table.ids == [2, 3, 4])
  }

  @Test func `a resize that throws keeps the height, and the screen`() throws {
    let table = TestTable(cells: PickyCells(), height: 3)
    try table.show(rows(0..<9))
    try table.scroll(byLines: 1)
    let (cells, lines) = (table.visibleRows.map(\.cell), table.lines)
    #expect(throws: refusal) { try table.resize(toHeight: 6) }
    #expect(table.height == 3 && table.topLine == 1 && table.lines.elementsEqual(lines) { $0 == $1 })
    #expect(table.visibleRows.map(\.cell).elementsEqual(cells) { $0 === $1 })
    try table.resize(toHeight: 4)
    #expect(table.height == 4 && table.ids == [1, 2, 3, 4])
  }

  @Test func `an update, a scroll and a reload that throw leave everything`() async throws {
    final class Switch { var refused = -1 }
    struct Cells: CellProvider {
      let hook: Switch
      func request(for row: TestRow) throws(TableError) -> CellRequest {
        try PickyCells(refused: hook.refused).request(for: row)
      }
    }
    let hook = Switch()
    let table = TestTable(cells: Cells(hook: hook), height: 3)
    table.selectionMode = .multiple
    try table.show(rows(0..<9))
    table.select(1)
    table.select(2)
    table.focus(1)
    let cells = table.visibleRows.map(\.cell)
    let (lines, statistics, height) = (table.lines, table.statistics, table.contentHeight)
    let events = table.eventStream()
    hook.refused = 20
    #expect(throws: refusal) { try table.show(rows([0, 20, 1], text: "new")) }
    hook.refused = 3
    #expect(throws: refusal) { try table.scroll(byLines: 1) }
    hook.refused = 2
    #expect(throws: refusal) { try table.reloadAll() }
    #expect(table.snapshot == (try rows(0..<9)) && table.revision == 0 && table.contentHeight == height)
    #expect(table.selection == [1, 2] && table.focusedID == 1 && table.lines.elementsEqual(lines) { $0 == $1 })
    #expect(table.statistics == statistics && table.configurationCount == 3)
    #expect(table.visibleRows.map(\.cell).elementsEqual(cells) { $0 === $1 })
    // The next event is that of the next change.
    hook.refused = -1
    try table.scroll(byLines: 1)
    for await event in events {
      #expect(event == .didEndDisplaying(TestRow(0)))
      break
    }
  }

  @Test func `a selected row that was updated is reported with its new content`() async throws {
    let events = try await TestTable.events(height: 2) { table in
      table.selectionMode = .multiple
      try table.show(rows(0..<9))
      table.select(1)
      table.select(7)
      try table.show(rows(0..<9, text: "new"))
      table.deselect(7)
      try table.show(rows([0, 2, 3], text: "new"))
    }
    #expect(
      events.filter(\.isSelection).suffix(2) == [.deselected(TestRow(7, "new")), .deselected(TestRow(1, "new"))])
  }

  @Test func `R11 a result reaches a cell that is kept ready`() throws {
    let table = TestTable.make(height: 2)
    table.workingRange = 2
    try table.show(rows(0..<9))
    try table.scroll(toLine: 4)
    let ready = table.prefetchedRows.compactMap { $0.cell as? TestCell }
    #expect(ready.count == 4)
    for cell in ready {
      #expect(try table.deliver(to: cell.token, as: TestCell.self) { $0.late.append("in time") })
      #expect(cell.late == ["in time"])
    }
  }

  @Test func `A13 an update inside an inserted section, or a deleted one, is refused by its rule`() {
    func rule(sections: Changeset<Int>, _ update: (RowPath, RowPath), before: [Int], after: [Int]) -> BatchRule? {
      let rows = Changeset(updates: [Changeset.Transition(from: update.0, to: update.1)])
      let validator = BatchValidator(
        TableBatch(ListChanges(sections: sections, rows: rows)), rowCountsBefore: before, rowCountsAfter: after)
      do {
        try validator.validate()
        return nil
      } catch {
        return error.rule
      }
    }
    let path = RowPath(section: 0, row: 0)
    let inserted = RowPath(section: 1, row: 0)
    let intoNew = rule(sections: .init(inserts: [1]), (path, inserted), before: [1], after: [1, 1])
    let outOfOld = rule(sections: .init(deletes: [1]), (inserted, path), before: [1, 1], after: [1])
    #expect(intoNew == .rowInVanishingSection && outOfOld == .rowInVanishingSection)
  }
}

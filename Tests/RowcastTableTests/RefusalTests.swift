import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// What throws leaves the table as it was.
@Suite(.watched) struct RefusalTests {
  /// Cells of one kind, for all rows but one.
  private final class PickyCells: CellProvider {
    var refused = -1
    var kind = "a"

    func request(for row: TestRow) throws(TableError) -> CellRequest {
      guard row.id != refused else { throw .unregistered(identifier: "refused") }
      return CellRequest(TestCell.self, showing: row, reuseIdentifier: kind)
    }
  }

  @Test func `an update whose counts do not add up is refused in UIKit's words, and nothing changes`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.rows([1, 2]))
    let cells = table.visibleRows.map(\.cell)
    let lie = TestUpdate(revision: 1, previous: 0, changes: ListChanges(), snapshot: try .rows([1]))
    #expect { try table.apply(lie) } throws: {
      "\($0)".hasPrefix("A12: Invalid update: invalid number of rows in section 0.")
    }
    #expect(table.ids == [1, 2] && table.revision == 0 && areSame(table.visibleRows.map(\.cell), cells))
  }

  @Test func `an update that was refused during another one is named by those that follow it`() throws {
    /// Cells whose provider is given an update to apply.
    final class EagerCells: CellProvider {
      var apply: (() -> Void)?

      func request(for row: TestRow) throws(TableError) -> CellRequest {
        apply?()
        return CellRequest(TestCell.self, showing: row)
      }
    }
    let provider = EagerCells()
    let table = TestTable(cells: provider, height: 9)
    func update(to revision: Int) throws -> TestUpdate {
      let (before, after) = (try TestSnapshot.rows(1...revision), try TestSnapshot.rows(1...revision + 1))
      return TestUpdate(revision: revision, previous: revision - 1, changes: before.changes(to: after), snapshot: after)
    }
    try table.apply(ListUpdate(initial: .rows([1]), revision: 0))
    let (first, second, third) = (try update(to: 1), try update(to: 2), try update(to: 3))
    provider.apply = { [unowned table] in
      #expect(throws: TableError.changeInProgress) { try table.apply(second) }
    }
    try table.apply(first)
    provider.apply = nil
    #expect(throws: TableError.stopped(at: second.position, by: .changeInProgress)) { try table.apply(third) }
    // It may be tried again, also from inside of itself, which leaves nothing to report.
    provider.apply = { [unowned table] in
      #expect(throws: TableError.changeInProgress) { try table.apply(second) }
    }
    try table.apply(second)
    provider.apply = nil
    let fourth = try update(to: 4)
    #expect(throws: TableError.wrongRevision(table: 2, updateStartsAt: 3)) { try table.apply(fourth) }
    // One that resolves a refusal takes the next one with it.
    provider.apply = { [unowned table] in
      #expect(throws: TableError.changeInProgress) { try table.apply(fourth) }
    }
    try table.apply(third)
    provider.apply = nil
    let fifth = try update(to: 5)
    #expect(throws: TableError.stopped(at: fourth.position, by: .changeInProgress)) { try table.apply(fifth) }
    try table.apply(fourth)
    try table.apply(fifth)
    #expect(table.revision == 5)
  }

  @Test func `a change of any kind that throws leaves everything, and the table goes on`() async throws {
    let provider = PickyCells()
    let table = TestTable(cells: provider, height: 3)
    table.selectionMode = .multiple
    try table.show(.rows(0..<9))
    table.select([1, 2])
    table.focus(2)
    let cells = table.visibleRows.map(\.cell)
    let (lines, statistics, height) = (table.lines, table.statistics, table.contentHeight)
    let events = table.eventStream()
    let changes: [(name: String, refused: Int, change: (TestTable) throws -> Void)] = [
      ("update", 20, { try $0.show(.rows([0, 20, 1], "new")) }), ("scroll", 3, { try $0.scroll(byLines: 1) }),
      ("reload", 2, { try $0.reloadAll() }), ("resize", 3, { try $0.resize(toHeight: 6) }),
      ("focus", 5, { try $0.moveFocus(byRows: 3) }), ("refresh", 1, { try $0.refresh([0, 1]) }),
      ("cells", -1, { try $0.replaceCells(with: CellRegistry<TestRow>()) }),
    ]
    for (name, refused, change) in changes {
      provider.refused = refused
      let isMissing = name == "cells"
      let identifier = isMissing ? TestRow(0).reuseIdentifier : "refused"
      #expect(throws: TableError.unregistered(identifier: identifier), "\(name)") { try change(table) }
      #expect(table.snapshot == (try .rows(0..<9)) && table.revision == 0 && table.contentHeight == height, "\(name)")
      #expect(table.height == 3 && table.topLine == 0 && table.lines.elementsEqual(lines) { $0 == $1 }, "\(name)")
      #expect(table.selection == [1, 2] && table.focusedID == 2, "\(name)")
      #expect(table.statistics == statistics && table.configurationCount == 3, "\(name)")
      #expect(areSame(table.visibleRows.map(\.cell), cells), "\(name)")
    }
    // The next event is that of the next change.
    provider.refused = -1
    try table.scroll(byLines: 1)
    for await event in events {
      #expect(event == .didEndDisplaying(TestRow(0)))
      break
    }
    try table.moveFocus(byRows: 2)
    #expect(table.focusedID == 4 && table.ids == [2, 3, 4] && table.visibleRows.allSatisfy { $0.cell is TestCell })
    provider.kind = "b"
    #expect(try table.refresh([3]).cells.map(\.event) == [.replaced])
    #expect(table.visibleRows.map(\.cell.reuseIdentifier) == ["a", "b", "a"])
  }
}

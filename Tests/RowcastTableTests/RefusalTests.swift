import Testing

/// A call that throws leaves the table unchanged.
@Suite(.watched) struct RefusalTests {
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
    let cells = TestCells()
    let table = TestTable(cells: cells, height: 9)
    let lists = try (1...7).map { try TestSnapshot.rows(1...$0) }
    func update(_ number: Int) -> TestUpdate {
      .next(lists[number], after: lists[number - 1], at: ListPosition(epoch: "", revision: number - 1))
    }
    /// Applies an update, during which another one is refused.
    func apply(_ outer: Int, refusing inner: Int) throws {
      cells.whileAsked = { [unowned table] in
        #expect(throws: TableError.changeInProgress) { try table.apply(update(inner)) }
      }
      defer { cells.whileAsked = nil }
      try table.apply(update(outer))
    }
    func stopped(at number: Int) -> TableError { .stopped(at: update(number).position, by: .changeInProgress) }
    try table.apply(ListUpdate(initial: lists[0], revision: 0))
    try apply(1, refusing: 2)
    #expect(throws: stopped(at: 2)) { try table.apply(update(3)) }
    // It may be tried again, also from inside of itself, which leaves nothing to report.
    try apply(2, refusing: 2)
    #expect(throws: TableError.wrongRevision(table: 2, updateStartsAt: 3)) { try table.apply(update(4)) }
    // One that resolves a refusal takes the next one with it.
    try apply(3, refusing: 4)
    #expect(throws: stopped(at: 4)) { try table.apply(update(5)) }
    try table.apply(update(4))
    try table.apply(update(5))
    #expect(table.revision == 5)
  }

  @Test func `a change of any kind that throws leaves everything, and the table goes on`() async throws {
    let provider = TestCells()
    let table = TestTable(cells: provider, height: 3)
    table.selectionMode = .multiple
    try table.show(.rows(0..<9))
    table.select([1, 2])
    table.focus(2)
    let cells = table.visibleRows.map(\.cell)
    let (lines, statistics, height) = (table.lines, table.statistics, table.contentHeight)
    let events = table.eventStream()
    let changes: [(name: String, refused: Int?, change: (TestTable) throws -> Void)] = [
      ("update", 20, { try $0.show(.rows([0, 20, 1], "new")) }), ("scroll", 3, { try $0.scroll(byLines: 1) }),
      ("reload", 2, { try $0.reloadAll() }), ("resize", 3, { try $0.resize(toHeight: 6) }),
      ("focus", 5, { try $0.moveFocus(byRows: 3) }), ("refresh", 1, { try $0.refresh([0, 1]) }),
      ("cells", nil, { try $0.replaceCells(with: CellRegistry<TestRow>()) }),
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
    // The next event belongs to the next change.
    provider.refused = nil
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

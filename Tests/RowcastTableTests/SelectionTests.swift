import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

@Suite(.watched) struct SelectionTests {
  @Test func `R12 selection follows identity, and a deleted row leaves it`() async throws {
    let events = try await TestTable.events(height: 3) { table in
      try table.show(.of(("a", [1, 2, 3]), ("b", [4])))
      table.selectionMode = .multiple
      table.select(2)
      table.select(4)
      try table.show(.of(("b", [4, 9]), ("a", [3, 8, 2])))
      #expect(table.selection == [2, 4])
      try table.show(.of(("a", [3, 8, 2])))
      #expect(table.selection == [2])
      try table.show(.of(("a", [3, 8])))
      #expect(table.selection.isEmpty)
    }
    let path = RowPath(section: 0, row: 1)
    #expect(
      events.filter(\.isSelection) == [
        .selected(TestRow(2), at: path), .selected(TestRow(4), at: RowPath(section: 1, row: 0)),
        .deselected(TestRow(4)), .deselected(TestRow(2)),
      ])
  }

  @Test func `R12 a selected row that crosses the border of a deleted or inserted section stays selected`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.of(("a", [1]), ("b", [2])))
    table.select(1)
    try table.show(.of(("b", [2, 1])))
    #expect(table.selection == [1])
    try table.show(.of(("n", [1]), ("b", [2])))
    #expect(table.selection == [1])
    try table.show(.of(("m", [7]), ("o", [1]), ("b", [2])))
    #expect(table.selection == [1])
  }

  @Test func `selecting another row deselects the first, unless several may be selected`() async throws {
    let events = try await TestTable.events(height: 3) { table in
      try table.show(.of(("a", Array(0..<10))))
      #expect(table.select(1) && table.select(1) && table.select(8))
      #expect(table.selection == [8])
      #expect(!table.select(99))
      table.selectionMode = .none
      #expect(table.selection.isEmpty && !table.select(1))
    }
    #expect(
      events.filter(\.isSelection) == [
        .selected(TestRow(1), at: RowPath(section: 0, row: 1)), .deselected(TestRow(1)),
        .selected(TestRow(8), at: RowPath(section: 0, row: 8)), .deselected(TestRow(8)),
      ])
  }

  @Test func `R12 focus follows identity, and goes to the neighbour of a row that is gone`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.of(("a", [1, 2, 3])))
    table.focus(2)
    try table.show(.of(("a", [9, 3, 1, 2])))
    #expect(table.focusedID == 2)
    try table.show(.of(("b", [7, 2])))
    #expect(table.focusedID == 2)
    try table.show(.of(("b", [7])))
    #expect(table.focusedID == 7)
    try table.show(.of(("b", [])))
    #expect(table.focusedID == nil)
  }

  @Test func `moving the focus passes sections, stops at the ends and scrolls no more than it must`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.of(("a", [1, 2]), ("b", []), ("c", [3, 4, 5])))
    try table.moveFocus(byRows: 1)
    #expect(table.focusedID == 1)
    try table.moveFocus(byRows: 2)
    #expect(table.focusedID == 3 && table.topLine == 0)
    try table.moveFocus(byRows: 1)
    #expect(table.focusedID == 4 && table.ids == [2, 3, 4])
    try table.moveFocus(byRows: 9)
    #expect(table.focusedID == 5)
    try table.moveFocus(byRows: -3)
    #expect(table.focusedID == 2 && table.ids == [2, 3, 4])
    table.toggleFocusedRow()
    #expect(table.selection == [2])
    table.toggleFocusedRow()
    #expect(table.selection.isEmpty)
  }

  @Test func `rows are brought into view by id, at the place that is asked for`() throws {
    let table = TestTable.make(height: 5)
    try table.show(.of(("a", Array(0..<100))))
    try table.scroll(to: 50, at: .top)
    #expect(table.ids == Array(50..<55))
    try table.scroll(to: 50, at: .bottom)
    #expect(table.ids == Array(46..<51))
    try table.scroll(to: 50, at: .middle)
    #expect(table.ids == Array(48..<53))
    try table.scroll(to: 52)
    #expect(table.ids == Array(48..<53))
    try table.scroll(to: 53)
    #expect(table.ids == Array(49..<54))
    try table.scroll(byPages: 1)
    #expect(table.ids == Array(53..<58))
    try table.scroll(byPages: -2)
    #expect(table.ids == Array(45..<50))
    #expect(try table.scroll(to: 500) == nil)
  }

  @Test func `R7 a row comes onto the screen and leaves it in pairs, reported as it was shown`() async throws {
    let events = try await TestTable.events(height: 2) { table in
      try table.show(.of(("a", [1, 2, 3])))
      try table.scroll(byLines: 1)
      try table.show(.of(("a", [3, 2])))
      try table.reloadAll()
    }
    func path(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }
    #expect(
      events.filter(\.isDisplay) == [
        .willDisplay(TestRow(1), at: path(0)), .willDisplay(TestRow(2), at: path(1)),
        .didEndDisplaying(TestRow(1)), .willDisplay(TestRow(3), at: path(2)),
        .didEndDisplaying(TestRow(3)), .didEndDisplaying(TestRow(2)),
        .willDisplay(TestRow(3), at: path(0)), .willDisplay(TestRow(2), at: path(1)),
      ])
  }

  @Test func `an end that stays on the screen while rows come and go elsewhere is not reported again`() async throws {
    let events = try await TestTable.events(height: 9) { table in
      try table.show(.of(("a", [3, 4, 5]), ("b", [6])))
      try table.show(.of(("a", [1, 3, 4, 5]), ("b", [6])))
      try table.show(.of(("a", [1, 5]), ("b", [6])))
      try table.show(.of(("z", []), ("a", [1, 5]), ("b", [6])))
      try table.show(.of(("a", [1, 6])))
      try table.show(.of(("a", [1, 6, 7])))
    }
    #expect(
      events.filter { !$0.isSelection && !$0.isDisplay } == [.reachedStart, .reachedEnd, .reachedStart, .reachedEnd])
  }

  @Test func `the ends of the list are reported when they come into view, and when they are others`() async throws {
    let events = try await TestTable.events(height: 2) { table in
      try table.show(.of(("a", [1, 2, 3])))
      try table.scroll(byLines: 1)
      try table.scroll(byLines: 0)
      try table.show(.of(("a", [1, 2, 3, 4, 5])))
      try table.scroll(byPages: 9)
      try table.show(.of(("a", [4, 5])))
      try table.show(.of(("a", [4, 6])))
    }
    #expect(
      events.filter { !$0.isSelection && !$0.isDisplay } == [
        .reachedStart, .reachedEnd, .reachedEnd, .reachedStart, .reachedEnd,
      ])
  }
}

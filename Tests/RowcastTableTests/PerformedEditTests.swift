import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// Edits that a person has performed on the screen before an update brings them.
@Suite(.watched) struct PerformedEditTests {
  @Test func `an edit that was performed is not made again, and cells follow their rows`() throws {
    let table = TestTable.make(height: 3)
    try table.show(.of(("a", [1, 2, 3])))
    let cells = table.visibleRows.map(\.cell)
    let dragged = try TestSnapshot.of(("a", [2, 3, 1]))
    try table.viewDidPerform(dragged)
    #expect(table.visibleRows.map(\.cell).elementsEqual([cells[1], cells[2], cells[0]]) { $0 === $1 })
    let report = try table.apply(
      TestUpdate(
        revision: 1, previous: 0, changes: try TestSnapshot.of(("a", [1, 2, 3])).changes(to: dragged), snapshot: dragged
      ))
    #expect(report.changes.isEmpty && table.configurationCount == 3 && table.revision == 1)
  }

  @Test func `the next update makes the rest, the one after it takes its own changes`() throws {
    let table = TestTable.make(height: 4)
    let lists: [TestSnapshot] = try [.of(("a", [1, 2, 3])), .of(("a", [0, 1, 2, 3])), .of(("a", [0, 1, 3]))]
    try table.show(lists[0])
    try table.viewDidPerform(.of(("a", [1, 3])))
    // The list that arrives lacks the edit: the row goes back.
    let report = try table.apply(
      TestUpdate(revision: 1, previous: 0, changes: lists[0].changes(to: lists[1]), snapshot: lists[1]))
    #expect(report.changes.rows.inserts.map(\.row) == [0, 2] && table.ids == [0, 1, 2, 3])
    let next = lists[1].changes(to: lists[2])
    #expect(try table.apply(TestUpdate(revision: 2, previous: 1, changes: next, snapshot: lists[2])).changes == next)
  }
}

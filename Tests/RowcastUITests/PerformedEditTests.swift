import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastUI

/// Edits that the view has performed before the driver knows of them.
@MainActor
@Suite(.watched) struct PerformedEditTests {
  @Test func `an edit that the view has performed is not performed again`() throws {
    var driven = DrivenView(try .of(("a", [1, 2, 3])))
    let cells = driven.view.parts[0].cells
    driven.view.drag(from: RowPath(section: 0, row: 0), to: RowPath(section: 0, row: 2))
    try driven.driver.viewDidPerform { try $0.move(1, to: 2, in: "a") }
    driven.update(to: try .of(("a", [2, 3, 1])))
    #expect(driven.view.batchCount == 0)
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.parts[0].cells[2] === cells[0])
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `what the list has besides the edit is performed, and an edit that it lacks is taken back`() throws {
    var driven = DrivenView(try .of(("a", [1, 2, 3])))
    driven.view.swipe(RowPath(section: 0, row: 1))
    try driven.driver.viewDidPerform { try $0.remove(2) }
    driven.update(to: try .of(("a", [0, 1, 3])))
    #expect(driven.view.batchCount == 1)
    driven.view.finishAnimations()
    driven.update(to: try .of(("a", [0, 1, 2, 3])))
    #expect(driven.view.batchCount == 2)
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `rows whose content the edit changes are configured again`() throws {
    var driven = DrivenView(try .of(("a", [1, 2])))
    try driven.driver.viewDidPerform { try $0.update(2) { $0.text = "new" } }
    #expect(driven.view.reconfigured == [RowPath(section: 0, row: 1)])
    #expect(driven.view.shown == NaiveList(driven.driver.snapshot))
    driven.update(to: driven.driver.snapshot)
    #expect(driven.view.batchCount == 0)
    #expect(driven.view.reconfigured.count == 1)
  }

  @Test func `an edit that throws changes nothing`() throws {
    let driven = DrivenView(try .of(("a", [1, 2])))
    #expect(throws: TestListError.unknownRow(9)) {
      try driven.driver.viewDidPerform {
        try $0.remove(1)
        try $0.remove(9)
      }
    }
    #expect(driven.driver.snapshot == driven.last)
  }

  @Test func `an edit that the view reports from inside a batch stops the process, with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        var driven = DrivenView(try .of(("a", [1])))
        driven.view.duringBatch = { [driver = driven.driver] in try? driver.viewDidPerform { try $0.remove(1) } }
        driven.update(to: try .of(("a", [1, 2])))
      }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("The view reports its own edit from inside a batch, of 2 rows"), "\(words)")
  }

  @Test func `a difference that is being made when the view performs an edit is made anew`() async throws {
    let driven = DrivenView(try .of(("a", [1, 2, 3])))
    driven.view.animates = false
    let list = try TestSnapshot.of(("a", [3, 1, 2]))
    let showing = Task { await driven.driver.show(list) }
    // The task has begun to make the difference, or is about to.
    await Task.yield()
    driven.view.swipe(RowPath(section: 0, row: 0))
    let first = driven.driver.snapshot.row(at: RowPath(section: 0, row: 0)).id
    try driven.driver.viewDidPerform { try $0.remove(first) }
    await showing.value
    await driven.driver.show(list)
    #expect(driven.view.shown == NaiveList(list))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }
}

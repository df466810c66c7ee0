import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastUI

/// Edits that the view has performed before the driver knows of them.
@MainActor
@Suite(.watched) struct PerformedEditTests {
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
}

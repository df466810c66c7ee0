import RowcastDiff
import RowcastModel
import RowcastTestSupport
import RowcastUI
import Testing

/// Rows whose look depends on what `==` ignores, in views that are driven.
@MainActor
@Suite(.watched) struct RefreshedRowsTests {
  private func path(_ section: Int, _ row: Int) -> RowPath { RowPath(section: section, row: row) }

  @Test func `rows are configured again when that is asked for, and nothing else happens`() throws {
    let driven = DrivenView(try .of(("a", [1, 2, 3]), ("b", [4])))
    driven.driver.refresh([4, 2, 99])
    #expect(driven.view.reconfigured == [path(0, 1), path(1, 0)])
    driven.driver.refresh([99])
    #expect(driven.view.reconfigured.count == 2 && driven.view.batchCount == 0 && driven.view.reloadCount == 1)
    #expect(driven.driver.isSettled && driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `a cell that asks for itself while it is configured is configured once, another one after it`() throws {
    let driven = DrivenView(try .of(("a", [1, 2, 3])))
    let driver = driven.driver
    var asked: [[Int]] = [[1], [1, 3]]
    driven.view.whileConfiguring = { if !asked.isEmpty { driver.refresh(asked.removeFirst()) } }
    driver.refresh([1])
    #expect(driven.view.reconfigured == [path(0, 0)])
    driver.refresh([1])
    #expect(driven.view.reconfigured == [path(0, 0), path(0, 0), path(0, 2)])
  }
}

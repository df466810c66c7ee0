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

  @Test func `rows that are refreshed from inside of a batch are configured after it, where they are then`() throws {
    var driven = DrivenView(try .of(("a", [1, 2, 3])))
    let driver = driven.driver
    driven.view.duringBatch = { driver.refresh([2, 3]) }
    driven.update(to: try .of(("a", [0, 2, 1])))
    #expect(driven.view.reconfigured == [path(0, 1)])
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
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

  @Test func `a list that comes while rows are refreshed is shown after that`() throws {
    let driven = DrivenView(try .of(("a", [1, 2, 3])))
    let (driver, next) = (driven.driver, try TestSnapshot.of(("a", [1, 3])))
    driven.view.whileConfiguring = { driver.apply(next) }
    driver.refresh([2])
    #expect(driven.view.reconfigured == [path(0, 1)] && driven.view.shown == NaiveList(next))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `a view in no window is reloaded, and has what it would have`() throws {
    let driven = DrivenView(try .of(("a", [1, 2, 3])))
    driven.view.isInWindow = false
    driven.driver.refresh([1])
    #expect(driven.view.reloadCount == 2 && driven.view.reconfigured.isEmpty)
  }

  @Test func `rows of a view without sections are configured again`() throws {
    let view = StrictFlatView()
    let driver = TestDriver(flat: view, hasHeaders: true)
    view.data = { driver.snapshot.cells(hasHeaders: true) }
    let list = try TestSnapshot.of(("a", [1, 2]), ("b", [3]))
    driver.apply(list)
    view.data = {
      driver.snapshot.cells(hasHeaders: true).map { .init(id: $0.id, kind: $0.kind, text: "seen \($0.id)") }
    }
    driver.refresh([3])
    #expect(view.cells.map(\.text).filter { $0.hasPrefix("seen") } == ["seen 3"])
    #expect(view.refusals.isEmpty, "\(view.refusals)")
  }
}

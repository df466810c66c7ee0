import RowcastDiff
import RowcastModel
import RowcastUI
import RowcastTestSupport
import Testing

@MainActor
@Suite(.watched) struct WholeListTests {
  @Test func `a list that is applied is shown when applying returns`() async throws {
    let view = StrictView()
    let driver = BatchDriver<TestSection, TestRow>(view)
    view.data = { driver.snapshot }
    view.animates = false
    await driver.show(try .of(("a", [1, 2]), ("b", [])))
    let last = try TestSnapshot.of(("b", [2]), ("a", [1, 3]))
    await driver.show(last)
    #expect(view.shown == NaiveList(last))
    #expect(driver.snapshot == last)
    #expect(view.refusals.isEmpty, "\(view.refusals)")
  }

  @Test func `a list is applied to a view of rows alone`() async throws {
    let view = StrictFlatView()
    let driver = BatchDriver<TestSection, TestRow>(flat: view, hasHeaders: true)
    view.data = { driver.snapshot.cells(hasHeaders: true) }
    await driver.show(try .of(("a", [1, 2]), ("b", [])))
    #expect(view.cells.map(\.id) == ["a", "1", "2", "b"])
    #expect(view.refusals.isEmpty, "\(view.refusals)")
  }

  @Test func `of lists that are applied at once the newest is shown`() async throws {
    var random = SeededGenerator.forFuzzing("data driver")
    let view = StrictView()
    let driver = BatchDriver<TestSection, TestRow>(view)
    view.data = { driver.snapshot }
    await driver.show(try .of(("a", [])))
    var last = TestSnapshot()
    for _ in 0..<50 {
      var applications: [Task<Void, Never>] = []
      for size in [200, 3, 40] {
        let list = try TestSnapshot.random(sections: 5, rows: size, using: &random)
        last = list
        applications.append(Task { await driver.show(list) })
      }
      let finisher = Task {
        while !Task.isCancelled {
          view.finishAnimations()
          await Task.yield()
        }
      }
      for application in applications { await application.value }
      finisher.cancel()
      await finisher.value
      #expect(view.shown == NaiveList(last), "seed \(random.seed)")
      try #require(view.refusals.isEmpty, "seed \(random.seed): \(view.refusals)")
    }
  }

  @Test func `a list that is applied while the difference to an earlier one is made is the one that is shown`()
    async throws
  {
    let view = StrictView()
    let driver = BatchDriver<TestSection, TestRow>(view)
    view.data = { driver.snapshot }
    view.animates = false
    await driver.show(try .of(("a", [1])))
    let late = Task { await driver.show(try .of(("a", Array(0..<500)))) }
    let last = try TestSnapshot.of(("a", [1, 2]))
    let newest = Task { driver.apply(last) }
    _ = try await (late.value, newest.value)
    #expect(view.shown == NaiveList(last) && view.refusals.isEmpty, "\(view.refusals)")
  }

  @Test func `applying returns when the view goes while it animates`() async throws {
    var view: StrictView? = StrictView()
    let driver = BatchDriver<TestSection, TestRow>(try #require(view))
    view?.data = { [weak driver] in driver?.snapshot ?? TestSnapshot() }
    await driver.show(try .of(("a", [1])))
    let last = try TestSnapshot.of(("a", [1, 2]))
    let application = Task { await driver.show(last) }
    await soon { view?.isAnimating == true }
    view = nil
    await application.value
    #expect(driver.snapshot == last)
  }
}

import RowcastDiff
import RowcastModel
import RowcastUI
import TestSupport
import Testing

@MainActor
@Suite(.watched) struct SnapshotDriverTests {
  @Test func `a list that is applied is shown when applying returns`() async throws {
    let view = StrictView()
    let source = SnapshotDriver<TestSection, TestRow>(view)
    view.data = { source.snapshot }
    view.animates = false
    await source.apply(try .of(("a", [1, 2]), ("b", [])))
    let last = try TestSnapshot.of(("b", [2]), ("a", [1, 3]))
    await source.apply(last)
    #expect(view.shown == NaiveList(last))
    #expect((source.numberOfSections, source.numberOfRows(inSection: 1)) == (2, 2))
    #expect(source.section(at: 0).id == "b")
    #expect(source.row(at: RowPath(section: 1, row: 1)) == TestRow(3))
    #expect(view.refusals.isEmpty, "\(view.refusals)")
  }

  @Test func `a list is applied to a view of rows alone`() async throws {
    let view = StrictFlatView()
    let source = SnapshotDriver<TestSection, TestRow>(flat: view, hasHeaders: true)
    view.data = { source.snapshot.cells(hasHeaders: true) }
    await source.apply(try .of(("a", [1, 2]), ("b", [])))
    #expect(view.cells.map(\.id) == ["a", "1", "2", "b"])
    #expect(view.refusals.isEmpty, "\(view.refusals)")
  }

  @Test func `of lists that are applied at once the newest is shown`() async throws {
    var random = SeededGenerator.forFuzzing("data source")
    let view = StrictView()
    let source = SnapshotDriver<TestSection, TestRow>(view)
    view.data = { source.snapshot }
    await source.apply(try .of(("a", [])))
    var last = TestSnapshot()
    for _ in 0..<50 {
      var applications: [Task<Void, Never>] = []
      for size in [200, 3, 40] {
        let list = try TestSnapshot.random(sections: 5, rows: size, using: &random)
        last = list
        applications.append(Task { await source.apply(list) })
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

  @Test func `applying returns when the view goes while it animates`() async throws {
    var view: StrictView? = StrictView()
    let source = SnapshotDriver<TestSection, TestRow>(try #require(view))
    view?.data = { [weak source] in source?.snapshot ?? TestSnapshot() }
    await source.apply(try .of(("a", [1])))
    let last = try TestSnapshot.of(("a", [1, 2]))
    let application = Task { await source.apply(last) }
    await soon { view?.isAnimating == true }
    view = nil
    await application.value
    #expect(source.snapshot == last)
  }
}

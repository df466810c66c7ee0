import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastUI
import Testing

/// The place on the screen while rows come, go and grow above it.
@MainActor
@Suite(.watched) struct KeptPlaceTests {
  private func driven(_ ids: [Int], height: Int = 4, top: Int) throws -> DrivenView {
    let driven = DrivenView(try .of(("a", ids)))
    driven.view.animates = false
    driven.view.screen = Screen(height: height)
    driven.view.screen?.scroll(toLine: top, driven.view.elements.map(\.height))
    return driven
  }

  @Test func `older rows that come above leave the rows on the screen where they are`() throws {
    var driven = try driven(Array(10..<30), top: 5)
    driven.update(to: try .of(("a", Array(0..<30))))
    #expect(driven.view.screen?.top == 15)
    driven.update(to: try .of(("a", Array(8..<30))))
    #expect(driven.view.screen?.top == 7)
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `a row that grows above the screen leaves the rows on it where they are`() throws {
    var driven = try driven(Array(0..<20), top: 5)
    driven.update(
      to: try TestSnapshot([ListSection(TestSection("a"), rows: (0..<20).map { TestRow($0, $0 == 1 ? "12" : "") })]))
    #expect(driven.view.screen?.top == 7)
  }

  @Test func `a view at its start shows arrivals, unless it is told to keep its place`() throws {
    var driven = try driven(Array(10..<30), top: 0)
    driven.update(to: try .of(("a", Array(9..<30))))
    #expect(driven.view.screen?.top == 0)
    driven.driver.showsArrivalsAtTop = false
    driven.update(to: try .of(("a", Array(0..<30))))
    #expect(driven.view.screen?.top == 9)
  }

  @Test func `a view at its end follows it if it is told to`() throws {
    var driven = try driven(Array(0..<20), top: .max)
    let top = try #require(driven.view.screen?.top)
    driven.update(to: try .of(("a", Array(0..<22))))
    #expect(driven.view.screen?.top == top)
    driven.view.scrollToEnd()
    driven.driver.followsTail = true
    driven.update(to: try .of(("a", Array(0..<30))))
    #expect(driven.view.screen?.top == top + 10)
  }

  @Test(arguments: [false, true])
  func `a view that follows its end opens there, once`(isEmptyAtFirst: Bool) throws {
    let (view, list) = (StrictView(), try TestSnapshot.of(("a", Array(0..<20))))
    view.animates = false
    view.screen = Screen(height: 4)
    let driver = BatchDriver<TestSection, TestRow>(view)
    driver.followsTail = true
    view.data = { driver.snapshot }
    if isEmptyAtFirst { driver.apply(TestSnapshot()) }
    view.isInWindow = false
    driver.apply(list)
    view.screen?.scroll(toLine: 0, view.elements.map(\.height))
    view.isInWindow = true
    driver.apply(list)
    let end = try #require(view.viewport)
    #expect(end.isAtEnd && !end.isAtStart)
    view.screen?.scroll(toLine: 0, view.elements.map(\.height))
    driver.apply(try .of(("a", Array(0..<21))))
    #expect(view.viewport?.isAtStart == true)
    #expect(view.refusals.isEmpty, "\(view.refusals)")
  }

  @Test func `the screen does not go after a row that moves away`() throws {
    var driven = try driven(Array(0..<20), top: 6)
    let first = try #require(driven.view.viewport?.rows.first)
    #expect(first.index == RowPath(section: 0, row: 5) && first.distance == 0)
    driven.update(to: try .of(("a", [5] + (0..<20).filter { $0 != 5 })))
    // The second row stays where it was, on the second line.
    #expect(driven.view.screen?.top == 6)
  }

  @Test func `a reload for too many changes keeps the place`() throws {
    var driven = try driven(Array(50..<80), top: 9)
    driven.driver.animationLimit = 10
    driven.update(to: try .of(("a", Array(0..<80))))
    #expect(driven.view.reloadCount == 2)
    #expect(driven.view.screen?.top == 59)
  }

  @Test func `after random updates, the first row that has not moved is where it was`() throws {
    var random = SeededGenerator.forFuzzing("kept place")
    var driven = try driven([], height: 7, top: 0)
    driven.driver.showsArrivalsAtTop = false
    driven.driver.animationLimit = 25
    var kept = 0
    let rounds = SeededGenerator.rounds(1_500, long: 60_000)
    for round in 0..<rounds {
      let elements = driven.view.elements
      driven.view.screen?.scroll(toLine: .random(in: 0...40, using: &random), elements.map(\.height))
      let before = try #require(driven.view.viewport)
      let next: TestSnapshot = try .random(sections: 4, rows: 24, contents: 3, using: &random)
      let changes = driven.last.changes(to: next)
      let anchor = anchor(of: before.rows, changes, from: driven.last)
      driven.update(to: next)
      try #require(driven.view.refusals.isEmpty, "seed \(random.seed), round \(round): \(driven.view.refusals)")
      guard let anchor, let path = next.scanForPath(ofRow: anchor.id),
        let element = driven.view.elements.firstIndex(where: { $0.path == path })
      else { continue }
      let heights = driven.view.elements.map(\.height)
      var expected = Screen(height: 7)
      expected.scroll(to: element, distance: anchor.distance, heights)
      try #require(driven.view.screen?.top == expected.top, "seed \(random.seed), round \(round)")
      kept += 1
    }
    #expect(kept > rounds / 4)
  }

  @Test func `a view of rows alone keeps its place`() throws {
    let view = StrictFlatView()
    let driver = TestDriver(flat: view, hasHeaders: true)
    view.data = { driver.snapshot.cells(hasHeaders: true) }
    driver.apply(try TestSnapshot.of(("a", Array(0..<10)), ("b", Array(10..<30))))
    view.screen = Screen(height: 5)
    // The first element on the screen is the header of the second section.
    view.screen?.scroll(to: 11, distance: 0, view.cells.map(\.height))
    let top = try #require(view.screen?.top)
    driver.apply(try TestSnapshot.of(("a", Array(0..<8)), ("b", Array(10..<30))))
    #expect(view.screen?.top == top - 2)
    view.finishAnimations()
    driver.followsTail = true
    view.scrollToEnd()
    driver.apply(try TestSnapshot.of(("a", Array(0..<8)), ("b", Array(10..<40))))
    #expect(view.viewport?.isAtEnd == true)
    #expect(view.refusals.isEmpty, "\(view.refusals)")
  }

  /// The row that must stay where it is: the first that stays and does not move, or else the first that stays.
  private func anchor(
    of rows: [(index: RowPath, distance: Double)], _ changes: ListChanges, from before: TestSnapshot
  ) -> (id: Int, distance: Double)? {
    let staying = rows.filter { row in
      !changes.rows.deletes.contains(row.index) && !changes.sections.deletes.contains(row.index.section)
    }
    let unmoved = staying.filter { row in
      !changes.rows.moves.contains { $0.from == row.index }
        && !changes.sections.moves.contains { $0.from == row.index.section }
    }
    return (unmoved.first ?? staying.first).map { (before.row(at: $0.index).id, $0.distance) }
  }
}

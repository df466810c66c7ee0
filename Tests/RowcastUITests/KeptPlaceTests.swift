import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastUI

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

  private func list(_ sections: (String, [(id: Int, lines: Int)])...) throws -> TestSnapshot {
    try TestSnapshot(
      sections.map { name, rows in
        ListSection(TestSection(name), rows: rows.map { TestRow($0.id, String(repeating: "x", count: $0.lines - 1)) })
      })
  }

  private func rows(_ ids: some Sequence<Int>, _ lines: Int = 1) -> [(id: Int, lines: Int)] { ids.map { ($0, lines) } }

  @Test func `rows that are regrouped keep their place`() throws {
    var driven = try driven([], height: 5, top: 0)
    driven.driver.showsArrivalsAtTop = false
    driven.update(to: try list(("day 1", rows(0..<20, 2))))
    driven.view.screen?.scroll(toLine: 14, driven.view.elements.map(\.height))
    // Line 14 is the second one of row 6, below one header.
    driven.update(to: try list(("day 1", rows(50..<53)), ("day 2", rows(0..<20, 2))))
    #expect(driven.view.screen?.top == 18)
    driven.update(to: try list(("all", rows(0..<20, 2))))
    #expect(driven.view.screen?.top == 14)
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `a row of which only the end is visible folds, and what is below it stays in place`() throws {
    var driven = try driven([], height: 4, top: 0)
    driven.update(to: try list(("a", rows(0..<3, 2) + rows([3], 7) + rows(4..<20, 2))))
    driven.view.screen?.scroll(toLine: 12, driven.view.elements.map(\.height))
    // Two lines of row 3, then row 4.
    driven.update(to: try list(("a", rows(0..<3, 2) + rows([3]) + rows(4..<20, 2))))
    #expect(driven.view.screen?.top == 6)
    // A row that grows, or folds as far as its visible lines, stays where it begins.
    driven.update(to: try list(("a", rows(0..<3, 2) + rows([3], 7) + rows(4..<20, 2))))
    driven.view.screen?.scroll(toLine: 12, driven.view.elements.map(\.height))
    driven.update(to: try list(("a", rows(0..<3, 2) + rows([3], 6) + rows(4..<20, 2))))
    #expect(driven.view.screen?.top == 12)
  }

  @Test func `where all rows on the screen leave, what follows the rows above it begins there`() throws {
    var driven = try driven(Array(0..<30), height: 4, top: 11)
    driven.update(to: try .of(("a", Array(2..<10) + Array(14..<30))))
    #expect(driven.view.screen?.top == 9)
    #expect(driven.view.viewport?.rows.first?.index == RowPath(section: 0, row: 8))
    driven.update(to: try .of(("b", Array(20..<30))))
    #expect(driven.view.screen?.top == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a view that never came to rest is reloaded in its place`() async throws {
    var driven = try driven(Array(10..<40), height: 4, top: 9)
    let clock = ManualClock()
    driven.driver.clock = clock
    driven.view.animates = true
    driven.update(to: try .of(("a", Array(8..<40))))
    #expect(driven.view.screen?.top == 11 && driven.view.isAnimating)
    driven.update(to: try .of(("a", Array(0..<40))))
    await clock.waitForSleepers(1)
    let driver = driven.driver
    let waiting = Task { await driver.settled() }
    await clock.advance(by: .seconds(6))
    // The reload ends the animation.
    await waiting.value
    #expect(driven.view.reloadCount == 2 && driven.view.screen?.top == 19)
  }
}

import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastUI

typealias TestDriver = BatchDriver<TestSection, TestRow>

/// A driver, its view, and a stream of updates made by hand.
@MainActor
struct DrivenView {
  let view = StrictView()
  let driver: TestDriver
  private(set) var revision = 0
  private(set) var last: TestSnapshot

  init(_ list: TestSnapshot = .init()) {
    let driver = TestDriver(view)
    self.driver = driver
    view.data = { driver.snapshot }
    last = list
    driver.apply(ListUpdate(initial: list, revision: 0, epoch: "list"))
    view.endUpdate()
  }

  mutating func update(to list: TestSnapshot) {
    driver.apply(
      ListUpdate(
        revision: revision + 1, previous: revision, changes: last.changes(to: list), snapshot: list, epoch: "list"))
    revision += 1
    last = list
    view.endUpdate()
  }
}

@MainActor
@Suite(.watched) struct BatchDriverTests {
  @Test func `the first update loads the view, a later one is a batch`() throws {
    var driven = DrivenView(try .of(("a", [1, 2])))
    #expect(driven.view.reloadCount == 1)
    driven.update(to: try .of(("a", [2, 3]), ("b", [4])))
    #expect(driven.view.reloadCount == 1)
    #expect(driven.view.batchCount == 1)
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `content changes keep their cells, and need no batch`() throws {
    var driven = DrivenView(try .of(("a", [1, 2])))
    let cells = driven.view.parts.flatMap(\.cells)
    driven.update(to: try TestSnapshot([ListSection(TestSection("a", "A"), rows: [TestRow(1), TestRow(2, "two")])]))
    #expect(driven.view.batchCount == 0)
    #expect(driven.view.reconfigured == [RowPath(section: 0, row: 1)])
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(zip(cells, driven.view.parts.flatMap(\.cells)).allSatisfy { $0 === $1 })
  }

  @Test func `a row that changes its kind gets another cell, in a batch or without`() throws {
    var driven = DrivenView(try .of(("a", [1, 2, 3])))
    let cells = driven.view.parts.flatMap(\.cells)
    driven.update(
      to: try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(1, "one¿"), TestRow(2, "two"), TestRow(3)])]))
    #expect(driven.view.replaced == [RowPath(section: 0, row: 0)])
    #expect(driven.view.reconfigured == [RowPath(section: 0, row: 1)])
    #expect(driven.view.parts[0].cells[0] !== cells[0])
    driven.update(
      to: try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(2, "two¿"), TestRow(3), TestRow(1, "one")])]))
    #expect(driven.view.replaced.suffix(2) == [RowPath(section: 0, row: 0), RowPath(section: 0, row: 2)])
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `a row that moves and changes is configured again where it has arrived`() throws {
    var driven = DrivenView(try .of(("a", [1, 2, 3])))
    driven.update(
      to: try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(2), TestRow(3), TestRow(1, "one")])]))
    #expect(driven.view.reconfigured == [RowPath(section: 0, row: 2)])
    #expect(driven.view.shown == NaiveList(driven.last))
  }

  @Test func `a moved section with changes inside takes two batches`() throws {
    var driven = DrivenView(try .of(("a", [1, 2]), ("b", [3]), ("c", [4])))
    driven.update(to: try .of(("c", [4]), ("b", [3, 5]), ("a", [2, 1])))
    #expect(driven.view.batchCount == 2)
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `updates that come during an animation wait, and are applied as one`() throws {
    var driven = DrivenView(try .of(("a", [1])))
    driven.update(to: try .of(("a", [1, 2])))
    let first = driven.last
    for count in 3...6 { driven.update(to: try .of(("a", Array(1...count)))) }
    #expect(driven.driver.snapshot == first)
    #expect(!driven.driver.isSettled)
    driven.view.finishAnimations()
    #expect(driven.driver.snapshot == driven.last)
    #expect(driven.view.batchCount == 2)
    driven.view.finishAnimations()
    #expect(driven.driver.isSettled)
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `tasks wait until the view is at rest, or they are cancelled`() async throws {
    var driven = DrivenView(try .of(("a", [1, 2])))
    driven.driver.clock = ManualClock()
    driven.update(to: try .of(("a", [2])))
    let driver = driven.driver
    let waiting = Task {
      await driver.settled()
      return driver.isSettled
    }
    let cancelled = Task { await driver.settled() }
    while driver.waiters.count < 2 { await Task.yield() }
    cancelled.cancel()
    await cancelled.value
    #expect(driver.waiters.count == 1 && !driver.isSettled)
    driven.view.finishAnimations()
    #expect(await waiting.value)
    await driver.settled()
  }

  @Test func `updates that cancel each other out during an animation make no batch`() throws {
    var driven = DrivenView(try .of(("a", [1])))
    driven.update(to: try .of(("a", [1, 2])))
    let shown = driven.last
    driven.update(to: try .of(("a", [2])))
    driven.update(to: shown)
    driven.view.finishAnimations()
    #expect(driven.view.batchCount == 1)
    #expect(driven.driver.isSettled)
  }

  @Test func `an update from inside a batch waits for the end of it`() throws {
    var driven = DrivenView(try .of(("a", [1])))
    let (driver, last) = (driven.driver, try TestSnapshot.of(("a", [2]), ("b", [1])))
    driven.view.duringBatch = { driver.apply(last) }
    driven.update(to: try .of(("a", [1, 2])))
    #expect(driven.driver.snapshot != last)
    driven.view.finishAnimations()
    #expect(driven.view.shown == NaiveList(last))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `a view that does not animate is at rest after each update`() throws {
    var driven = DrivenView(try .of(("a", [1])))
    driven.view.animates = false
    driven.update(to: try .of(("a", [1, 2]), ("b", [])))
    driven.update(to: try .of(("b", [1]), ("a", [2, 3])))
    #expect(driven.driver.isSettled)
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `a view without a window is loaded anew`() throws {
    var driven = DrivenView(try .of(("a", [1])))
    driven.view.isInWindow = false
    driven.update(to: try .of(("a", [1, 2])))
    #expect((driven.view.batchCount, driven.view.reloadCount) == (0, 2))
    #expect(driven.view.shown == NaiveList(driven.last))
  }

  @Test func `a view that leaves its window while it animates is not waited for`() throws {
    var driven = DrivenView(try .of(("a", [1])))
    driven.update(to: try .of(("a", [1, 2])))
    driven.view.isInWindow = false
    driven.update(to: try .of(("a", [3])))
    #expect(driven.view.shown == NaiveList(driven.last))
    driven.view.isInWindow = true
    driven.update(to: try .of(("a", [3, 4])))
    driven.update(to: try .of(("a", [3, 4, 5])))
    // The completion of the first batch is late: it says nothing of the one that animates now.
    driven.view.finishInterrupted()
    #expect(driven.driver.snapshot.rowCount == 2)
    driven.view.finishAnimations()
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `more changes than the limit load the view anew`() throws {
    var driven = DrivenView(try .of(("a", [1])))
    driven.driver.animationLimit = 3
    driven.update(to: try .of(("a", [1, 2, 3, 4])))
    #expect((driven.view.batchCount, driven.view.reloadCount) == (1, 1))
    driven.view.finishAnimations()
    driven.update(to: try .of(("a", [5, 6, 7, 8])))
    #expect((driven.view.batchCount, driven.view.reloadCount) == (1, 2))
    #expect(driven.view.shown == NaiveList(driven.last))
  }

  @Test func `an update of another stream is brought in by its difference`() throws {
    var driven = DrivenView(try .of(("a", [1, 2])))
    let other = try TestSnapshot.of(("a", [2, 9]), ("z", []))
    driven.driver.apply(ListUpdate(initial: other, revision: 7))
    #expect((driven.view.batchCount, driven.view.reloadCount) == (1, 1))
    #expect(driven.view.shown == NaiveList(other))
    driven.view.finishAnimations()
    driven.update(to: try .of(("b", [3])))
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `an update of another list with the same revision is brought in by its difference`() async throws {
    let (one, other) = (TestStore(try .of(("a", [1, 2]), ("b", []))), TestStore(try .of(("c", [7]))))
    var (ones, others) = (one.updates().makeAsyncIterator(), other.updates().makeAsyncIterator())
    let view = StrictView()
    let driver = TestDriver(view)
    view.data = { driver.snapshot }
    func show(_ update: TestUpdate?) throws {
      let update = try #require(update)
      driver.apply(update)
      view.endUpdate()
      view.finishAnimations()
      #expect(view.shown == NaiveList(update.snapshot))
    }
    // Both lists have the revisions 0 and 1, and what changes in the one fits nothing in the other.
    for round in 0..<2 {
      try show(await ones.next())
      try await one.edit { try $0.append(TestSection("new \(round)")) }
      try show(await others.next())
      try await other.edit { try $0.append(TestSection("new \(round)")) }
    }
    #expect(view.refusals.isEmpty, "\(view.refusals)")
  }

  @Test func `a driver whose view is gone keeps the newest list`() throws {
    let driver: TestDriver
    do {
      let view = StrictView()
      driver = TestDriver(view)
      view.data = { [weak driver] in driver?.snapshot ?? TestSnapshot() }
      driver.apply(try .of(("a", [1])))
      driver.apply(try .of(("a", [1, 2])))
      #expect(!driver.isSettled)
    }
    let last = try TestSnapshot.of(("a", [3]))
    driver.apply(last)
    #expect(driver.snapshot == last)
    #expect(driver.isSettled)
  }

  @Test func `a view that drops its completions out of its window shows the newest list`() async throws {
    var driven = DrivenView(try .of(("a", [1])))
    driven.update(to: try .of(("a", [1, 2])))
    driven.update(to: try .of(("a", [1, 2, 3, 4, 5, 6])))
    driven.view.isInWindow = false
    driven.view.dropAnimations()
    await soon { driven.driver.isSettled }
    #expect(driven.view.shown == NaiveList(driven.last))
    driven.view.isInWindow = true
    driven.update(to: try .of(("a", [6])))
    #expect(driven.view.batchCount == 2)
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `a view that was out of its window for a moment and dropped its completions goes on`() async throws {
    var driven = DrivenView(try .of(("a", [1])))
    driven.update(to: try .of(("a", [1, 2])))
    driven.view.dropAnimations()
    driven.update(to: try .of(("a", [1, 2, 3])))
    await soon { driven.driver.snapshot == driven.last }
    driven.view.finishAnimations()
    #expect(driven.driver.isSettled)
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `who asks a view for rest that has left its window is not kept waiting`() async throws {
    var driven = DrivenView(try .of(("a", [1])))
    driven.update(to: try .of(("a", [1, 2])))
    driven.update(to: try .of(("a", [1, 2, 3])))
    driven.view.isInWindow = false
    await driven.driver.settled()
    #expect(driven.driver.isSettled)
    #expect(driven.view.shown == NaiveList(driven.last))
    // The batches of the past say nothing any more.
    driven.view.finishInterrupted()
    #expect(driven.driver.isSettled)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a view that keeps its completions and never calls them is loaded anew after a while`() async throws {
    let clock = ManualClock()
    var driven = DrivenView(try .of(("a", [1])))
    let driver = driven.driver
    driver.clock = clock
    driven.update(to: try .of(("a", [1, 2])))
    driven.update(to: try .of(("a", [1, 2, 3])))
    driven.update(to: try .of(("a", [1, 2, 3, 4])))
    let waiting = Task { await driver.settled() }
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(4))
    #expect(!driver.isSettled)
    await clock.advance(by: .seconds(1))
    await waiting.value
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect((driven.view.batchCount, driven.view.reloadCount) == (1, 2))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an update that is shown in time is not ended by the wait for the one before it`() async throws {
    let clock = ManualClock()
    var driven = DrivenView(try .of(("a", [1])))
    driven.driver.clock = clock
    driven.update(to: try .of(("a", [1, 2])))
    driven.update(to: try .of(("a", [1, 2, 3])))
    await clock.waitForSleepers(1)
    driven.view.finishAnimations()
    driven.update(to: try .of(("a", [4])))
    await clock.waitForSleepers(2)
    await clock.advance(by: .seconds(3))
    driven.view.finishAnimations()
    await clock.advance(by: .seconds(3))
    #expect(driven.view.reloadCount == 1)
    driven.view.finishAnimations()
    #expect(driven.view.shown == NaiveList(driven.last))
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `a completion that is called twice counts once`() throws {
    var driven = DrivenView(try .of(("a", [1, 2]), ("b", [3]), ("c", [4])))
    driven.update(to: try .of(("c", [4]), ("b", [3, 5]), ("a", [2, 1])))
    #expect(driven.view.batchCount == 2)
    driven.view.repeatFirstCompletion()
    #expect(!driven.driver.isSettled)
    driven.view.finishAnimations()
    #expect(driven.driver.isSettled)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a view that is gone while it animates is not waited for`() async throws {
    var view: StrictView? = StrictView()
    let driver = TestDriver(try #require(view))
    driver.clock = ManualClock()
    view?.data = { [weak driver] in driver?.snapshot ?? TestSnapshot() }
    driver.apply(try .of(("a", [1])))
    driver.apply(try .of(("a", [1, 2])))
    let last = try TestSnapshot.of(("a", [3]))
    driver.apply(last)
    let waiting = Task { await driver.settled() }
    await soon { driver.waiters.count == 1 }
    view = nil
    await waiting.value
    #expect(driver.isSettled)
    #expect(driver.snapshot == last)
  }

  @Test(arguments: [false, true])
  func `a view that is gone between two batches of an update is not waited for`(isFlat: Bool) async throws {
    let lists = try [
      TestSnapshot.of(("a", [1, 2]), ("b", [3]), ("c", [4])), .of(("c", [4]), ("b", [3, 5]), ("a", [2, 1])),
    ]
    var (view, flat): (StrictView?, StrictFlatView?) = isFlat ? (nil, StrictFlatView()) : (StrictView(), nil)
    let driver = try view.map { TestDriver($0) } ?? TestDriver(flat: #require(flat), hasHeaders: false)
    view?.data = { [weak driver] in driver?.snapshot ?? TestSnapshot() }
    flat?.data = { [weak driver] in driver?.snapshot.cells(hasHeaders: false) ?? [] }
    driver.apply(lists[0])
    view?.duringBatch = { view = nil }
    flat?.duringBatch = { flat = nil }
    driver.apply(lists[1])
    await driver.settled()
    #expect(view == nil && flat == nil)
    #expect(driver.snapshot == lists[1])
  }
}

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
    driver = view.driven()
    last = list
    driver.apply(ListUpdate(initial: list, revision: 0, epoch: "list"))
    view.endUpdate()
  }

  mutating func update(to list: TestSnapshot) {
    driver.apply(.next(list, after: last, at: ListPosition(epoch: "list", revision: revision)))
    (revision, last) = (revision + 1, list)
    view.endUpdate()
  }
}

@MainActor @Suite(.watched) struct BatchDriverTests {
  private func path(_ section: Int, _ row: Int) -> RowPath { RowPath(section: section, row: row) }

  @Test func `rows that a person's edit has changed are configured again in the order of the list`() throws {
    let driven = DrivenView(try .of(("a", [1, 2]), ("b", [3])))
    let edited = try TestSnapshot([
      ListSection(TestSection("c"), rows: [TestRow(1, "one")]),
      ListSection(TestSection("b"), rows: [TestRow(3, "three")]),
    ])
    // The view has performed the edit already.
    driven.view.data = { edited }
    driven.view.reload()
    try driven.driver.viewDidPerform { $0.replace(with: edited) }
    #expect(driven.view.reconfigured == [path(0, 0), path(1, 0)] && driven.driver.snapshot == edited)
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
  }

  @Test func `a section of a flat view that moves counts as its own rows`() throws {
    let view = StrictFlatView(hasHeaders: false)
    let driver = view.driven()
    driver.animationLimit = 8
    let before = try TestSnapshot.of(("a", Array(1...10)), ("b", [11]), ("c", [12]))
    driver.apply(ListUpdate(initial: before, revision: 0, epoch: "list"))
    view.endUpdate()
    let after = try TestSnapshot.of(("c", [12]), ("a", Array(1...10)), ("b", [11]))
    driver.apply(.next(after, after: before, at: ListPosition(epoch: "list", revision: 0)))
    view.endUpdate()
    #expect(view.batchCount == 1 && view.refusals.isEmpty, "\(view.refusals)")
  }

  @Test func `a completion that is called twice counts once`() throws {
    var driven = DrivenView(try .of(("a", [1, 2]), ("b", [3]), ("c", [4])))
    driven.update(to: try .of(("c", [4]), ("b", [3, 5]), ("a", [2, 1])))
    #expect(driven.view.batchCount == 2)
    driven.view.finishFirstTwice()
    #expect(!driven.driver.isSettled)
    driven.view.finishAnimations()
    #expect(driven.driver.isSettled)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a view that is gone while it animates is not waited for`() async throws {
    var view: StrictView? = StrictView()
    let driver = try #require(view?.driven())
    driver.clock = AnyClock(ManualClock())
    driver.apply(try .of(("a", [1])))
    driver.apply(try .of(("a", [1, 2])))
    let lists = try [TestSnapshot.of(("a", [3])), .of(("a", [4]))]
    driver.apply(lists[0])
    let waiting = Task { await driver.settled() }
    let cancelled = Task { await driver.settled() }
    await eventually { driver.waiters.count == 2 }
    // A task that is cancelled leaves its place.
    cancelled.cancel()
    await cancelled.value
    #expect(driver.waiters.count == 1 && !driver.isSettled)
    view = nil
    await waiting.value
    #expect(driver.isSettled && driver.snapshot == lists[0])
    driver.apply(lists[1])
    #expect(driver.isSettled && driver.snapshot == lists[1])
  }

  @Test(arguments: [false, true])
  func `a view that is gone between two batches of an update is not waited for`(isFlat: Bool) async throws {
    let lists = try [
      TestSnapshot.of(("a", [1, 2]), ("b", [3]), ("c", [4])), .of(("c", [4]), ("b", [3, 5]), ("a", [2, 1])),
    ]
    var view: (any StrictBatchView)? = isFlat ? StrictFlatView(hasHeaders: false) : StrictView()
    let driver = try #require(view?.driven())
    driver.apply(lists[0])
    view?.duringBatch = { view = nil }
    driver.apply(lists[1])
    await driver.settled()
    #expect(view == nil && driver.snapshot == lists[1])
  }

  // MARK: - Rows whose look depends on what `==` ignores

  @Test func `rows are configured again when that is asked for, also by a cell, and nothing else happens`() throws {
    let driven = DrivenView(try .of(("a", [1, 2, 3]), ("b", [4])))
    let (view, driver) = (driven.view, driven.driver)
    driver.refresh([4, 2, 99])
    #expect(view.reconfigured == [path(0, 1), path(1, 0)])
    driver.refresh([99])
    #expect(view.reconfigured.count == 2 && view.batchCount == 0 && view.reloadCount == 1)
    // A cell that asks for itself is configured once, another one after it.
    var asked: [[Int]] = [[1], [1, 3]]
    view.whileConfiguring = { if !asked.isEmpty { driver.refresh(asked.removeFirst()) } }
    driver.refresh([1])
    #expect(view.reconfigured.dropFirst(2) == [path(0, 0)])
    driver.refresh([1])
    #expect(view.reconfigured.dropFirst(3) == [path(0, 0), path(0, 2)])
    #expect(driver.isSettled && view.refusals.isEmpty, "\(view.refusals)")
  }

  @Test func `the place is kept, and the end, where rows are measured when they appear`() throws {
    var random = SeededGenerator(seed: 5)
    for round in 0..<SeededGenerator.rounds(12, long: 3_000) {
      var rows: [TestRow] = []
      func insert(_ count: Int, at index: Int) throws -> TestSnapshot {
        for _ in 0..<count {
          let text = String(repeating: "x", count: .random(in: 0...6, using: &random))
          rows.insert(TestRow(rows.count, text), at: index)
        }
        return try TestSnapshot([ListSection(TestSection("a"), rows: rows)])
      }
      var driven = DrivenView()
      driven.view.animates = false
      driven.view.screen = Screen(height: .random(in: 4...12, using: &random))
      driven.view.estimate = .random(in: 1...7, using: &random)
      driven.driver.followsTail = true
      for count in [40, 1, 3, 1] {
        driven.update(to: try insert(count, at: rows.count))
        #expect(driven.view.viewport?.isAtEnd == true, "round \(round): \(rows.count) rows")
      }
      driven.view.scroll(to: RowPath(section: 0, row: 20), distance: .random(in: -2...2, using: &random))
      let before = try #require(driven.view.viewport?.rows.first)
      let index = Int.random(in: 0...before.index.row, using: &random)
      driven.update(to: try insert(.random(in: 1...15, using: &random), at: index))
      let after = try #require(driven.view.viewport?.rows.first)
      #expect(after.distance == before.distance && after.index.row > before.index.row, "round \(round)")
    }
  }

  @Test func `where the first row on the screen folds, the place is kept by the next one that moves least`() throws {
    let long = "xxxxxx"
    func list(_ rows: [(id: Int, text: String)]) -> TestSnapshot {
      (try? TestSnapshot([ListSection(TestSection("a"), rows: rows.map { TestRow($0.id, $0.text) })])) ?? TestSnapshot()
    }
    let (first, last) = ((10..<30).map { (id: $0, text: "") }, (30..<50).map { (id: $0, text: "") })
    var driven = DrivenView(list(first + [(1, long), (2, ""), (3, ""), (4, "")] + last))
    driven.view.animates = false
    driven.view.screen = Screen(height: 9)
    driven.view.scroll(to: path(0, 20), distance: -3)
    #expect(driven.view.viewport?.rows.prefix(4).map(\.distance) == [-3, 4, 5, 6])
    // Row 2 moves by itself; row 3 is the first that stays, and row 4 gets lower.
    driven.update(to: list(first + [(1, ""), (3, "x"), (4, "x"), (2, "")] + last))
    let kept = try #require(driven.view.viewport?.rows.first { $0.index == path(0, 21) })
    #expect(kept.distance == 5)
    // At its end the list has no line below row 1, and row 2 leaves: the view does not follow it to the top.
    driven = DrivenView(list(first + [(1, long), (2, "")]))
    driven.view.animates = false
    driven.view.screen = Screen(height: 5)
    driven.view.scroll(to: path(0, 20), distance: -3)
    driven.update(to: list([(2, "")] + first + [(1, long)]))
    let row = try #require(driven.view.viewport?.rows.first)
    #expect(row.index == path(0, 21) && row.distance == -2)
  }

  @Test func `a section whose header is configured in its place is not configured again`() throws {
    var driven = DrivenView(try .of(("a", [1]), ("b", [2]), ("c", [3])))
    var headers: [String] = []
    driven.driver.configureHeader = { index, before, after in
      headers.append("\(index) \(before.content.title) \(after.content.title)")
      return index == 1
    }
    driven.update(
      to: try TestSnapshot([
        ListSection(TestSection("c", "C"), rows: [TestRow(3)]), ListSection(TestSection("a", "A"), rows: [TestRow(1)]),
      ]))
    #expect(headers == ["0  C", "1  A"])
    #expect(driven.view.parts.map(\.title) == ["C", ""])
  }

  // MARK: - Edits that the view has performed before the driver knows of them

  @Test func `a row that an edit takes to a new section, or out of one that goes, is configured again`() throws {
    let view = StrictFlatView(hasHeaders: false)
    let driver = view.driven()
    driver.apply(try .of(("a", [1, 2])))
    for section in ["b", "c"] {
      view.drag(from: view.lines.firstIndex { $0.id == 2 } ?? 0, to: 0)
      try driver.viewDidPerform {
        try $0.insert(TestSection(section), at: 0)
        try $0.move(2, to: RowPath(section: 0, row: 0))
        try $0.update(2) { $0.text = section }
        if section == "c" { try $0.removeSection("b") }
      }
      #expect(view.lines.map(\.text) == [section, ""])
    }
    #expect(view.refusals.isEmpty, "\(view.refusals)")
  }

  @Test func `a list that comes while cells show an edit of the view is shown after it`() throws {
    let driven = DrivenView(try .of(("a", [1, 2, 3])))
    let next = try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(1, "new")])])
    driven.view.whileConfiguring = { [driver = driven.driver, view = driven.view] in
      view.whileConfiguring = nil
      driver.apply(next)
      #expect(driver.snapshot.rowCount == 3)
    }
    try driven.driver.viewDidPerform {
      try $0.update(1) { $0.text = "new" }
      try $0.update(3) { $0.text = "other¿" }
    }
    #expect(driven.view.shown == NaiveList(next) && driven.driver.snapshot == next)
    #expect(driven.view.refusals.isEmpty, "\(driven.view.refusals)")
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

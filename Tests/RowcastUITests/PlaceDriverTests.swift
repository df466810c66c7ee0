import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastUI
import Testing

/// A view that is driven, read and used by a person at random moments, beside a naive rule for the place of its screen.
@MainActor
@Suite(.watched) struct PlaceDriverTests {
  @Test
  func
    `whatever comes while a person reads, drags and swipes, the topmost visible line of a row that is left stays where it is`()
    async throws
  {
    var random = SeededGenerator.forFuzzing("place driver")
    var (operations, places) = (0, 0)
    for run in 0..<SeededGenerator.rounds(120, long: 40_000) {
      var driver = try PlaceDriver(using: &random)
      for _ in 0..<50 {
        operations += 1
        try await driver.operate(using: &random)
        let fault = driver.fault
        try #require(fault == nil, "seed \(random.seed), run \(run), operation \(operations): \(fault ?? "")")
      }
      places += driver.places
    }
    print("fuzz: place driver: \(operations) operations, \(places) places")
    #expect(places > operations / 8)
  }
}

@MainActor
private struct PlaceDriver {
  private let view = StrictView()
  private let driver: TestDriver
  /// The list that was given last.
  private var last: TestSnapshot
  private var newSections = 0
  private(set) var places = 0
  private(set) var fault: String?

  init(using random: inout SeededGenerator) throws {
    last = try .of(("s0", Array(0..<12)))
    let (view, driver) = (view, TestDriver(view))
    self.driver = driver
    view.data = { driver.snapshot }
    view.screen = Screen(height: .random(in: 1...9, using: &random))
    driver.animationLimit = Bool.random(using: &random) ? 1_000 : 8
    driver.followsTail = Int.random(in: 0..<4, using: &random) == 0
    driver.showsArrivalsAtTop = Bool.random(using: &random)
    driver.apply(last)
  }

  mutating func operate(using random: inout SeededGenerator) async throws {
    let (view, driver) = (view, driver)
    switch Int.random(in: 0..<15, using: &random) {
    case 0...5:
      last = try next(using: &random)
      let list = last
      check { driver.apply(list) }
      view.endUpdate()
    case 6: person(using: &random)
    case 7, 8: check { view.finishAnimations() }
    case 9:
      view.dropAnimations()
      let before = moment
      for _ in 0..<3 { await Task.yield() }
      compare(before)
    case 10: view.animates.toggle()
    case 12:
      // Nothing is other than it was. A person's edit may have left the screen behind the end.
      let (top, last) = (moment.top, view.screen?.last(view.elements.map(\.height)) ?? 0)
      driver.refresh([.random(in: 0..<30, using: &random), .random(in: 0..<30, using: &random)])
      if view.isInWindow, !driver.followsTail, moment.top != top, moment.top != min(top, last) {
        fault = "a refresh scrolls from line \(top) to \(moment.top)"
      }
    case 11: view.isInWindow = Int.random(in: 0..<3, using: &random) > 0
    default: view.screen?.scroll(toLine: .random(in: 0...50, using: &random), view.elements.map(\.height))
    }
    if !view.refusals.isEmpty { fault = "\(view.refusals)" }
    if driver.isSettled, view.shown != NaiveList(driver.snapshot) { fault = "the view shows other rows" }
  }

  // MARK: - What comes

  private mutating func next(using random: inout SeededGenerator) throws -> TestSnapshot {
    var parts = NaiveList(last).parts
    switch Int.random(in: 0..<4, using: &random) {
    case 0: parts = NaiveList(try TestSnapshot.random(sections: 4, rows: 24, using: &random)).parts
    case 1:
      // Another grouping of the same rows, and some that come first.
      var rows = parts.flatMap(\.rows)
      if Bool.random(using: &random) { rows.shuffle(using: &random) }
      let free = (24..<30).filter { id in !rows.contains { $0.id == id } }
      rows.insert(contentsOf: free.prefix(.random(in: 0...6, using: &random)).map { TestRow($0) }, at: 0)
      let count = Int.random(in: 1...4, using: &random)
      parts = (0..<count).map { part in
        newSections += 1
        let old = parts.indices.contains(part) && Bool.random(using: &random)
        return .init(
          section: old ? parts[part].section : TestSection("n\(newSections)"),
          rows: Array(rows[rows.count * part / count..<rows.count * (part + 1) / count]))
      }
    case 2:
      // The rows on the screen leave, and perhaps those above or below.
      let visible = view.viewport?.rows.compactMap { row in
        driver.snapshot.contains(row.index) ? driver.snapshot.row(at: row.index).id : nil
      }
      let side = Int.random(in: 0..<3, using: &random)
      for part in parts.indices {
        parts[part].rows.removeAll { row in
          visible?.contains(row.id) ?? false || side == 1 && row.id % 3 == 0
        }
      }
      if side == 2, !parts.isEmpty { parts.removeFirst() }
    default: break
    }
    // Rows fold and grow.
    for part in parts.indices {
      for row in parts[part].rows.indices where Int.random(in: 0..<3, using: &random) == 0 {
        parts[part].rows[row].text = String(repeating: "x", count: .random(in: 0..<7, using: &random))
      }
    }
    return try TestSnapshot(parts.map { ListSection($0.section, rows: $0.rows) })
  }

  private mutating func person(using random: inout SeededGenerator) {
    let list = driver.snapshot
    let sections = (0..<list.sectionCount).filter { list.rowCount(inSection: $0) > 0 }
    guard view.shown == NaiveList(list), view.isInWindow, let section = sections.randomElement(using: &random) else {
      return
    }
    let from = RowPath(section: section, row: .random(in: 0..<list.rowCount(inSection: section), using: &random))
    let id = list.row(at: from).id
    if Bool.random(using: &random) {
      view.swipe(from)
      try? driver.viewDidPerform { try $0.remove(id) }
    } else {
      let target = Int.random(in: 0..<list.sectionCount, using: &random)
      let count = list.rowCount(inSection: target) - (target == section ? 1 : 0)
      let to = RowPath(section: target, row: .random(in: 0...count, using: &random))
      view.drag(from: from, to: to)
      try? driver.viewDidPerform { try $0.move(id, to: to) }
    }
  }

  // MARK: - The rule

  /// What is on the screen.
  private struct Moment {
    let list: TestSnapshot
    let viewport: BatchViewport<RowPath>
    let top: Int
    let isInWindow: Bool
  }

  private var moment: Moment {
    Moment(
      list: driver.snapshot, viewport: view.viewport ?? BatchViewport(rows: [], isAtStart: true, isAtEnd: true),
      top: view.screen?.top ?? 0, isInWindow: view.isInWindow)
  }

  private mutating func check(_ change: () -> Void) {
    let before = moment
    change()
    compare(before)
  }

  private mutating func compare(_ before: Moment) {
    guard before.list != driver.snapshot, before.isInWindow else { return }
    let top = expectedTop(after: before)
    places += top == nil ? 0 : 1
    if view.screen?.top != top ?? before.top {
      fault =
        "from line \(before.top) to \(view.screen?.top ?? 0), not \(top ?? before.top): \(before.viewport) of "
        + "\(before.list), to \(driver.snapshot)"
    }
  }

  /// The first line of the screen after an update, or `nil` if the view is not scrolled.
  private func expectedTop(after before: Moment) -> Int? {
    let (next, elements) = (driver.snapshot, view.elements)
    let heights = elements.map(\.height)
    func top(of id: Int, at distance: Double) -> Int {
      var screen = Screen(height: view.screen?.height ?? 0)
      let element = elements.firstIndex { $0.path.map { next.row(at: $0).id } == id }
      screen.scroll(to: element ?? 0, distance: distance, heights)
      return screen.top
    }
    func start(of id: Int) -> Double {
      let element = elements.firstIndex { $0.path.map { next.row(at: $0).id } == id }
      return Double(heights[..<(element ?? 0)].reduce(0, +))
    }
    func height(of id: Int) -> Double {
      Double(elements.first { $0.path.map { next.row(at: $0).id } == id }?.height ?? 0)
    }
    let end = max(0, heights.reduce(0, +) - (view.screen?.height ?? 0))
    if driver.followsTail, before.viewport.isAtEnd { return end }
    if driver.showsArrivalsAtTop, before.viewport.isAtStart { return nil }

    let changes = before.list.changes(to: next)
    let ids = next.allRows.map(\.id)
    /// 0: neither the row nor its section moves. 1: it crosses to another section that comes, or from one that goes. 2: it moves.
    func rank(_ path: RowPath) -> Int? {
      guard ids.contains(before.list.row(at: path).id) else { return nil }
      if changes.rows.deletes.contains(path) || changes.sections.deletes.contains(path.section) { return 1 }
      let moves =
        changes.rows.moves.contains { $0.from == path } || changes.sections.moves.contains { $0.from == path.section }
      return moves ? 2 : 0
    }
    let visible = before.viewport.rows.compactMap { row in
      rank(row.index).map { (id: before.list.row(at: row.index).id, distance: row.distance, rank: $0) }
    }
    for wanted in 0...2 {
      guard let index = visible.firstIndex(where: { $0.rank == wanted }) else { continue }
      let row = visible[index]
      let kept = top(of: row.id, at: row.distance)
      let (start, lines) = (start(of: row.id), height(of: row.id))
      // In its place, with a line that was visible.
      if row.distance >= 0 || row.distance + lines > 0 && Double(kept) == start - row.distance { return kept }
      let others = visible[(index + 1)...]
      guard let least = others.map(\.rank).min(), let other = others.first(where: { $0.rank == least }) else {
        return Double(kept) < start + lines ? kept : top(of: row.id, at: 0)
      }
      return top(of: other.id, at: other.distance)
    }
    // Nothing on the screen is left: the place between what was above and what was below it.
    guard let first = before.viewport.rows.first else { return nil }
    let paths = (0..<before.list.sectionCount).flatMap { section in
      (0..<before.list.rowCount(inSection: section)).map { RowPath(section: section, row: $0) }
    }
    let kept = paths.filter { (rank($0) ?? 2) < 2 }
    if let above = kept.last(where: { $0 < first.index }) {
      let index = ids.firstIndex(of: before.list.row(at: above).id) ?? 0
      return index + 1 < ids.count ? top(of: ids[index + 1], at: first.distance) : end
    }
    return kept.first { $0 > first.index }.map { top(of: before.list.row(at: $0).id, at: 0) }
  }
}

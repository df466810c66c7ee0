/// The rules of a batch driver: which list its view shows when, and what is on the screen then.
@MainActor
struct BatchModel {
  let view: any StrictBatchView
  /// True if headers are lines of the view.
  let hasHeaders: Bool
  let limit: Int
  /// The list that the view shows, and the pending one.
  var shown = TestSnapshot()
  var waiting: TestSnapshot?
  /// True while batches of the newest update animate, and whether a reload has ended that on the screen.
  private(set) var isBusy = false
  private var isInterrupted = false
  /// True if the next list is loaded.
  private(set) var mustReload = true
  private(set) var hasOpened = false
  var (followsTail, showsArrivals) = (false, true)
  /// True if tasks wait for rest.
  var tasksWait = false
  /// The time, in seconds; when the view is waited for no longer; and until when tasks sleep.
  private var now = 0
  private var deadline: Int?
  private var sleeps: [Int] = []
  /// The updates of this step, and all batches and reloads.
  private var updates = 0
  private(set) var (batches, reloads) = (0, 0)
  /// Where the screen must be; `nil` if that is not known.
  private(set) var top: Int?

  init(_ view: any StrictBatchView, hasHeaders: Bool, limit: Int) {
    (self.view, self.hasHeaders, self.limit) = (view, hasHeaders, limit)
  }

  var isSettled: Bool { !isBusy && waiting == nil }
  var sleepers: Int { sleeps.count }

  /// What is on the screen before something happens.
  struct Moment {
    let rows: [(id: Int, distance: Int)]
    let top: Int
    let isAtStart: Bool
    let isAtEnd: Bool
  }

  private var moment: Moment?

  /// The rows on the screen before something happened.
  var visibleRows: [Int] { moment?.rows.map(\.id) ?? [] }

  /// More than one thing happened, or it is not known what.
  mutating func forgetPlace() { top = nil }

  /// Looks at the screen before something happens.
  mutating func begin() {
    (updates, moment, top) = (0, nil, view.screen?.top)
    guard let screen = view.screen else { return }
    let lines = view.lines
    let viewport = screen.viewport(of: view.heights) { lines[$0].id }
    moment = Moment(
      rows: viewport.rows.map { ($0.index, Int($0.distance)) }, top: screen.top, isAtStart: viewport.isAtStart,
      isAtEnd: viewport.isAtEnd)
  }

  // MARK: - What happens

  /// A list is given. What the view does then has been done.
  mutating func give(_ list: TestSnapshot, isInside: Bool = false) {
    waiting = list
    goOn(isInside: isInside)
  }

  /// A task waits for rest, or a list does.
  mutating func goOn(isInside: Bool = false) {
    if isBusy, !isInside, !view.isInWindow { return giveUp() }
    if isBusy { limitWait() }
    if !isInside { showWaiting() }
  }

  /// Whoever waits for batches waits for five seconds at most.
  private mutating func limitWait() {
    if deadline != nil { return }
    deadline = now + 5
    sleeps.append(now + 5)
  }

  private mutating func giveUp() {
    (isBusy, mustReload) = (false, true)
    showWaiting()
  }

  /// Time passes.
  mutating func advance(by seconds: Int) {
    now += seconds
    sleeps.removeAll { $0 <= now }
    if isBusy, let deadline, deadline <= now { giveUp() }
  }

  /// Completions were called or dropped: of animations on the screen, or of animations that a reload has ended.
  mutating func rest(interrupted: Bool, others: Bool) {
    guard isBusy, isInterrupted ? interrupted : others else { return }
    isBusy = false
    showWaiting()
  }

  mutating func showWaiting() {
    guard !isBusy, let next = waiting else { return }
    let before = shown
    (shown, waiting, deadline, isInterrupted) = (next, nil, nil, false)
    updates += 1
    let changes = before.changes(to: next)
    var count = changes.count
    if view is StrictFlatView { for move in changes.sections.moves { count += before.rowCount(inSection: move.from) } }
    if !view.isInWindow || mustReload || count > limit {
      (reloads, mustReload) = (reloads + 1, false)
    } else if changes.sections.hasStructure || changes.rows.hasStructure {
      batches += changes.stages(from: before, to: next).count
      isBusy = view.animates
      if isBusy, tasksWait { limitWait() }
    }
    if updates == 1 { top = newTop(before, changes) } else { top = nil }
    if !hasOpened, next.rowCount > 0 {
      if followsTail, top != nil { top = end }
      hasOpened = view.isInWindow
    }
  }

  /// Rows are to be configured again.
  mutating func refresh() {
    guard mustReload || !view.isInWindow else { return keepStill() }
    (reloads, mustReload, isInterrupted) = (reloads + 1, false, isBusy)
  }

  /// Nothing is other than it was. A person's edit may have left the screen behind the end.
  private mutating func keepStill() {
    guard updates == 0, let moment else { return top = nil }
    if followsTail, moment.isAtEnd { return top = end }
    if moment.top > end { top = nil }
  }

  /// A person did something; the screen stays.
  mutating func perform(_ list: TestSnapshot) { shown = list }

  // MARK: - The screen

  /// What the view must show.
  var lines: [ShownElement] {
    NaiveList(shown).parts.flatMap { part in
      (hasHeaders ? [.header(part.section.id, part.section.content.title)] : [])
        + part.rows.map { .row($0.id, $0.reuseIdentifier, $0.text, look: view.looks[$0.id] ?? 0) }
    }
  }

  private var end: Int { max(0, view.heights.reduce(0, +) - (view.screen?.height ?? 0)) }

  /// The first line of the screen after an update.
  private func newTop(_ before: TestSnapshot, _ changes: ListChanges) -> Int? {
    guard let moment else { return nil }
    guard view.isInWindow else { return moment.top }
    let (lines, heights) = (view.lines, view.heights)
    func start(of id: Int) -> Int {
      let element = lines.firstIndex { $0.id == id } ?? 0
      return heights[..<element].reduce(0, +)
    }
    func top(of id: Int, at distance: Int) -> Int { min(max(0, start(of: id) - distance), end) }
    func height(of id: Int) -> Int { lines.firstIndex { $0.id == id }.map { heights[$0] } ?? 0 }
    if followsTail, moment.isAtEnd { return end }
    if showsArrivals, moment.isAtStart { return moment.top }

    let ids = shown.allRows.map(\.id)
    var paths: [(id: Int, path: RowPath)] = []
    for section in 0..<before.sectionCount {
      for (row, model) in before.rows(inSection: section).enumerated() {
        paths.append((model.id, RowPath(section: section, row: row)))
      }
    }
    /// 0: neither the row nor its section moves. 1: it crosses to an inserted section, or from a removed one. 2: it moves.
    func rank(_ id: Int) -> Int? {
      guard ids.contains(id), let path = paths.first(where: { $0.id == id })?.path else { return nil }
      if changes.rows.deletes.contains(path) || changes.sections.deletes.contains(path.section) { return 1 }
      let moves =
        changes.rows.moves.contains { $0.from == path } || changes.sections.moves.contains { $0.from == path.section }
      return moves ? 2 : 0
    }
    let visible = moment.rows.compactMap { row in rank(row.id).map { (id: row.id, distance: row.distance, rank: $0) } }
    for wanted in 0...2 {
      guard let index = visible.firstIndex(where: { $0.rank == wanted }) else { continue }
      let row = visible[index]
      let kept = top(of: row.id, at: row.distance)
      // In its place, with a line that was visible.
      let isInPlace = row.distance + height(of: row.id) > 0 && kept == start(of: row.id) - row.distance
      if row.distance >= 0 || isInPlace { return kept }
      // A row that moves more never takes its place.
      guard let other = visible[(index + 1)...].first(where: { $0.rank == wanted }) else {
        return kept < start(of: row.id) + height(of: row.id) ? kept : top(of: row.id, at: 0)
      }
      return top(of: other.id, at: other.distance)
    }
    // Nothing on the screen is left: the place between the rows above and below it.
    guard let first = moment.rows.first, let place = paths.firstIndex(where: { $0.id == first.id }) else {
      return moment.top
    }
    func stays(_ row: (id: Int, path: RowPath)) -> Bool { (rank(row.id) ?? 2) < 2 }
    if let above = paths[..<place].last(where: stays) {
      let index = ids.firstIndex(of: above.id) ?? 0
      return index + 1 < ids.count ? top(of: ids[index + 1], at: first.distance) : end
    }
    return paths[place...].first(where: stays).map { top(of: $0.id, at: 0) } ?? moment.top
  }
}

@testable import RowcastUI

/// What can happen to a view that a batch driver drives.
enum BatchFeature: String, DrivenFeature {
  /// A view of rows alone, with headers; a screen whose place is kept; few changes are animated.
  case flat, headers, screen, limit
  case edit, regroup, sections, leave, grow, kinds, same
  case list, show, restart, late, gap
  case swipe, drag, change, confirm
  case refresh, inside, whileConfiguring
  case finish, twice, interrupted, drop, still, window
  case scroll, tail, arrivals
  case settled, cancel, clock

  static let settings: Set<Self> = [.flat, .headers, .screen, .limit]
}

/// A driver, its strict view, a person, and the model of all three.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@MainActor
final class BatchFuzz: ScheduledFuzz {
  var random: SeededGenerator
  let view: any StrictBatchView
  let driver: TestDriver
  let clock = ManualClock()
  var model: BatchModel
  var used: Set<BatchFeature> = []
  /// The list that updates bring, with its position, and the list of the former stream.
  var stream: (list: TestSnapshot, position: ListPosition)?
  var former: (list: TestSnapshot, position: ListPosition)?
  var streams = 0
  /// The number of lists given, the lists whose difference is being made, and the calls that wait for the end of animations.
  var given = 0
  var shows: [(number: Int, list: TestSnapshot)] = []
  var waits: [Wait] = []
  var newSections = 0

  /// A call that returns at rest.
  @MainActor
  final class Wait {
    var task: Task<Void, Never>?
    var hasBegun = false
    var hasReturned = false
    /// True if the view was at rest, or the task was cancelled.
    var mayReturn = false
  }

  init(_ fuzzCase: FuzzCase<BatchFeature>) throws {
    let has = fuzzCase.settings.contains
    random = SeededGenerator(seed: fuzzCase.seed)
    let isFlat = has(.flat)
    view = isFlat ? StrictFlatView(hasHeaders: has(.headers)) : StrictView()
    driver = view.driven()
    driver.clock = AnyClock(clock)
    let limit = has(.limit) ? Int.random(in: 0...10, using: &random) : 1_000
    driver.animationLimit = limit
    if has(.screen) { view.screen = Screen(height: .random(in: 1...9, using: &random)) }
    model = BatchModel(view, hasHeaders: !isFlat || has(.headers), limit: limit)
    used.formUnion(fuzzCase.settings.filter { $0 != .headers || isFlat })
  }

  func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// Looks at everything before something happens.
  func begin() {
    model.begin()
    model.tasksWait = !driver.waiters.isEmpty
  }

  // MARK: - Steps

  func step(_ feature: BatchFeature, seed: UInt64) async throws {
    random = SeededGenerator(seed: seed)
    begin()
    view.endUpdate()
    if try await perform(feature) { used.insert(feature) }
    try check()
    begin()
    // The work of other tasks in between.
    for _ in 0..<number(0...3) { try await pause() }
  }

  /// Returns false if there was nothing to do.
  func perform(_ feature: BatchFeature) async throws -> Bool {
    switch feature {
    case .flat, .headers, .screen, .limit: return false
    case .edit, .regroup, .sections, .leave, .grow, .kinds, .same: try await update(to: next(feature))
    case .list:
      let list = try anyList()
      driver.apply(list)
      try await give(list)
    case .show: return try await show()
    case .restart:
      if let stream, number(0...1) == 0 { former = stream }
      streams += 1
      // Revisions say nothing about other streams, and some have no epoch.
      let position = ListPosition(
        epoch: number(0...2) == 0 ? "" : "\(streams)", revision: stream?.position.revision ?? 0)
      stream = (try anyList(), position)
      guard let stream else { return false }
      driver.apply(ListUpdate(initial: stream.list, revision: position.revision, epoch: position.epoch))
      try await give(stream.list)
    case .late:
      guard let (list, position) = former else { return false }
      try await update(to: anyList(), from: list, at: position)
    case .gap:
      guard let stream else { return false }
      let (lost, position) = (try anyList(), stream.position)
      self.stream = (lost, ListPosition(epoch: position.epoch, revision: position.revision + 1))
      try await update(to: anyList())
    case .swipe, .drag, .change: return try performEdit(feature)
    case .confirm:
      // The list has what the person did.
      if let stream, NaiveList(stream.list) == NaiveList(driver.snapshot) { return false }
      try await update(to: driver.snapshot)
    case .refresh:
      let ids = newLooks()
      driver.refresh(ids)
      model.refresh()
    case .inside: return try await changeInside()
    case .whileConfiguring: return try await changeWhileConfiguring()
    case .finish, .twice:
      let wasBusy = model.isBusy
      if feature == .finish { view.finishAnimations() } else { view.finishAnimationsTwice() }
      model.rest(interrupted: feature == .finish, others: true)
      return wasBusy
    case .interrupted:
      // A view that left its window while it animated is reloaded, and animates again before its completions are called.
      let wasBusy = model.isBusy && view.isInWindow
      for isInWindow in wasBusy ? [false, true] : [] {
        begin()
        view.isInWindow = isInWindow
        try await update(to: anyList())
        try check()
      }
      begin()
      view.finishInterrupted()
      model.rest(interrupted: true, others: false)
      return wasBusy
    case .drop:
      try await beginAlone()
      guard model.isBusy else { return false }
      view.dropAnimations()
      try await soon { $0.rest(interrupted: true, others: true) }
    case .still: view.animates.toggle()
    case .window: view.isInWindow.toggle()
    case .scroll:
      guard view.screen != nil else { return false }
      view.screen?.scroll(toLine: number(-3...50), view.heights)
      begin()
    case .tail:
      model.followsTail.toggle()
      driver.followsTail = model.followsTail
    case .arrivals:
      model.showsArrivals.toggle()
      driver.showsArrivalsAtTop = model.showsArrivals
    case .settled:
      try await beginAlone()
      try await start { await $0.settled() }
      model.goOn()
    case .cancel:
      guard let wait = waits.filter({ !$0.hasReturned }).randomElement(using: &random) else { return false }
      wait.mayReturn = true
      wait.task?.cancel()
      try await self.wait { wait.hasReturned }
    case .clock:
      let seconds = number(1...6)
      try await quiet()
      try await beginAlone()
      await clock.advance(by: .seconds(seconds))
      try await soon { $0.advance(by: seconds) }
      try await quiet()
    }
    return true
  }

  // MARK: - Lists

  /// Brings a list, as the next update of the stream.
  func update(to list: TestSnapshot) async throws {
    if stream == nil {
      stream = (list, ListPosition(epoch: "0", revision: 0))
      driver.apply(ListUpdate(initial: list, revision: 0, epoch: "0"))
      return try await give(list)
    }
    guard let (last, position) = stream else { return }
    stream = (list, ListPosition(epoch: position.epoch, revision: position.revision + 1))
    try await update(to: list, from: last, at: position)
  }

  func update(to list: TestSnapshot, from last: TestSnapshot, at position: ListPosition) async throws {
    driver.apply(.next(list, after: last, at: position))
    try await give(list)
  }

  /// Notes a given list. Lists whose difference is still being made are too late.
  func give(_ list: TestSnapshot) async throws {
    given += 1
    model.give(list)
    try check()
    try await overtake(given)
  }

  func overtake(_ number: Int) async throws {
    if shows.allSatisfy({ $0.number > number }) { return }
    shows.removeAll { $0.number < number }
    try await tasksWait()
    model.goOn()
  }

  // MARK: - Lists whose difference is made elsewhere

  func show() async throws -> Bool {
    if shows.count == 2 { return false }
    let list = try anyList()
    given += 1
    shows.append((given, list))
    try await start { await $0.show(list) }
    return true
  }

  /// Starts a task with a call that returns at rest.
  func start(_ call: @escaping @MainActor (TestDriver) async -> Void) async throws {
    let (wait, driver) = (Wait(), driver)
    wait.task = Task { @MainActor in
      wait.hasBegun = true
      await call(driver)
      wait.hasReturned = true
    }
    waits.append(wait)
    try await self.wait { wait.hasBegun }
  }

  /// Notes which differences were made.
  func observe() async throws {
    let passed = driver.lastPassedOn
    guard let index = shows.firstIndex(where: { $0.number == passed }) else { return }
    let (list, earlier) = (shows[index].list, Array(shows[..<index]))
    shows.removeSubrange(...index)
    model.tasksWait = !driver.waiters.isEmpty
    if let first = earlier.first {
      // Perhaps it was in time.
      var both = model
      both.give(first.list)
      both.goOn()
      both.give(list)
      let isBoth =
        both.shown == driver.snapshot && both.isSettled == driver.isSettled && both.batches == view.batchCount
        && both.reloads == view.reloadCount
      if isBoth { model = both }
      if !isBoth { model.give(list) }
    } else {
      model.give(list)
    }
    // Who has given it waits for rest.
    model.goOn()
    if !earlier.isEmpty {
      for wait in waits { wait.mayReturn = true }
      model.forgetPlace()
      try await tasksWait()
      model.goOn()
    }
    try check()
  }

  func pause() async throws {
    await Task.yield()
    view.endUpdate()
    try await observe()
    try checkState()
    begin()
  }

  /// Waits until no difference is being made, so that nothing happens but what the step does.
  func beginAlone() async throws {
    try await wait { self.shows.isEmpty }
    begin()
  }

  /// Waits for what other tasks do, never for a time.
  func wait(_ condition: () async -> Bool) async throws {
    for _ in 0..<2_000 {
      if await condition() { return }
      await Task.yield()
      if !shows.isEmpty { try await observe() }
    }
    throw Mismatch("nothing happens any more: \(state)")
  }

  /// Waits until something has happened that a task brings about. Places are known when the view has changed.
  func soon(_ change: (inout BatchModel) -> Void) async throws {
    var next = model
    change(&next)
    try await wait { self.driver.snapshot == next.shown && self.driver.isSettled == next.isSettled }
    change(&model)
  }

  /// Waits until all tasks that wait for rest have begun to.
  func tasksWait() async throws {
    try await wait {
      self.shows.isEmpty && self.waits.count { !$0.hasReturned } == self.driver.waiters.count
    }
  }

  /// Waits until all tasks wait for something.
  func quiet() async throws {
    try await tasksWait()
    try await wait { await self.clock.sleeperCount == self.model.sleepers }
  }

  // MARK: - Checks

  var state: String {
    func text(_ list: TestSnapshot) -> String {
      NaiveList(list).parts.map { "\($0.section.id): \($0.rows.map(\.id))" }.joined(separator: ", ")
    }
    return """
      shown \(text(driver.snapshot)), \(driver.isSettled ? "settled" : "busy"), expected \(text(model.shown)), \
      \(model.isSettled ? "settled" : "busy"), waiting \(model.waiting.map(text) ?? "no"), shows \(shows.map(\.number)) of \
      \(given), passed \(driver.lastPassedOn), waiters \(driver.waiters.count), top \(view.screen?.top ?? 0)
      """
  }

  func require(_ holds: Bool, _ what: @autoclosure () -> String) throws {
    if !holds { throw Mismatch("\(what()): \(state)") }
  }

  func check() throws {
    try checkState()
    if shows.contains(where: { $0.number <= driver.lastPassedOn }) { return }
    try require(view.lines == model.lines, "the view shows \(view.lines.map(\.text)), not \(model.lines.map(\.text))")
    if let top = model.top { try require(view.screen?.top == top, "the first line is not \(top)") }
  }

  func checkState() throws {
    try require(view.refusals.isEmpty, "refused: \(view.refusals)")
    // A difference may be made that was not noted yet.
    if shows.contains(where: { $0.number <= driver.lastPassedOn }) { return }
    try require(driver.snapshot == model.shown, "another list")
    try require(driver.isSettled == model.isSettled, "another state")
    try require(
      view.batchCount == model.batches && view.reloadCount == model.reloads,
      "\(view.batchCount) batches and \(view.reloadCount) reloads, not \(model.batches) and \(model.reloads)")
    for wait in waits {
      if driver.isSettled { wait.mayReturn = true }
      try require(wait.mayReturn || !wait.hasReturned || !shows.isEmpty, "a task does not wait for rest")
    }
  }

  /// All animations end, also after the view is released.
  func end() async throws {
    for _ in 0..<2_000 where !driver.isSettled || waits.contains(where: { !$0.hasReturned }) {
      begin()
      view.finishAnimations()
      model.rest(interrupted: true, others: true)
      try check()
      try await pause()
    }
    try check()
    try Mismatch.unless(driver.isSettled && waits.allSatisfy(\.hasReturned), "no rest: \(state)")
  }
}

@testable import RowcastConsole

/// A screen that a driver can use.
protocol DrivenScreen: Actor {
  var lines: [String] { get }
  /// Handles input, one element after the other, with all that follows from each.
  func handle(_ input: [TerminalInput]) async throws
}

extension ConsoleScreen: DrivenScreen {
  func handle(_ input: [TerminalInput]) async throws { try await submit(input, at: "a driver") }
}

extension DrivenScreen {
  func press(_ keys: Key...) async throws { try await handle(keys.map { .key($0) }) }
  func type(_ text: String) async throws { try await handle(text.map { .key(.character($0)) }) }
  func paste(_ text: String) async throws { try await handle(text.map { .key(.pasted($0)) }) }
  func advance(by duration: Duration) async throws { try await handle([.time(duration)]) }
  func resize(columns: Int, lines: Int) async throws {
    try await handle([.resized(TerminalSize(columns: columns, lines: lines))])
  }
  func click(line: Int, column: Int, times: Int) async throws {
    try await handle(Array(repeating: .press(line: line, column: column), count: times))
  }
  func turnWheel(_ notches: Int) async throws {
    try await handle(Array(repeating: .wheel(notches.signum()), count: abs(notches)))
  }
}

/// An app without a loop: its state, which steps change, its table and what is drawn. There are no tasks: work of the app and
/// updates of its list wait until they are asked for, in any order.
actor StepScreen<Section: ConsoleSection, Row: ConsoleRow>: DrivenScreen {
  typealias Event = AppState<Section, Row>.Event

  private let app: ConsoleApp<Section, Row>
  private(set) var state: AppState<Section, Row>
  var isPaused: Bool { state.status.isPaused }
  /// True if the list is paused, and does not show the last edit.
  var hidesEdit: Bool { isPaused && state.askedEdit != nil }
  private let table: RetainedTable<Section, Row>
  private var screen: Screen<Section, Row>
  private var now = ContinuousClock.now
  private(set) var lines: [String] = []
  /// The frame on the screen.
  private var lastFrame: Frame?
  private(set) var ending: ConsoleEnding?

  /// The row that a person knows to be focused, and whether no update has arrived since the last frame.
  private var known: (focus: Row.ID?, isFresh: Bool) = (nil, false)
  /// The work that was started and has not run; and the events of what has run, which have not arrived.
  private(set) var works: [@Sendable () async -> Event] = []
  private(set) var answers: [Event] = []
  /// The edit that is given up if no other event is due.
  private var patience: Int?
  private var updates: AsyncStream<ListUpdate<Section, Row>>.Iterator?
  /// The events that filters and orders send, and a mark behind them.
  private let sent: AsyncStream<Event?>
  private let send: AsyncStream<Event?>.Continuation
  private let list: any LiveList<Section, Row>

  init(_ given: ConsoleApp<Section, Row>, columns: Int, lines: Int) async throws {
    var app = given
    let guides = app.showGuides()
    let (sent, send) = AsyncStream.makeStream(of: Event?.self)
    guard let arranged = app.list, let plan = app.plan else { throw Mismatch("no list that the app can arrange") }
    list = arranged
    let arranging = ListArranging(plan, columns: given.columns, outline: app.outline) {
      send.yield(.sorted($0, isReversed: $1))
    } counts: {
      send.yield(.arranged(count: $0))
    }
    let commands = try CommandTable(app, arranging: arranging)
    table = RetainedTable(of: app, hasHeaders: true)
    screen = Screen(
      app, table, size: TerminalSize(columns: columns, lines: lines), keys: commands.help, guides: guides)
    state = AppState(
      app, columns: given.columns, arranging: arranging, commands: commands, status: screen.status, frameTime: nil)
    (self.app, self.sent, self.send) = (app, sent, send)
    await arranging.begin(isLog: false)
    updates = list.updates().makeAsyncIterator()
    try await settle()
  }

  // MARK: - Events

  /// Takes an event, and does what follows at once.
  private func step(_ event: Event) throws {
    var same = state
    let (effects, again) = (state.step(event, in: scene), same.step(event, in: scene))
    // A step depends on nothing but what it is given.
    try Mismatch.unless(
      "\(effects)" == "\(again)" && same.status.message == state.status.message && same.frames.due == state.frames.due
        && "\(same.mode)" == "\(state.mode)", "two results of \(event)")
    for effect in effects {
      switch effect {
      case .end(let ending): self.ending = ending
      case .table(let step): try table.perform(step)
      case .redraw:
        screen.invalidate()
        lastFrame = nil
      case .follow: updates = list.updates().makeAsyncIterator()
      case .pause: updates = nil
      case .start(_, let work): works.append(work)
      case .awaitEdit(let number): patience = number
      case .type(let typed, _, let change):
        works.append {
          _ = await change(typed.text)
          return .taken(typed.number)
        }
      case .searchSlice(let number): answers.append(.searchSlice(number))
      case .forget, .suspend, .log: break
      }
    }
    if case .shown = event { return }
    try check(of: event)
  }

  private var scene: AppState<Section, Row>.Scene { .init(table, on: screen, at: now) }

  /// Passes input on, without what follows later.
  func take(_ input: TerminalInput, draws: Bool = true) throws {
    switch input {
    case .key(let key):
      let (focus, count) = (table.focusedID, works.count)
      try step(.key(key))
      state.followFocus(in: scene)
      if [.delete, .shiftUp, .shiftDown].contains(key), works.count > count {
        try Mismatch.unless(focus == known.focus, "\(key) has edited a row that nobody saw focused")
      }
    case .press(let line, let column):
      let row = column < screen.rows.columns ? screen.rows.row(onLine: line) : nil
      if let row, case .list = state.mode, table.snapshot.scanForPath(ofRow: row.id) != nil { known.focus = row.id }
      let isList = if case .list = state.mode { true } else { false }
      try step(.press(line: line, column: column))
      state.followFocus(in: scene)
      try Mismatch.unless(!isList || state.status.message == nil, "a click leaves \(state.status.message ?? "")")
    case .wheel(let notches):
      try step(.wheel(notches))
      state.followFocus(in: scene)
    case .resized(let size):
      screen.size = size
      state.wantFrame()
    case .time(let duration): now = now.advanced(by: duration)
    default: break
    }
    if known.isFresh { known.focus = table.focusedID }
    if draws { try draw() }
  }

  func handle(_ input: [TerminalInput]) async throws {
    for element in input {
      try take(element)
      try await settle()
    }
  }

  // MARK: - Later events

  /// Runs the work of an index; its event arrives later.
  func run(_ index: Int) async throws {
    answers.append(await works.remove(at: index)())
    send.yield(nil)
    for await event in sent {
      guard let event else { break }
      answers.append(event)
    }
  }

  /// Lets the event of an index arrive.
  func answer(_ index: Int, draws: Bool = true) throws {
    try step(answers.remove(at: index))
    if draws { try draw() }
  }

  /// Applies the next update, if there is one and the list is not paused. Returns false if there is none.
  func update(draws: Bool = true) async throws -> Bool {
    guard updates != nil else { return false }
    if let revision = table.revision, await list.revision <= revision { return false }
    if table.revision != nil, await list.snapshot == table.snapshot { return false }
    guard let whole = await nextUpdate(), let update = whole.continuing(table, isLog: false) else { return false }
    let (before, focus) = (table.snapshot, table.focusedPath)
    var shown = update
    shown.changes = try table.apply(whole).changes
    try step(.shown(shown, before: before, focus: focus))
    shown.revision = state.status.revision ?? update.revision
    screen.show(shown, at: now)
    known.isFresh = false
    if draws { try draw() }
    return true
  }

  private func nextUpdate() async -> ListUpdate<Section, Row>? {
    var iterator = updates
    let update = await iterator?.next(isolation: self)
    updates = iterator
    return update
  }

  /// Runs all work, and lets all that follows arrive.
  func settle() async throws {
    repeat {
      while !works.isEmpty { try await run(0) }
      while !answers.isEmpty { try answer(0) }
      if try await update() || !works.isEmpty || !answers.isEmpty { continue }
      guard let number = patience else { break }
      patience = nil
      try step(.editGivenUp(number))
    } while true
  }

  // MARK: - The screen

  private func draw() throws {
    let isWanted = state.frames.due.map { $0 <= now } ?? false
    state.frames.due = nil
    if state.figures.areStale, state.figures.next <= now {
      (state.figures.areStale, state.figures.next) = (false, now.advanced(by: .milliseconds(500)))
    }
    try screen.fit(state)
    state.drawn = (table.focusedID, state.updates)
    let frame = screen.nextFrame(at: now)
    state.seen = state.drawn
    let difference = frame.sequences(from: lastFrame, theme: .plain)
    try Mismatch.unless(
      isWanted || difference.isEmpty, "nobody wanted a frame, which would show \(difference.debugDescription)")
    lastFrame = frame
    state.now = now
    let nextChange = [screen.nextFading, state.nextChange].compactMap(\.self).min()
    if let nextChange { state.wantFrame(at: nextChange) }
    known = (table.focusedID, true)
    try Mismatch.unless(frame.lines.count == screen.size.lines, "\(frame.lines.count) lines on \(screen.size)")
    lines = try frame.lines.enumerated().map { index, line in
      let side = frame.sides[index].map { $0.text.columnCount }
      let (width, room) = (line.text.columnCount, side == nil ? screen.size.columns : frame.sideColumn)
      try Mismatch.unless(width <= room, "\(width) columns on \(screen.size): \(line.text)")
      try Mismatch.unless((side ?? 0) <= screen.size.columns - room, "\(line) on \(screen.size)")
      var text = Substring(line.text)
      while text.last == " " { text.removeLast() }
      return String(text)
    }
  }

  /// The invariants after each event.
  private func check(of event: Event) throws {
    let focus = table.focusedPath
    try Mismatch.unless(focus.map { table.snapshot.contains($0) } ?? true, "a focus without a row after \(event)")
    // From everywhere three keys end the app. The state is a value: the app itself continues.
    var copy = state
    let effects = ([.escape, .escape, "q"] as [Key]).flatMap { copy.step(.key($0), in: scene) }
    let isEnd = effects.contains { if case .end(.quit) = $0 { true } else { false } }
    try Mismatch.unless(isEnd, "no end after Esc, Esc, q: \(state.mode), after \(event)")
  }

  /// The invariants when no event is due.
  func checkQuiet() throws {
    try Mismatch.unless(state.works.isEmpty && state.status.running.isEmpty, "work without an end: \(state.works)")
    // A paused list shows no edit.
    let isShown = state.status.isPaused || state.waitingEdits.isEmpty && state.askedEdit == nil
    try Mismatch.unless(
      isShown && state.unconfirmed.edited.isEmpty,
      "edits without an answer: \(state.waitingEdits), \(String(describing: state.askedEdit))")
    try Mismatch.unless(state.heldMessages == (nil, nil) || state.mode.usesLastLine, "a message that nobody sees")
  }
}

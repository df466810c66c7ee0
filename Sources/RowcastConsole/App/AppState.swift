#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastSources
  import RowcastTable
  import RowcastViews

  /// The state of a running ``ConsoleApp`` besides its table, its terminal and its tasks: what a person requested, which work
  /// is running, and what the screen says.
  ///
  /// Only ``step(_:in:)`` changes it: a function of the state, an event and a scene. A step does not call the app, draw or
  /// wait: it returns the effects, in order, and ``AppSession`` performs them.
  struct AppState<Section: ConsoleSection, Row: ConsoleRow> {
    let app: ConsoleApp<Section, Row>
    /// The columns of the rows, without the guides of an outline.
    let columns: [ConsoleColumn<Row>]
    let commands: CommandTable<Row.ID>
    /// Filters and sorts the list.
    let arranging: ListArranging<Section, Row>?
    /// False if the list is written to a sink.
    let hasScreen: Bool
    /// The shortest time between two frames; `nil` if each change is drawn at once.
    let frameTime: Duration?
    /// The time of the step.
    var now = ContinuousClock.now
    /// The effects of the step.
    var effects: [Effect] = []

    var status: ScreenStatus
    /// What is in front of the list: it decides what a key does.
    var mode: AppMode {
      get { status.mode }
      set {
        status.mode = newValue
        wantFrame()
      }
    }
    /// Messages that arrived while a person used the last line: the newest of the app, and those of work.
    var heldMessages: (ofApp: String?, ofWork: String?)
    /// The last text of each prompt, by the index of its command.
    var typed: [Int: String] = [:]
    /// The running search for the next hit, if any, and its number.
    var search: (run: RowSearch?, number: Int) = (nil, 0)
    /// The row that was clicked last: another click soon after makes a double click.
    var lastClick: (row: Row.ID, time: ContinuousClock.Instant)?
    /// The queued edits of keys: a row to move down (1) or up (-1), past a neighbour with the same section and parent, or to
    /// delete (`nil`). Each starts once the list shows the previous one. So the app is asked in the order of the keys, each
    /// time for what the person then sees.
    var waitingEdits: [(row: Row.ID, step: Int?)] = []
    /// The newest edit that the app was asked for, until the list shows it.
    var askedEdit: AskedEdit?

    /// An edit that the app was asked for.
    struct AskedEdit {
      /// The number of its work.
      let number: Int
      let row: Row.ID
      /// False if the row is deleted.
      let isMove: Bool
      /// The row in front of which it is moved; `nil` if it becomes the last one in its section or below its parent.
      let next: Row.ID?
      /// The revision of a list that has the edit; `nil` before the answer of the app.
      var revision: Int?
    }

    /// Pending rows: those that the app names, and those of running edits by the number of their work.
    var unconfirmed: (named: Set<Row.ID>, edited: [Int: Row.ID]) = ([], [:]) {
      didSet { if unconfirmed != oldValue { wantFrame() } }
    }
    /// True if a person has sorted the rows.
    var isSorted = false
    /// The number of updates that were shown.
    var updates = 0
    /// The row that the person knows to be focused, and the number of updates that the newest frame on the terminal shows.
    /// Keys that move the focus change the row, unless an update has arrived since.
    var seen: (focus: Row.ID?, updates: Int) = (nil, 0)
    /// The same for the frame that is being written.
    var drawn: (focus: Row.ID?, updates: Int) = (nil, 0)
    /// The start of the last frame, the time of the next one, and the number of frames.
    var frames: (last: ContinuousClock.Instant?, due: ContinuousClock.Instant?, count: Int) = (nil, nil, 0)
    /// The figures of the flow: true if they are stale, the earliest time to redraw them (twice a second at most), and the
    /// number of updates shown in frames.
    var figures = (areStale: false, next: ContinuousClock.now, updates: 0)
    /// Counters: the arrangements that were set, those set before the last shown update, and the updates that showed a new
    /// one.
    var arrangements = (made: 0, shown: 0, changes: 0)
    /// The number of the newest work of the app.
    var workCount = 0
    /// The running work that keys started, by number.
    var works: Set<Int> = []

    init(
      _ app: ConsoleApp<Section, Row>, columns: [ConsoleColumn<Row>], arranging: ListArranging<Section, Row>?,
      commands: CommandTable<Row.ID>, status: ScreenStatus?, frameTime: Duration?
    ) {
      (self.app, self.columns, self.arranging, self.commands) = (app, columns, arranging, commands)
      (hasScreen, self.frameTime) = (status != nil, frameTime)
      self.status = status ?? ScreenStatus(title: app.title, keys: [])
      self.status.sources = app.sources.map { ($0.name, .connecting) }
      self.status.marksUnconfirmed = app.pending != nil || app.onMove != nil || app.onDelete != nil
    }

    /// Handles an event. Returns the effects to perform, in order.
    mutating func step(_ event: Event, in scene: Scene) -> [Effect] {
      now = scene.now
      switch event {
      case .key(let key): handle(key, in: scene)
      case .press(let line, let column): press(line: line, column: column, in: scene)
      case .wheel(let notches): turnWheel(notches)
      case .unconfirmed(let rows): unconfirmed.named = rows
      case .shown(let update, let before, let focus):
        if app.outline != nil, let focus { moveFocus(fromHidden: focus, in: before, update.changes, in: scene) }
        take(update, in: scene)
      case .message(let text, let work):
        // Messages and statuses report events, and an event that changes no list has no update.
        renewFigures()
        if let work {
          end(work)
          followAgain()
          // Work without a message does not replace the message of other work.
          if let text { tell(text) }
        } else if !mode.usesLastLine {
          say(text)
        } else if let text {
          heldMessages.ofApp = text
        }
      case .edited(let number, let revision, let refusal):
        takeAnswer(to: number, revision: revision, refusal: refusal, in: scene)
      case .editGivenUp(let number): giveUp(number, in: scene)
      case .running(let number, let name): show(running: name, as: number)
      case .taken(let number):
        works.remove(number)
        followAgain()
      case .patienceEnded(let slow): works.subtract(slow)
      case .source(let index, let status):
        renewFigures()
        show(status, ofSource: index)
      case .figuresChanged: renewFigures()
      case .arranged(let count): arrangements.made = count
      case .sorted(let column, let isReversed):
        isSorted = column != nil
        if !app.columns.isEmpty { status.heading = app.columns.heading(sortedBy: column, isReversed: isReversed) }
        wantFrame()
      case .searchSlice(let number): searchSlice(of: number, in: scene)
      case .listEnded where status.hasEnded: break
      case .listEnded:
        status.hasEnded = true
        let key = commands.commands.first { $0.name == ConsoleAction.quit.rawValue }?.keys.first?.name
        let text = "the list has ended" + (key.map { ": \($0) quits" } ?? "")
        if mode.usesLastLine { heldMessages.ofApp = text } else { say(text) }
        wantFrame()
      // After an interruption the list is shown, not the help.
      case .suspended: if case .help = mode { mode = .list }
      }
      tellHeldMessages()
      defer { effects = [] }
      return effects
    }

    /// Notes where the person moved the focus, after all effects of a key or of the mouse, unless the list has changed since
    /// the frame that the person sees.
    mutating func followFocus(in scene: Scene) {
      guard updates == seen.updates else { return }
      seen.focus = scene.focusedID
      if drawn.updates == updates { drawn.focus = seen.focus }
    }

    // MARK: - Updates

    private mutating func take(_ update: ListUpdate<Section, Row>, in scene: Scene) {
      if hasScreen { countRevision(of: update) }
      editNext(in: scene)
      updates += 1
      renewFigures()
      wantFrame()
    }

    /// Marks the figures as stale. If they are shown, they are redrawn as soon as their rate allows.
    mutating func renewFigures() {
      figures.areStale = true
      if status.panels.contains(.flow) { wantFrame(at: figures.next) }
    }

    /// Counts the revision for the screen. The list counts each filter and order, even one that changes nothing or is
    /// replaced before anybody sees it. Here a filter or an order counts once, with the first update that has it.
    private mutating func countRevision(of update: ListUpdate<Section, Row>) {
      if arrangements.shown != arrangements.made, update.previous != nil { arrangements.changes += 1 }
      arrangements.shown = arrangements.made
      let revision = update.revision - arrangements.made + arrangements.changes
      // An update from before the newest arrangement does not lower the revision.
      status.revision = max(revision, update.previous == nil ? 0 : status.revision ?? 0)
    }

    /// Stops following the list, or follows it again. The changes of a pause arrive as one net update: a new stream starts
    /// with the whole list, and only its difference to the shown one is applied.
    mutating func togglePause() {
      status.isPaused.toggle()
      effects.append(status.isPaused ? .pause : .follow)
      if !status.isPaused { awaitEdit() }
      wantFrame()
    }

    /// Follows the list again after its end: the person may have filtered or sorted it.
    private mutating func followAgain() {
      if arranging != nil, status.hasEnded, !status.isPaused { effects.append(.follow) }
    }

    /// Shows the status of a source: on the screen, or as a line in the log.
    private mutating func show(_ status: SourceStatus, ofSource index: Int) {
      let (name, former) = self.status.sources[index]
      self.status.sources[index].status = status
      // Errors can be compared only by their descriptions.
      if "\(status)" == "\(former)" { return }
      if !hasScreen { effects.append(.log("! source \("\(name) \(status)".fitted(columns: 1_000))\n")) }
      wantFrame()
    }

    // MARK: - Work of the app

    /// Starts work under a new number, alongside running work. It ends with an event.
    mutating func start(_ name: String, _ work: @escaping @Sendable (_ number: Int) async -> Event) {
      workCount += 1
      works.insert(workCount)
      show(running: name, as: workCount)
      effects.append(.start(workCount) { [workCount] in await work(workCount) })
    }

    /// Runs an action, and shows the message that it returns. The end of the app cancels it.
    mutating func run(_ name: String, _ action: @escaping @Sendable () async -> String?) {
      start(name) { .message(await action(), work: $0) }
    }

    /// Forgets work that has ended.
    mutating func end(_ work: Int) {
      works.remove(work)
      show(running: nil, as: work)
      effects.append(.forget(work))
    }

    /// Shows slow work by its name; `nil` when it has ended.
    private mutating func show(running name: String?, as number: Int) {
      let shown = status.running[number]?.start.advanced(by: ScreenStatus.slowness)
      status.running[number] = name.map { ($0, now) }
      if name != nil { wantFrame(at: now.advanced(by: ScreenStatus.slowness)) }
      if let shown, shown <= now { wantFrame() }
    }

    // MARK: - Messages and frames

    /// Shows the message of work that has ended, once the last line is free, in front of those that arrived since the last key.
    mutating func tell(_ message: String) {
      let earlier = mode.usesLastLine ? heldMessages.ofWork : status.message
      let text = earlier.map { $0 == message ? message : "\(message) · \($0)" } ?? message
      if mode.usesLastLine { heldMessages.ofWork = text } else { say(text) }
    }

    /// After the step, shows deferred messages before the step's own, if the last line is free.
    private mutating func tellHeldMessages() {
      if mode.usesLastLine { return }
      let (ofApp, ofWork) = heldMessages
      heldMessages = (nil, nil)
      for message in [ofApp, ofWork].compactMap(\.self) { tell(message) }
    }

    /// Shows a message on the last line instead of the help; `nil` restores the help.
    mutating func say(_ message: String?) {
      status.message = message
      wantFrame()
    }

    /// Schedules a frame for a time, or as soon after it as the frame rate allows.
    mutating func wantFrame(at wanted: ContinuousClock.Instant? = nil) {
      guard hasScreen else { return }
      let wanted = wanted ?? now
      let earliest = frameTime.flatMap { frames.last?.advanced(by: $0) } ?? wanted
      let due = max(wanted, earliest)
      frames.due = min(frames.due ?? due, due)
    }

    /// The time of the next change on the screen without an event: of figures, or of work that has become slow.
    var nextChange: ContinuousClock.Instant? {
      let slow = status.running.values.map { $0.start.advanced(by: ScreenStatus.slowness) }.filter { $0 > now }.min()
      let figures = figures.areStale && status.panels.contains(.flow) ? figures.next : nil
      return [figures, slow].compactMap(\.self).min()
    }
  }

  extension AppState {
    /// An event of an app.
    enum Event: Sendable {
      case key(Key)
      /// A button of the mouse was pressed at a place of the last frame, or its wheel was turned.
      case press(line: Int, column: Int)
      case wheel(Int)
      /// The rows that the app reports as unconfirmed.
      case unconfirmed(Set<Row.ID>)
      /// The table has applied an update, whose changes are those that the table made; with the list and the focus before.
      /// Indirect, because it is large and moved often.
      indirect case shown(ListUpdate<Section, Row>, before: ListSnapshot<Section, Row>, focus: RowPath?)
      /// A message; of work that has ended, if there is a number.
      case message(String?, work: Int?)
      /// The app has made an edit, which its list has from a revision on, or refused it with an error; by the number of the
      /// work.
      case edited(Int, revision: Int?, refusal: String?)
      /// The list has not shown an edit for a second after the answer; by number.
      case editGivenUp(Int)
      /// A function of the app runs under this name, or has ended (`nil`); by number.
      case running(Int, String?)
      /// A typed text was taken by its command, or replaced by a newer one; by number.
      case taken(Int)
      /// Questions no longer wait for this work.
      case patienceEnded(Set<Int>)
      case source(Int, SourceStatus)
      /// An event has changed the figures of the app.
      case figuresChanged
      /// The arrangement of the list was changed; by the number of changes so far.
      case arranged(count: Int)
      /// Rows are sorted by this column, or by none.
      case sorted(Int?, isReversed: Bool)
      /// It is time for the next rows of a search; by its number.
      case searchSlice(Int)
      /// The list has ended while something was in front of it.
      case listEnded
      /// The process is about to be stopped.
      case suspended
    }

    /// An effect of an event, which the session performs.
    enum Effect {
      case end(ConsoleEnding)
      case suspend
      case table(TableStep<Row.ID>)
      /// Draws the whole screen.
      case redraw
      /// Starts or stops following the list.
      case follow, pause
      /// Starts work of the app under a number; it ends with an event.
      case start(Int, @Sendable () async -> Event)
      case forget(Int)
      /// Gives up on an edit after a second, by its number.
      case awaitEdit(Int)
      /// Passes a text to the prompt of a command, by its index.
      case type(TypedChange, command: Int, @Sendable (String) async -> String?)
      /// Sends the event of the next slice of a search, behind the queued events.
      case searchSlice(Int)
      /// Lines for a log.
      case log(String)
    }

    /// The input of a step besides the event: the table's list and focus, the last frame, and the time.
    struct Scene {
      let list: ListSnapshot<Section, Row>
      let focusedPath: RowPath?
      /// True if the focused row has lines that nothing covers.
      let isFocusInSight: Bool
      let revision: Int?
      /// The rows of the last frame; `nil` without a screen.
      let rows: Screen<Section, Row>.Rows?
      /// The guides of rows that are an outline.
      let guides: OutlineGuides<Row>?
      let size: TerminalSize
      let now: ContinuousClock.Instant

      init(
        _ table: RetainedTable<Section, Row>, on screen: Screen<Section, Row>?, at now: ContinuousClock.Instant
      ) {
        (list, focusedPath, revision, self.now) = (table.snapshot, table.focusedPath, table.revision, now)
        isFocusInSight = focusedPath.map { path in table.uncoveredRows.contains { $0.path == path } } ?? false
        (rows, guides) = (screen?.rows, screen?.guides)
        size = screen?.size ?? TerminalSize(columns: 0, lines: 0)
      }

      var focusedID: Row.ID? { focusedPath.map { list.row(at: $0).id } }

      /// The first row of the last frame that is still in the list.
      var firstSeenPath: RowPath? {
        guard let rows else { return nil }
        return rows.paths.lazy.compactMap(\.self).compactMap { path in
          list.scanForPath(ofRow: rows.list.row(at: path).id)
        }.first
      }

      /// The path of a row. The path of the focused row is known, so a long list is seldom searched.
      func path(of id: Row.ID) -> RowPath? { focusedID == id ? focusedPath : list.scanForPath(ofRow: id) }
    }
  }
#endif

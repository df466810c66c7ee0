#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastPlatform
  import RowcastSources
  import RowcastStore
  import RowcastTable
  import RowcastViews

  /// A running ``ConsoleApp``: its table, its screen or log, and the loop that both are confined to.
  final class AppSession<Section: ConsoleSection, Row: ConsoleRow> {
    /// Several tasks send events; one loop handles them in order.
    enum Event: Sendable {
      /// The list changed; `taken` requests the next update. Indirect, as it is large and moved often.
      indirect case update(
        ListUpdate<Section, Row>, unconfirmed: Set<Row.ID>, taken: AsyncStream<Void>.Continuation)
      case listEnded
      case input(TerminalInput)
      case signal(ConsoleSignal)
      case sources([SourceReport])
      case source(Int, SourceStatus)
      case frameDue
      /// The app may be in the background; by number.
      case enterDue(Int)
      /// The terminal has taken a frame, by number.
      case written(Int, (any Error)?)
      /// A key command returned a message. With a number, it is an action that has ended.
      case message(String?, action: Int?)
      case pauseDeadline
      /// A function of the app works, or has ended, which is `nil`; by number.
      case running(Int, String?)
      /// The list is arranged in another way, by the number of times.
      case arranged(count: Int)
      /// Rows are sorted by this column, or by none.
      case sorted(Int?, isReversed: Bool)
      /// The next rows of a search, by its number.
      case searchSlice(Int)
      /// The app has made an edit, or refused it with an error; by the number of the action.
      case edited(Int, refusal: String?)
      case tableWork(ConsoleApp<Section, Row>.TableWork)
      /// A typed text was taken by its command, by number.
      case typed(Int)
      /// Questions wait no longer for this work.
      case patienceEnded(Set<Int>)
    }

    let app: ConsoleApp<Section, Row>
    /// The columns of the rows, without the guides of an outline.
    let columns: [ConsoleColumn<Row>]
    let table: RetainedTable<Section, Row>
    /// The terminal and the screen on it; both are `nil` if the list is written to a sink.
    let terminal: (any AppTerminal)?
    /// Writes to the terminal.
    let writer: (@Sendable (String) async throws -> Void)?
    var screen: ScreenSink<Section, Row>?
    var sink: any ConsoleSink<Section, Row>
    let commands: CommandTable<Row.ID>
    /// Filters and sorts the list.
    let arranging: ListArranging<Section, Row>?
    private let events: AsyncStream<Event>
    let send: AsyncStream<Event>.Continuation
    var producers: [Task<Void, Never>] = []
    /// Reads the input of the terminal, while the app has it.
    var listener: Task<Void, Never>?
    /// The timer of ``enterSoon()``, and its number.
    var entering: (task: Task<Void, Never>?, number: Int) = (nil, 0)
    /// An element for each set of questions that the terminal has answered, the time of the last set, and their number. `nil` while
    /// nobody listens.
    var answers:
      (end: AsyncStream<Void>, given: AsyncStream<Void>.Continuation, asked: ContinuousClock.Instant, count: Int)?
    /// What the terminal has answered about its features; `nil` unless it was asked. The next frame switches them on if `usesOffer`, and
    /// asks for the ground of the screen if `asksForGround`.
    var offer: TerminalOffer?
    var (usesOffer, asksForGround) = (false, false)
    /// Receives the updates; a pause cancels it.
    var pull: Task<Void, Never>?
    /// False after the deadline of pauses: the list is about to end, which a pause would not show.
    private(set) var mayPause = true
    var updates = 0
    /// The row that the person knows to be focused, and the number of updates that the newest frame on the terminal shows. Keys that move
    /// the focus take it along, as long as no other update came.
    var seen: (focus: Row.ID?, updates: Int) = (nil, 0)
    /// The same of the frame that the terminal is taking.
    var drawn: (focus: Row.ID?, updates: Int) = (nil, 0)
    private var sources: [SourceReport]
    var frameCount = 0
    /// The start of the last frame, and the time and the timer of the next one.
    var frames: (last: ContinuousClock.Instant?, due: ContinuousClock.Instant?, timer: Task<Void, Never>?)
    /// The frame that the terminal is taking, and whether another one is wanted after it.
    var writing: (task: Task<Void, Never>?, number: Int, isBehind: Bool) = (nil, 0, false)
    /// The end of the time in which the terminal can tell its ground, once it was asked.
    var groundDeadline: ContinuousClock.Instant?
    /// The time, where it passes only by hand.
    var timeByHand: ContinuousClock.Instant?
    /// The questions that are not answered yet, each with the revision that the list had when the work before it had ended.
    var unsettled: [(number: Int, revision: Int?)] = []
    /// The number of filters and orders that were set; of those set when the last update was shown; and of the updates that showed
    /// new ones.
    var arrangements = (made: 0, shown: 0, changes: 0)
    /// The work that follows from keys, by number, which questions wait for.
    var works: Set<Int> = []
    /// The time after which a question waits for no work that began before.
    var patience: Task<Void, Never>?
    /// The figures of the flow are shown twice a second, as nobody reads faster.
    var figures = (areStale: false, next: ContinuousClock.now)
    var mode = AppMode.list {
      didSet {
        screen?.status.mode = mode
        wantFrame()
        if !mode.usesLastLine, let text = heldMessage { tell(text) }
      }
    }
    /// The messages that came while a person used the last line.
    var heldMessage: String?
    /// The text that is searched for, the search for the next row with it, while it goes on, and its number.
    var search: (matcher: TextMatcher?, run: RowSearch?, number: Int) = (nil, nil, 0)
    /// The last click on a row, and its time.
    var lastClick: (row: Row.ID, time: ContinuousClock.Instant)?
    /// The last text of each prompt, by the index of its command.
    var typed: [Int: String] = [:]
    var keyEdits = KeyEdits<Section, Row>()
    /// The rows that are not confirmed: those that the app names, and those of running edits, by the number of the action.
    var unconfirmed: (named: Set<Row.ID>, edited: [Int: Row.ID]) = ([], [:]) {
      didSet {
        if unconfirmed == oldValue { return }
        screen?.unconfirmed = unconfirmed.named.union(unconfirmed.edited.values)
        wantFrame()
      }
    }
    /// True if a person has sorted the rows.
    var isSorted = false
    /// The running actions of key commands, by number, and the last number.
    var actions: [Int: Task<Void, Never>] = [:]
    var actionCount = 0
    /// Passes typed texts to their commands, by index.
    var typing: [Int: AsyncStream<TypedChange>.Continuation] = [:]

    init(_ given: ConsoleApp<Section, Row>) throws(KeyClash) {
      var app = given
      let guides = app.showGuides()
      (self.app, columns) = (app, given.columns)
      let (events, send) = AsyncStream.makeStream(of: Event.self)
      (self.events, self.send) = (events, send)
      arranging = app.arranged.map { list in
        ListArranging(list, columns: given.columns, outline: app.outline) {
          send.yield(.sorted($0, isReversed: $1))
        } counts: {
          send.yield(.arranged(count: $0))
        }
      }
      let commands = try Self.commands(of: app, arranging: arranging)
      let canDraw = Platform.isTerminal(Platform.standardOutput) && app.environment["TERM"] != "dumb"
      let terminal =
        app.terminal
        ?? (canDraw && app.sink == nil
          ? Terminal() : nil)
      (self.commands, self.terminal, writer) = (commands, terminal, terminal?.writer)
      timeByHand = terminal.flatMap { $0.usesManualClock ? .now : nil }
      screen = terminal.map { ScreenSink(app, on: $0, commands: commands) }
      screen?.guides = guides
      let words = app.hasScreenReader ? AnnouncedChange.english() : nil
      sink = app.sink ?? LogSink(announcing: words) { try Platform.write($0.utf8, to: Platform.standardOutput) }
      let hasHeaders = terminal != nil && Section.self != SoleSection.self
      table = RetainedTable(
        cells: app.cells, headers: hasHeaders ? CellRegistry<Section>.consoleHeaders : nil,
        height: app.rowLimit ?? 20, poolCap: app.poolCap)
      table.workingRange = app.workingRange
      table.followsTail = app.followsTail
      table.showsArrivalsAtTop = app.showsArrivalsAtTop
      table.selectionMode = app.selectionMode
      sources = app.sources.map { SourceReport(name: $0.name, status: .connecting) }
      screen?.status.sources = sources
      screen?.status.marksUnconfirmed = app.pending != nil || app.onMove != nil || app.onDelete != nil
    }

    static func commands(
      of app: ConsoleApp<Section, Row>, arranging: ListArranging<Section, Row>?
    ) throws(KeyClash) -> CommandTable<Row.ID> {
      var actions: [ConsoleAction: KeyCommand<Row.ID>?] = arranging?.actions ?? [:]
      for action in ConsoleAction.allCases {
        switch action {
        case .sort, .filter: break
        case _ where action.isForOutlines && arranging?.outline == nil: break
        case .undo where app.undo == nil: break
        case .moveUp where app.onMove == nil, .moveDown where app.onMove == nil: break
        case .delete where app.onDelete == nil: break
        default: actions.updateValue(nil, forKey: action)
        }
      }
      return try CommandTable(own: app.keys, actions: actions, keys: app.actionKeys)
    }

    /// Shows the list until it ends, or something else ends the app.
    func run(isolation: isolated (any Actor)? = #isolation) async throws -> ConsoleEnding {
      Platform.ignoreBrokenPipe()
      let isByHand = terminal?.usesManualClock ?? false
      // Those of signals, keys and output, and what Dispatch needs for them.
      guard terminal == nil || isByHand || Platform.hasFreeDescriptors(12) && Platform.caughtSignals != nil else {
        throw FileError(reason: "cannot use the terminal: too many open files")
      }
      let signals: [ConsoleSignal] =
        isByHand ? [] : terminal == nil ? [.interrupt, .terminate, .hangUp] : ConsoleSignal.allCases
      // A sink writes in the loop: while nobody reads its output, the loop handles no signal.
      let watcher =
        terminal == nil
        ? SignalWatcher(signals, patience: 5) : SignalWatcher(signals, always: [.interrupt, .terminate, .resume])
      let result: Result<ConsoleEnding, any Error>
      do {
        result = .success(try await loop(watcher))
      } catch let error as SystemError where error == .closed {
        result = .success(.outputClosed)
      } catch {
        result = .failure(error)
      }
      for task in producers + actions.values + [pull, frames.timer, entering.task, patience].compactMap(\.self) {
        task.cancel()
      }
      await stopListening()
      await close(result)
      watcher.release()
      return try result.get()
    }

    private func loop(
      _ signals: SignalWatcher, isolation: isolated (any Actor)? = #isolation
    ) async throws -> ConsoleEnding {
      try await enter()
      try await draw()
      produce(signals)
      await arranging?.begin()
      follow()
      for await event in events {
        if let ending = try await handle(event) { return ending }
        if timeByHand != nil { try await settleByHand() }
      }
      return .finished
    }

    /// Starts the tasks that send events.
    private func produce(_ signals: SignalWatcher) {
      produce(signals) { .signal($0) }
      for (index, source) in app.sources.enumerated() { produce(source.binding.statuses) { .source(index, $0) } }
      if let reports = app.reports { produce(reports) { .sources($0) } }
      if let messages = app.messages { produce(messages) { .message($0, action: nil) } }
      if let work = app.tableWork { produce(work) { .tableWork($0) } }
      if let deadline = app.pauseDeadline { producers.append(later(deadline, .pauseDeadline)) }
      // `onEvent` and `onSelect` read separate streams, so that a slow one does not delay the other.
      if let onEvent = app.onEvent { answer(named: "onEvent", as: -1, onEvent) }
      if let onSelect = app.onSelect {
        answer(named: "onSelect", as: -2) { if case .selected(let row, _) = $0 { await onSelect(row) } }
      }
    }

    /// Passes the events of the table to a function of the app, one after the other.
    private func answer(
      named name: String, as number: Int, _ take: @escaping @Sendable (TableEvent<Row>) async -> Void
    ) {
      producers.append(
        Task { [send, events = table.eventStream()] in
          for await event in events {
            Platform.reserveSignalStack()
            send.yield(.running(number, name))
            await take(event)
            send.yield(.running(number, nil))
          }
        })
    }

    /// Sends an event for each element of a sequence, up to its end or its failure: that of a closed terminal, for example.
    private func produce<Elements: AsyncSequence & Sendable>(
      _ elements: Elements, _ event: @escaping @Sendable (Elements.Element) -> Event
    ) where Elements.Element: Sendable {
      producers.append(
        Task { [send] in
          do { for try await element in elements { send.yield(event(element)) } } catch {}
        })
    }

    /// Sends an event at a time, unless the task is cancelled.
    func later(_ time: ContinuousClock.Instant, _ event: Event) -> Task<Void, Never> {
      Task { [send] in
        do { try await Task.sleep(until: time, clock: .continuous) } catch { return }
        send.yield(event)
      }
    }

    private func handle(
      _ event: Event, isolation: isolated (any Actor)? = #isolation
    ) async throws -> ConsoleEnding? {
      // The app's own code is called from here on, and may recurse for ever.
      if terminal != nil { Platform.reserveSignalStack() }
      switch event {
      case .update(let update, let rows, let taken):
        unconfirmed.named = rows
        try await take(update)
        if updates == app.updateLimit { return .limitReached }
        taken.yield()
      case .listEnded: return .finished
      case .input(let input): return try await handle(input)
      case .signal(let signal): return try await handle(signal)
      case .sources(let sources): try show(sources)
      case .source(let index, let status):
        var sources = sources
        sources[index].status = status
        try show(sources)
      case .frameDue: try await drawDueFrame()
      case .enterDue(let number): try await enterWhenDue(number)
      case .written(let number, let error): try finishFrame(number, error)
      case .edited(let number, let refusal): takeAnswer(to: number, refusal: refusal)
      case .message(let text, let action):
        if let action { end(action) }
        // An action without a message leaves that of another one where it is.
        if let text, action != nil { tell(text) } else if action == nil, !mode.usesLastLine { say(text) }
      case .pauseDeadline:
        if isPaused { togglePause() }
        mayPause = false
      case .running(let number, let name): show(running: name, as: number)
      case .sorted(let column, let isReversed):
        isSorted = column != nil
        if !app.columns.isEmpty {
          screen?.status.heading = app.columns.heading(sortedBy: column, isReversed: isReversed)
        }
        wantFrame()
      case .searchSlice(let number):
        // Other tasks deliver keys. With all other threads busy, they run only if this one suspends, which it does not while events wait.
        await Task.yield()
        searchSlice(of: number)
      case .arranged(let count): arrangements.made = count
      case .typed(let number): works.remove(number)
      case .patienceEnded(let slow): works.subtract(slow)
      case .tableWork(let work):
        try work(table)
        wantFrame()
      }
      return nil
    }

    private func handle(
      _ input: TerminalInput, isolation: isolated (any Actor)? = #isolation
    ) async throws -> ConsoleEnding? {
      switch input {
      case .key(let key):
        let ending = try handle(key)
        followSeenFocus()
        return ending
      case .mouse(let event):
        try handle(event)
        followSeenFocus()
      case .background(let isLight): take(groundIsLight: isLight)
      case .resized(let size):
        // A report after a signal, or the first one, tells nothing new.
        if size == screen?.size { break }
        screen?.size = size
        wantFrame()
      case .offers, .colorsChanged, .identified: take(input)
      case .ended: return .signalled(.hangUp)
      case .inBackground:
        await stopListening()
        enterSoon()
      case .unreadable(let reason): throw FileError(reason: reason)
      case .time(let duration): try await pass(duration)
      case .settle(let number):
        unsettled.append((number, nil))
        if !works.isEmpty { startPatience() }
      }
      return nil
    }

    private func handle(
      _ signal: ConsoleSignal, isolation: isolated (any Actor)? = #isolation
    ) async throws -> ConsoleEnding? {
      switch signal {
      case .interrupt, .terminate, .hangUp: return .signalled(signal)
      case .suspend:
        await finishWriting()
        await stopListening()
        terminal?.leave()
        // After an interruption the list is shown, not the help.
        if case .help = mode { mode = .list }
        Platform.stopUntilResumed()
      case .resume:
        // Also after a stop that could not be caught: another program may have changed the terminal meanwhile.
        if terminal?.isInBackground ?? false { enterSoon() } else { try await enter() }
      case .resize:
        measure()
        // However many of these arrive, the frame rate holds.
        wantFrame()
      }
      return nil
    }

    /// Writes the last state of the screen or of a recording, and restores the terminal.
    private func close(
      _ result: Result<ConsoleEnding, any Error>, isolation: isolated (any Actor)? = #isolation
    ) async {
      let isRead = await finishWriting()
      defer { terminal?.leave() }
      if case .success(.outputClosed) = result { return }
      do {
        if isRead { try await draw() }
        guard await finishWriting(), isRead else { return }
        terminal?.leave()
        let words = try await app.lastWords?(table.revision ?? 0, table.snapshot.rowCount, updates, table.statistics)
        try app.write(Array(farewell.utf8) + (words ?? []))
      } catch {
        // A failure to write the last words does not replace the result.
      }
    }

    /// Shows the state of the sources: on the screen, or as a line in the log.
    private func show(_ reports: [SourceReport]) throws {
      let news = reports.filter { !sources.contains($0) }
      sources = reports
      if screen != nil {
        screen?.status.sources = reports
        wantFrame()
      } else if sink is LogSink<Section, Row> {
        try app.write(Array(news.map { "! source \("\($0)".fitted(columns: 1_000))\n" }.joined().utf8))
      }
    }
  }
#endif

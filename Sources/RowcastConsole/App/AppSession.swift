#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastPlatform
  import RowcastTerminal
  import RowcastSources
  import RowcastStore
  import RowcastTable
  import RowcastViews

  /// A running ``ConsoleApp``: its state, its table, its screen or log, and the loop that confines them.
  ///
  /// Events arrive in one queue. ``AppState`` decides what happens; the session carries it out: it applies updates, draws,
  /// calls the app's own code, and keeps the tasks.
  final class AppSession<Section: ConsoleSection, Row: ConsoleRow> {
    /// Several tasks send events; one loop handles them in order.
    enum Event: Sendable {
      case app(AppState<Section, Row>.Event)
      /// The list changed; `taken` requests the next update. Indirect, because it is large and moved often. `stream` is the
      /// number of its stream of updates.
      indirect case update(
        ListUpdate<Section, Row>, unconfirmed: Set<Row.ID>, taken: AsyncStream<Void>.Continuation, stream: Int)
      case listEnded(stream: Int)
      case input(TerminalInput)
      case signal(ConsoleSignal)
      case frameDue
      /// It is time to enter the terminal: see ``enterSoon()``; by number.
      case enterDue(Int)
      /// The terminal has taken a frame, or failed with an error; by number.
      case written(Int, (any Error)?)
      case tableWork(ConsoleApp<Section, Row>.TableWork)
      case timeIsUp
    }

    let app: ConsoleApp<Section, Row>
    var state: AppState<Section, Row>
    let table: RetainedTable<Section, Row>
    /// The terminal and the screen on it; both are `nil` if the list is written to a sink.
    let terminal: (any AppTerminal)?
    /// Writes to the terminal.
    let writer: (@Sendable (String, _ whenWritten: @escaping @Sendable () -> Void) async throws -> Void)?
    var screen: Screen<Section, Row>?
    var sink: any ConsoleSink<Section, Row>
    private let events: AsyncStream<Event>
    let send: AsyncStream<Event>.Continuation

    // The tasks that send events.

    private var producers: [Task<Void, Never>] = []
    /// Reads the input of the terminal, while the app has it.
    var listener: Task<Void, Never>?
    /// The timer of ``enterSoon()``, and its number.
    var entering: (task: Task<Void, Never>?, number: Int) = (nil, 0)
    /// Receives the updates; a pause cancels it.
    private var pull: Task<Void, Never>?
    /// The number of times that the list was followed.
    private var streams = 0
    /// The timer of the next frame, and its time.
    private var timer: (task: Task<Void, Never>, due: ContinuousClock.Instant)?
    /// The frame that is being written, and whether another one must follow.
    var writing: (task: Task<Void, Never>?, number: Int, isBehind: Bool) = (nil, 0, false)
    /// What is to be done with the work of the app; a task does it, in order.
    private let orders: AsyncStream<WorkOrder>
    private let order: AsyncStream<WorkOrder>.Continuation
    /// Limits the wait for a list that has an edit.
    private var editTimer: Task<Void, Never>?

    /// The answers of the terminal: `end` has an element for each answered set of questions, which `given` adds; `asked` is
    /// the time of the last set, `count` the number of sets. `nil` while the app does not listen.
    var answers:
      (end: AsyncStream<Void>, given: AsyncStream<Void>.Continuation, asked: ContinuousClock.Instant, count: Int)?
    /// The terminal's answers about its features; `nil` unless it was asked. The next frame switches them on if `usesOffer`,
    /// and asks for the background colour if `asksForBackground`.
    var offer: TerminalOffer?
    var (usesOffer, asksForBackground) = (false, false)
    /// The deadline for the terminal's answer about its background colour; `nil` before the question.
    var backgroundDeadline: ContinuousClock.Instant?
    /// The time when the app ends.
    var end: ContinuousClock.Instant?
    /// The time of a manual clock; `nil` for the system's.
    var timeByHand: ContinuousClock.Instant?
    /// The unanswered questions, each with the revision of the list after the work before it ended.
    var unsettled: [(number: Int, revision: Int?)] = []
    /// Ends the wait of questions for earlier work.
    var patience: Task<Void, Never>?

    init(_ given: ConsoleApp<Section, Row>) throws(KeyClash) {
      var app = given
      let guides = app.showGuides()
      let (events, send) = AsyncStream.makeStream(of: Event.self)
      (self.app, self.events, self.send) = (app, events, send)
      (orders, order) = AsyncStream.makeStream(of: WorkOrder.self)
      let arranging = app.plan.map { plan in
        ListArranging(plan, columns: given.columns, outline: app.outline) {
          send.yield(.app(.sorted($0, isReversed: $1)))
        } counts: {
          send.yield(.app(.arranged(count: $0)))
        }
      }
      let commands = try CommandTable(app, arranging: arranging)
      let canDraw = Platform.isTerminal(Platform.standardOutput) && app.environment["TERM"] != "dumb"
      let draws = app.sink == nil && app.usesScreen ?? canDraw
      terminal = app.terminal ?? (draws ? Terminal() : nil)
      writer = terminal?.writer
      timeByHand = terminal.flatMap { $0.usesManualClock ? .now : nil }
      let table = RetainedTable(of: app, hasHeaders: terminal != nil)
      self.table = table
      screen = terminal.map {
        Screen(
          app, table, size: .resolved(reported: $0.reportedSize, environment: app.environment),
          keys: $0.hasKeys ? commands.help : [("Ctrl-C", "quit", "end")], guides: guides)
      }
      let words = app.hasScreenReader ? AnnouncedChange.english() : nil
      sink = app.sink ?? LogSink(announcing: words) { try Platform.write($0.utf8, to: Platform.standardOutput) }
      state = AppState(
        app, columns: given.columns, arranging: arranging, commands: commands, status: screen?.status,
        frameTime: timeByHand == nil ? .seconds(1) / max(1, app.framesPerSecond) : nil)
    }

    /// Shows the list until it ends, or something else ends the app.
    func run(isolation: isolated (any Actor)? = #isolation) async throws -> ConsoleEnding {
      Platform.ignoreBrokenPipe()
      // The descriptors for signals, keys and output, and those that Dispatch needs for them.
      guard terminal == nil || timeByHand != nil || Platform.hasFreeDescriptors(12) && Platform.caughtSignals != nil
      else {
        throw FileError(reason: "cannot use the terminal: too many open files")
      }
      let signals: [ConsoleSignal] =
        timeByHand != nil ? [] : terminal == nil ? [.interrupt, .terminate, .hangUp] : ConsoleSignal.allCases
      // A sink writes in the loop: while its output is not read, the loop handles no signals.
      let watcher =
        terminal == nil
        ? SignalWatcher(signals, patience: 5) : SignalWatcher(signals, always: [.interrupt, .terminate, .resume])
      let result: Result<ConsoleEnding, any Error>
      do {
        result = .success(try await loop(watcher))
      } catch let error as SystemError where error == .closed {
        result = .success(.outputClosed)
      } catch let error as SystemError {
        result = .failure(FileError(reason: "the output cannot be written: \(error)"))
      } catch {
        result = .failure(error)
      }
      let timers = [timer?.task, entering.task, patience, editTimer].compactMap(\.self)
      for task in producers + timers { task.cancel() }
      pull?.cancel()
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
      await state.arranging?.begin(isLog: screen == nil)
      follow()
      setTimer()
      for await event in events {
        state.now = now
        if let ending = try await handle(event) { return ending }
        setTimer()
        if timeByHand != nil { try await settleByHand() }
      }
      return .finished
    }

    /// Starts the tasks that send events.
    private func produce(_ signals: SignalWatcher) {
      produce(signals) { .signal($0) }
      producers.append(
        Task { [send, order, orders] in
          var starter = WorkStarter(send, order)
          await starter.follow(orders)
        })
      for (index, source) in app.sources.enumerated() { produce(source.statuses) { .app(.source(index, $0)) } }
      if let changes = app.figureChanges, screen != nil, state.status.panels.contains(.flow) {
        produce(changes) { _ in .app(.figuresChanged) }
      }
      if let messages = app.messages { produce(messages) { .app(.message($0, work: nil)) } }
      if let work = app.tableWork { produce(work) { .tableWork($0) } }
      end = app.timeLimit.map { now.advanced(by: $0.asWait) }
      if let end, timeByHand == nil { producers.append(later(end, .timeIsUp)) }
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
            send.yield(.app(.running(number, name)))
            await take(event)
            send.yield(.app(.running(number, nil)))
          }
        })
    }

    /// Requests updates from now on, each after the previous one was applied.
    func follow() {
      let (requests, taken) = AsyncStream.makeStream(of: Void.self)
      // A log shows no marks.
      let marked = screen == nil ? nil : app.pending.flatMap { app.list?.updates(with: $0) }
      // A late update of the previous stream would not fit what this one has shown.
      pull?.cancel()
      streams += 1
      pull = Task { [send, updates = app.updates, stream = streams] in
        func pass<Element>(_ updates: AsyncStream<Element>, _ event: (Element) -> Event) async {
          var requests = requests.makeAsyncIterator()
          for await update in updates {
            send.yield(event(update))
            await requests.next()
          }
        }
        if let marked {
          // A row and its mark change in one frame.
          await pass(marked) { .update($0.0, unconfirmed: $0.1, taken: taken, stream: stream) }
        } else {
          await pass(updates()) { .update($0, unconfirmed: [], taken: taken, stream: stream) }
        }
        if !Task.isCancelled { send.yield(.listEnded(stream: stream)) }
      }
    }

    /// Sends an event for each element of a sequence, until the sequence ends or fails, as when the terminal is closed.
    private func produce<Elements: AsyncSequence & Sendable>(
      _ elements: Elements, _ event: @escaping @Sendable (Elements.Element) -> Event
    ) where Elements.Element: Sendable {
      producers.append(
        Task { [send] in
          do { for try await element in elements { send.yield(event(element)) } } catch {}
        })
    }

    /// Sends an event at the given time, unless the task is cancelled.
    func later(_ time: ContinuousClock.Instant, _ event: Event) -> Task<Void, Never> {
      Task { [send] in
        do { try await Task.sleep(until: time, clock: .continuous) } catch { return }
        send.yield(event)
      }
    }

    private func handle(
      _ event: Event, isolation: isolated (any Actor)? = #isolation
    ) async throws -> ConsoleEnding? {
      // From here on, the app's own code runs, which may recurse without end.
      if terminal != nil { Platform.reserveSignalStack() }
      switch event {
      case .app(let event):
        // Other tasks deliver keys. If all other threads are busy, they run only when this task suspends, which it does not
        // do while events are queued.
        if case .searchSlice = event { await Task.yield() }
        return try step(event)
      case .update(_, _, _, let stream) where stream != streams: break
      case .update(let update, let rows, let taken, _):
        _ = try step(.unconfirmed(rows))
        try await take(update)
        if state.updates == app.updateLimit { return .limitReached }
        taken.yield()
      // A paused list is followed again when it continues, and then ends again.
      case .listEnded(let stream) where stream != streams || state.status.isPaused: break
      case .listEnded:
        // A person who is typing or reading the help is not interrupted, and the list stays on the screen from then on.
        guard screen != nil, state.mode.isInFrontOfList || state.status.hasEnded else { return .finished }
        return try step(.listEnded)
      case .timeIsUp: return .limitReached
      case .input(let input): return try await handle(input)
      case .signal(let signal): return try await handle(signal)
      case .frameDue: try await drawDueFrame()
      case .enterDue(let number): try await enterWhenDue(number)
      case .written(let number, let error): try finishFrame(number, error)
      case .tableWork(let work):
        try work(table)
        state.wantFrame()
      }
      return nil
    }

    /// Passes an event to the state, and performs its effects. Returns the reason if one of them ends the app.
    func step(_ event: AppState<Section, Row>.Event) throws -> ConsoleEnding? {
      for effect in state.step(event, in: scene) {
        switch effect {
        case .end(let ending): return state.status.hasEnded && ending == .quit ? .finished : ending
        case .suspend: if timeByHand == nil { Platform.signalSelf(ConsoleSignal.suspend.number) }
        case .table(let step): try table.perform(step)
        case .redraw: screen?.invalidate()
        case .follow: follow()
        case .pause: pull?.cancel()
        case .start(let number, let work): order.yield(.begin(number, work))
        case .forget(let number): order.yield(.forget(number))
        case .awaitEdit(let number):
          editTimer?.cancel()
          editTimer = later(.now.advanced(by: .seconds(1)), .app(.editGivenUp(number)))
        case .type(let typed, let command, let change): order.yield(.pass(typed, command: command, change))
        case .searchSlice(let number): send.yield(.app(.searchSlice(number)))
        case .log(let lines): try sink.write(lines)
        }
      }
      return nil
    }

    /// Handles an event caused by a person, who then knows where the focus is.
    private func act(_ event: AppState<Section, Row>.Event) throws -> ConsoleEnding? {
      let ending = try step(event)
      state.followFocus(in: scene)
      return ending
    }

    private var scene: AppState<Section, Row>.Scene { .init(table, on: screen, at: now) }

    /// The current time, of the system's clock or the manual one.
    var now: ContinuousClock.Instant { timeByHand ?? .now }

    /// Sets the timer for the frame that the state wants next.
    private func setTimer() {
      guard timeByHand == nil, state.frames.due != timer?.due else { return }
      timer?.task.cancel()
      timer = state.frames.due.map { (later($0, .frameDue), $0) }
    }

    private func handle(
      _ input: TerminalInput, isolation: isolated (any Actor)? = #isolation
    ) async throws -> ConsoleEnding? {
      switch input {
      case .key(let key): return try act(.key(key))
      case .press(let line, let column): return try act(.press(line: line, column: column))
      case .wheel(let notches): return try act(.wheel(notches))
      case .background(let isLight): take(backgroundIsLight: isLight)
      case .resized(let size):
        // The first report, or one after a signal, may repeat the known size.
        if size == screen?.size { break }
        screen?.size = size
        state.wantFrame()
      case .offers, .colorsChanged, .identified: take(input)
      case .ended: return .signalled(ConsoleSignal.hangUp.number)
      case .inBackground:
        await stopListening()
        enterSoon()
      case .unreadable(let reason): throw FileError(reason: reason)
      case .time(let duration):
        try await pass(duration)
        if let end, end <= now { return .limitReached }
      case .settle(let number):
        unsettled.append((number, nil))
        if !state.works.isEmpty { startPatience() }
      }
      return nil
    }

    private func handle(
      _ signal: ConsoleSignal, isolation: isolated (any Actor)? = #isolation
    ) async throws -> ConsoleEnding? {
      switch signal {
      case .interrupt, .terminate, .hangUp: return .signalled(signal.number)
      case .suspend:
        await finishWriting()
        await stopListening()
        terminal?.leave()
        _ = try step(.suspended)
        // If the process has already been resumed, it must not stop: nobody resumes it twice. That signal is handled next.
        if !SignalWatcher.isResumed { Platform.stopUntilResumed() }
      case .resume:
        // This includes stops that could not be caught. Another program may have changed the terminal in the meantime.
        if terminal?.isInBackground ?? false { enterSoon() } else { try await enter() }
      case .resize:
        measure()
        // However many signals arrive, the frame rate limits drawing.
        state.wantFrame()
      }
      return nil
    }

    /// Writes the last state of the screen or of a recording, and restores the terminal.
    private func close(
      _ result: Result<ConsoleEnding, any Error>, isolation: isolated (any Actor)? = #isolation
    ) async {
      // Of five seconds, one is for the sequences that restore the terminal, and a tenth for a write that has begun.
      let limit = Self.limit(.milliseconds(3_900))
      defer { limit.cancel() }
      let isRead = await finishWriting(within: limit)
      defer { terminal?.leave() }
      if case .success(.outputClosed) = result { return }
      do {
        if isRead { try await draw() }
        guard await finishWriting(within: limit), isRead else { return }
        terminal?.leave()
        let summary = ConsoleSummary(
          revision: table.revision ?? 0, rows: table.snapshot.rowCount, updates: state.updates, cells: table.statistics)
        let words = await app.lastWords?(summary) ?? ""
        if let terminal { try terminal.printLastWords(farewell + words) } else { try sink.write(words) }
      } catch {
        // A failure to write the last words does not replace the result.
      }
    }
  }
#endif

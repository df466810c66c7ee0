#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastPlatform
  import RowcastSources
  import RowcastStore
  import RowcastTable

  /// An event that an app waits for. Tasks of their own send these; one loop handles them, one after the other.
  enum AppEvent<Section: ConsoleSection, Row: ConsoleRow>: Sendable {
    /// The list changed. Once the update is taken, the next one is asked for. It stands apart, as it is large and moved often.
    indirect case update(ListUpdate<Section, Row>, taken: AsyncStream<Void>.Continuation)
    /// The list came to its end.
    case ended
    case key(Key)
    case signal(ConsoleSignal)
    /// The sources are doing something else.
    case sources([ScreenStatus.Source])
    case source(Int, SourceStatus)
    case frame
    /// A key command has something to say; an action, which has a number, has ended.
    case message(String?, action: Int?)
    /// A pause ends by itself.
    case pauseDeadline
    case result(CellResult)
  }

  /// A running ``ConsoleApp``: its table, its screen or log, and the loop that both are confined to.
  final class AppSession<Section: ConsoleSection, Row: ConsoleRow> {
    let app: ConsoleApp<Section, Row>
    let table: RetainedTable<Section, Row>
    let screen: AppScreen<Section, Row>?
    /// The app's own keys, and those that arrange the list.
    let commands: [KeyCommand<Row.ID>]
    /// The screen, or what the list is written to.
    private var sink: any ConsoleSink<Section, Row>
    private let events: AsyncStream<AppEvent<Section, Row>>
    let send: AsyncStream<AppEvent<Section, Row>>.Continuation
    var producers: [Task<Void, Never>] = []
    /// Takes the updates; ended by a pause.
    private var pull: Task<Void, Never>?
    var updates = 0
    private var sources: [ScreenStatus.Source]
    /// When the last frame was begun, when the next one will be, and what waits for that.
    var frames: (last: ContinuousClock.Instant?, due: ContinuousClock.Instant?, timer: Task<Void, Never>?)
    /// The state of the figures of the flow: whether they are old, and when new ones may be shown: not with each frame, or none is read.
    var figures = (areStale: false, next: ContinuousClock.now)
    var prompt: Prompt?
    /// The texts that were last typed, by the key that prompts for them.
    var typed: [Key: String] = [:]
    /// The actions of key commands that run, and how many have begun, which numbers them.
    var actions: [Int: Task<Void, Never>] = [:]
    var actionCount = 0
    /// Take the texts that are typed, by the key that prompts for them.
    var typing: [Key: AsyncStream<TypedText>.Continuation] = [:]

    init(_ app: ConsoleApp<Section, Row>) {
      self.app = app
      (events, send) = AsyncStream.makeStream()
      let output = app.extensions.output ?? Self.defaultOutput(environment: app.environment)
      let arranging = app.arranged.map { ListArranging($0, columns: app.columns) }?.commands ?? []
      commands = app.keys + arranging.filter { command in !app.keys.contains { $0.key == command.key } }
      switch output {
      case .screen(let keys):
        let screen = AppScreen(app, keys: keys, commands: commands)
        (self.screen, sink) = (screen, screen)
      case .sink(let other):
        (screen, sink) = (nil, other)
      }
      let hasHeaders = screen != nil && Section.self != SoleSection.self
      table = app.makeTable(
        hasHeaders ? CellRegistry<Section>.consoleHeaders : nil, app.extensions.rowLimit ?? 20, app.poolCap)
      table.workingRange = app.workingRange
      table.followsTail = app.followsTail
      table.showsArrivalsAtTop = app.showsArrivalsAtTop
      table.selectionMode = app.selectionMode
      sources = app.sources.map { ScreenStatus.Source(name: $0.name, status: .attached) }
      screen?.sink.status.sources = sources
    }

    /// The screen, with keys from standard input or, if that is data, from the terminal itself; a log where there is none.
    private static func defaultOutput(environment: [String: String]) -> AppOutput<Section, Row> {
      guard Platform.isTerminal(Platform.standardOutput), environment["TERM"] != "dumb" else {
        return .sink(LogSink { try Platform.write($0.utf8, to: Platform.standardOutput) })
      }
      return .screen(keys: Terminal.keyDescriptor(readsData: false))
    }

    /// Shows the list until it ends, or something else ends the app.
    func run(isolation: isolated (any Actor)? = #isolation) async throws -> ConsoleEnding {
      Platform.ignoreBrokenPipe()
      let signals: [ConsoleSignal] = screen == nil ? [.interrupt, .terminate, .hangUp] : ConsoleSignal.allCases
      let watcher = SignalWatcher(signals, always: screen == nil ? [] : [.interrupt, .terminate])
      let result: Result<ConsoleEnding, any Error>
      do { result = .success(try await loop(watcher)) } catch { result = Self.ending(of: error) }
      for task in producers + actions.values + [pull, frames.timer].compactMap(\.self) { task.cancel() }
      await close(result)
      watcher.release()
      return try result.get()
    }

    private static func ending(of error: any Error) -> Result<ConsoleEnding, any Error> {
      error as? SystemError == .closed ? .success(.outputClosed) : .failure(error)
    }

    private func loop(_ signals: SignalWatcher, isolation: isolated (any Actor)? = #isolation) async throws
      -> ConsoleEnding
    {
      if let screen {
        try screen.enter()
        try draw()
      }
      produce(signals)
      follow()
      for await event in events {
        if let ending = try await handle(event) { return ending }
      }
      return .finished
    }

    /// Starts the tasks that send events.
    private func produce(_ signals: SignalWatcher) {
      produce(signals) { .signal($0) }
      if let screen { produce(screen.terminal.keys) { .key($0) } }
      for (index, source) in app.sources.enumerated() { produce(source.binding.statuses) { .source(index, $0) } }
      if let statuses = app.extensions.statuses { produce(statuses) { .sources($0) } }
      if let results = app.extensions.results { produce(results) { .result($0) } }
      if let deadline = app.extensions.pauseDeadline { producers.append(later(deadline, .pauseDeadline)) }
      let (onEvent, onSelect) = (app.onEvent, app.onSelect)
      guard onEvent != nil || onSelect != nil else { return }
      let events = table.eventStream()
      producers.append(
        Task {
          for await event in events {
            await onEvent?(event)
            if case .selected(let row, _) = event { await onSelect?(row) }
          }
        })
    }

    /// Sends an event for each element of a sequence. One that fails has no more: a terminal that is gone, for example.
    private func produce<Elements: AsyncSequence & Sendable>(
      _ elements: Elements, _ event: @escaping @Sendable (Elements.Element) -> AppEvent<Section, Row>
    ) where Elements.Element: Sendable {
      producers.append(
        Task { [send] in
          do { for try await element in elements { send.yield(event(element)) } } catch {}
        })
    }

    /// Sends an event at some time, unless it is cancelled.
    func later(_ time: ContinuousClock.Instant, _ event: AppEvent<Section, Row>) -> Task<Void, Never> {
      Task { [send] in
        do { try await Task.sleep(until: time, clock: .continuous) } catch { return }
        send.yield(event)
      }
    }

    /// Takes updates from now on, each when the one before it was taken.
    private func follow() {
      let (requests, taken) = AsyncStream.makeStream(of: Void.self)
      pull = Task { [send, updates = app.updates] in
        var requests = requests.makeAsyncIterator()
        for await update in updates() {
          send.yield(.update(update, taken: taken))
          await requests.next()
        }
        if !Task.isCancelled { send.yield(.ended) }
      }
    }

    private func handle(_ event: AppEvent<Section, Row>, isolation: isolated (any Actor)? = #isolation) async throws
      -> ConsoleEnding?
    {
      // The app's own code is called from here on, and may recurse for ever.
      if screen != nil { Platform.reserveSignalStack() }
      switch event {
      case .update(let update, let taken):
        try await take(update)
        if updates == app.updateLimit { return .limitReached }
        taken.yield()
      case .ended: return .finished
      case .key(let key): return try handle(key)
      case .signal(let signal): return try handle(signal)
      case .sources(let sources): try show(sources)
      case .source(let index, let status):
        var sources = sources
        sources[index].status = status
        try show(sources)
      case .frame: try await drawDueFrame()
      case .message(let text, let action):
        if let action { actions[action] = nil }
        // The message of an earlier command must not cover a prompt.
        if prompt == nil { say(text.map { .message($0) }) }
      case .pauseDeadline: if isPaused { togglePause() }
      case .result(let result):
        // Any cell is a cell: this cannot be one of another class.
        await result.settle(try table.deliver(to: result.token, as: Cell.self, result.deliver))
        wantFrame()
      }
      return nil
    }

    /// Writes what is last: the last state of the screen, or of a recording, and the terminal as it was.
    private func close(_ result: Result<ConsoleEnding, any Error>, isolation: isolated (any Actor)? = #isolation) async
    {
      defer { screen?.terminal.leave() }
      if case .success(.outputClosed) = result { return }
      do {
        try draw()
        screen?.terminal.leave()
        let summary = AppSummary(
          revision: table.revision ?? 0, updates: updates, rowCount: table.snapshot.rowCount, pool: table.statistics,
          totals: table.totals)
        let lines = Array((screen?.farewell(table) ?? "").utf8)
        try app.extensions.write(lines + (await app.extensions.lastWords?(summary) ?? []))
      } catch {
        // What cannot be written at the end is not worth another end.
      }
    }
  }

  // MARK: - Updates

  extension AppSession {
    private func take(_ update: ListUpdate<Section, Row>, isolation: isolated (any Actor)? = #isolation) async throws {
      guard let update = continued(update) else { return }
      app.extensions.didReceive?()
      await app.extensions.willTake?(table.snapshot, update)
      try table.apply(update)
      try sink.show(update, in: table)
      updates += 1
      await app.extensions.didTake?(update.revision)
      if let screen {
        if let footer = app.footer { screen.sink.status.footer = footer(update.snapshot) }
        figures.areStale = true
        wantFrame()
      } else {
        await app.extensions.didShow?(update.revision)
      }
    }

    /// The first update of a stream as the difference to what the table shows already; nothing if there is none.
    private func continued(_ update: ListUpdate<Section, Row>) -> ListUpdate<Section, Row>? {
      guard update.previous == nil, let revision = table.revision else { return update }
      let changes = table.snapshot.changes(to: update.snapshot)
      guard !changes.isEmpty else { return nil }
      return ListUpdate(revision: update.revision, previous: revision, changes: changes, snapshot: update.snapshot)
    }

    private var isPaused: Bool { screen?.sink.status.isPaused ?? false }

    /// Stops following the list, or follows it again. What happens meanwhile comes as one net update: a new stream starts
    /// with the whole list, and only the difference to what is shown is applied.
    func togglePause() {
      screen?.sink.status.isPaused.toggle()
      if isPaused { pull?.cancel() } else { follow() }
      wantFrame()
    }

    /// Shows how the sources are doing: on the screen, or with a line in the log.
    private func show(_ reports: [ScreenStatus.Source]) throws {
      let news = reports.filter { !sources.contains($0) }
      sources = reports
      if let screen {
        screen.sink.status.sources = reports
        wantFrame()
      } else if sink is LogSink<Section, Row> {
        let text = news.map { "! source \("\($0)".fitted(columns: 1_000))\n" }.joined()
        try app.extensions.write(Array(text.utf8))
      }
    }

    private func handle(_ signal: ConsoleSignal) throws -> ConsoleEnding? {
      switch signal {
      case .interrupt, .terminate, .hangUp: return .signalled(signal)
      case .suspend:
        screen?.terminal.leave()
        Platform.stopUntilResumed()
      case .resume:
        guard let screen else { return nil }
        // Also after a stop that could not be caught: another program may have changed the terminal meanwhile.
        try screen.enter()
        wantFrame()
      case .resize:
        // However many of these arrive, the frame rate holds.
        screen?.measure()
        wantFrame()
      }
      return nil
    }
  }
#endif

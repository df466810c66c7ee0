#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastPlatform
  import RowcastSources
  import RowcastStore
  import RowcastTable

  /// A running ``ConsoleApp``: its table, its screen or log, and the loop that both are confined to.
  final class AppSession<Section: ConsoleSection, Row: ConsoleRow> {
    /// Several tasks send events; one loop handles them in order.
    enum Event: Sendable {
      /// The list changed; `taken` requests the next update. Indirect, as it is large and moved often.
      indirect case update(ListUpdate<Section, Row>, taken: AsyncStream<Void>.Continuation)
      case listEnded
      case key(Key)
      case signal(ConsoleSignal)
      case sources([SourceReport])
      case source(Int, SourceStatus)
      case frameDue
      /// A key command returned a message. With a number, it is an action that has ended.
      case message(String?, action: Int?)
      case pauseDeadline
      case tableWork(ConsoleApp<Section, Row>.TableWork)
    }

    let app: ConsoleApp<Section, Row>
    let table: RetainedTable<Section, Row>
    /// The terminal and the screen on it; both are `nil` if the list is written to a sink.
    let terminal: Terminal?
    var screen: ScreenSink<Section, Row>?
    private var sink: any ConsoleSink<Section, Row>
    /// The app's own keys, and those that arrange the list.
    let commands: [KeyCommand<Row.ID>]
    private let events: AsyncStream<Event>
    let send: AsyncStream<Event>.Continuation
    var producers: [Task<Void, Never>] = []
    /// Receives the updates; a pause cancels it.
    private var pull: Task<Void, Never>?
    var updates = 0
    private var sources: [SourceReport]
    var frameCount = 0
    /// The start of the last frame, and the time and the timer of the next one.
    var frames: (last: ContinuousClock.Instant?, due: ContinuousClock.Instant?, timer: Task<Void, Never>?)
    /// The figures of the flow are shown twice a second, as nobody reads faster.
    var figures = (areStale: false, next: ContinuousClock.now)
    var prompt: Prompt? {
      didSet {
        screen?.status.prompt = prompt.map { ($0.label, $0.text) }
        wantFrame()
      }
    }
    /// The last text of each prompt, by its key.
    var typed: [Key: String] = [:]
    /// The running actions of key commands, by number, and the last number.
    var actions: [Int: Task<Void, Never>] = [:]
    var actionCount = 0
    /// Passes typed texts to their commands, by key.
    var typing: [Key: AsyncStream<(text: String, isSilent: Bool)>.Continuation] = [:]

    init(_ app: ConsoleApp<Section, Row>) {
      self.app = app
      (events, send) = AsyncStream.makeStream()
      let arranging = app.arranged.map { ListArranging($0, columns: app.columns) }?.commands ?? []
      let commands = app.keys + arranging.filter { command in !app.keys.contains { $0.key == command.key } }
      let canDraw = Platform.isTerminal(Platform.standardOutput) && app.environment["TERM"] != "dumb"
      let terminal =
        app.terminal
        ?? (canDraw && app.sink == nil
          ? Terminal(input: Terminal.keyDescriptor(readsData: false), output: Platform.standardOutput) : nil)
      (self.commands, self.terminal) = (commands, terminal)
      screen = terminal.map { ScreenSink(app, on: $0, commands: commands) }
      sink = app.sink ?? LogSink { try Platform.write($0.utf8, to: Platform.standardOutput) }
      let hasHeaders = terminal != nil && Section.self != SoleSection.self
      table = RetainedTable(
        cells: app.cells, headers: hasHeaders ? CellRegistry<Section>.consoleHeaders : nil,
        height: app.rowLimit ?? 20, poolCap: app.poolCap)
      table.workingRange = app.workingRange
      table.followsTail = app.followsTail
      table.showsArrivalsAtTop = app.showsArrivalsAtTop
      table.selectionMode = app.selectionMode
      sources = app.sources.map { SourceReport(name: $0.name, status: .attached) }
      screen?.status.sources = sources
    }

    /// Shows the list until it ends, or something else ends the app.
    func run(isolation: isolated (any Actor)? = #isolation) async throws -> ConsoleEnding {
      Platform.ignoreBrokenPipe()
      let signals: [ConsoleSignal] = terminal == nil ? [.interrupt, .terminate, .hangUp] : ConsoleSignal.allCases
      let watcher = SignalWatcher(signals, always: terminal == nil ? [] : [.interrupt, .terminate])
      let result: Result<ConsoleEnding, any Error>
      do {
        result = .success(try await loop(watcher))
      } catch let error as SystemError where error == .closed {
        result = .success(.outputClosed)
      } catch {
        result = .failure(error)
      }
      for task in producers + actions.values + [pull, frames.timer].compactMap(\.self) { task.cancel() }
      await close(result)
      watcher.release()
      return try result.get()
    }

    private func loop(
      _ signals: SignalWatcher, isolation: isolated (any Actor)? = #isolation
    ) async throws -> ConsoleEnding {
      try enter()
      try draw()
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
      if let terminal { produce(terminal.keys) { .key($0) } }
      for (index, source) in app.sources.enumerated() { produce(source.binding.statuses) { .source(index, $0) } }
      if let reports = app.reports { produce(reports) { .sources($0) } }
      if let work = app.tableWork { produce(work) { .tableWork($0) } }
      if let deadline = app.pauseDeadline { producers.append(later(deadline, .pauseDeadline)) }
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
      case .update(let update, let taken):
        try await take(update)
        if updates == app.updateLimit { return .limitReached }
        taken.yield()
      case .listEnded: return .finished
      case .key(let key): return try handle(key)
      case .signal(let signal): return try handle(signal)
      case .sources(let sources): try show(sources)
      case .source(let index, let status):
        var sources = sources
        sources[index].status = status
        try show(sources)
      case .frameDue: try await drawDueFrame()
      case .message(let text, let action):
        if let action { actions[action] = nil }
        // The message of an earlier command must not cover a prompt.
        if prompt == nil { say(text) }
      case .pauseDeadline: if isPaused { togglePause() }
      case .tableWork(let work):
        try work(table)
        wantFrame()
      }
      return nil
    }

    private func handle(_ signal: ConsoleSignal) throws -> ConsoleEnding? {
      switch signal {
      case .interrupt, .terminate, .hangUp: return .signalled(signal)
      case .suspend:
        terminal?.leave()
        Platform.stopUntilResumed()
      case .resume:
        // Also after a stop that could not be caught: another program may have changed the terminal meanwhile.
        try enter()
        wantFrame()
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
      defer { terminal?.leave() }
      if case .success(.outputClosed) = result { return }
      do {
        try draw()
        terminal?.leave()
        let words = try await app.lastWords?(table.revision ?? 0, table.snapshot.rowCount, updates, table.statistics)
        try app.write(Array(farewell.utf8) + (words ?? []))
      } catch {
        // A failure to write the last words does not replace the result.
      }
    }

    // MARK: - Updates

    /// Requests updates from now on, each when the one before it was taken.
    private func follow() {
      let (requests, taken) = AsyncStream.makeStream(of: Void.self)
      pull = Task { [send, updates = app.updates] in
        var requests = requests.makeAsyncIterator()
        for await update in updates() {
          send.yield(.update(update, taken: taken))
          await requests.next()
        }
        if !Task.isCancelled { send.yield(.listEnded) }
      }
    }

    private func take(_ update: ListUpdate<Section, Row>, isolation: isolated (any Actor)? = #isolation) async throws {
      guard let update = continued(update) else { return }
      app.didReceive?()
      await app.willTake?(table.snapshot, update)
      try table.apply(update)
      if screen == nil { try sink.show(update, in: table) } else { screen?.show(update, in: table) }
      updates += 1
      await app.didTake?(update.revision)
      if screen == nil {
        await app.didShow?(update.revision)
      } else {
        if let footer = app.footer { screen?.status.footer = footer(update.snapshot) }
        figures.areStale = true
        wantFrame()
      }
    }

    /// The first update of a later stream as the difference to the shown list; `nil` if both are equal.
    private func continued(_ update: ListUpdate<Section, Row>) -> ListUpdate<Section, Row>? {
      guard update.previous == nil, let revision = table.revision else { return update }
      let changes = table.snapshot.changes(to: update.snapshot)
      guard !changes.isEmpty else { return nil }
      return ListUpdate(revision: update.revision, previous: revision, changes: changes, snapshot: update.snapshot)
    }

    private var isPaused: Bool { screen?.status.isPaused ?? false }

    /// Stops following the list, or follows it again. The changes of a pause arrive as one net update: a new stream starts
    /// with the whole list, and only its difference to the shown one is applied.
    func togglePause() {
      screen?.status.isPaused.toggle()
      if isPaused { pull?.cancel() } else { follow() }
      wantFrame()
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

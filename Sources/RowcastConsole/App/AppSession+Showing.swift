#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastModel
  import RowcastStore
  import RowcastTable
  import RowcastViews

  extension AppSession {
    func take(_ update: ListUpdate<Section, Row>, isolation: isolated (any Actor)? = #isolation) async throws {
      let whole = update
      guard let update = whole.continuing(table, isLog: screen == nil) else { return }
      await app.onUpdate?(update)
      app.willApply?()
      let (before, focus) = (table.snapshot, table.focusedPath)
      // The table finds the difference itself, from its own list: that may have an edit that no update contained.
      var shown = update
      shown.changes = try table.apply(whole).changes
      _ = try step(.shown(shown, before: before, focus: focus))
      guard screen != nil else {
        try sink.show(update, in: table)
        await app.onFrame?(update.revision)
        return
      }
      if let footer = app.footer { state.status.footer = footer(update.snapshot) }
      shown.revision = state.status.revision ?? update.revision
      screen?.show(shown, at: now)
    }

    // MARK: - Frames

    func drawDueFrame(isolation: isolated (any Actor)? = #isolation) async throws {
      state.frames.due = nil
      // A program can lose the foreground without a signal.
      if terminal?.isEntered ?? false, terminal?.isInBackground ?? false { return enterSoon() }
      // While the terminal is still taking a frame, the next one waits.
      guard writing.task == nil else { return writing.isBehind = true }
      if state.figures.areStale, state.figures.next <= now {
        var flow = await app.figures?() ?? FlowFigures()
        flow.edits = table.revision ?? 0
        // The first list is not an update.
        flow.updates = max(0, state.updates - 1)
        flow.frames = state.frames.count + 1
        state.status.flow = flow
        (state.figures.areStale, state.figures.next) = (false, now.advanced(by: .milliseconds(500)))
      }
      try await draw()
      await app.onFrame?(table.revision ?? 0)
      state.now = now
      // Now the app knows how long it took until this list was seen.
      if app.figures != nil, state.figures.updates != state.updates {
        state.figures.updates = state.updates
        state.renewFigures()
      }
      let nextChange = [screen?.nextFading, state.nextChange].compactMap(\.self).min()
      if terminal?.isEntered ?? false, let nextChange { state.wantFrame(at: nextChange) }
    }

    /// Draws the table in the lines that the panes leave.
    func draw(isolation: isolated (any Actor)? = #isolation) async throws {
      // The screen belongs to another program before it is taken over, while the process is stopped, and at the end.
      guard let terminal, terminal.isEntered, !terminal.isInBackground else { return }
      try screen?.fit(state)
      state.frames.last = now
      state.frames.count += 1
      state.drawn = (table.focusedID, state.updates)
      let text = sequencesBeforeFrame() + (screen?.draw(at: now) ?? "")
      guard !text.isEmpty else {
        // The terminal shows this frame already.
        state.seen = state.drawn
        return
      }
      try await write(text)
    }

    /// Writes in its own task: a terminal that does not read must not block the loop.
    private func write(_ text: String, isolation: isolated (any Actor)? = #isolation) async throws {
      guard let writer else { return }
      if timeByHand != nil {
        try await writer(text) {}
        state.seen = state.drawn
        return
      }
      writing = (nil, writing.number + 1, false)
      writing.task = Task { [send, number = writing.number] in
        do {
          try await writer(text) { send.yield(.written(number, nil)) }
        } catch {
          send.yield(.written(number, error))
        }
      }
    }

    func finishFrame(_ number: Int, _ error: (any Error)?) throws {
      guard number == writing.number, writing.task != nil else { return }
      writing.task = nil
      if let error { throw error }
      state.seen = state.drawn
      if writing.isBehind { state.wantFrame() }
    }

    /// Waits until the terminal has taken the frame. Gives up when a limit ends, after 5 s by default, perhaps in the middle of the
    /// frame, if the terminal does not read; returns false then.
    @discardableResult
    func finishWriting(
      within given: Task<Void, Never>? = nil, isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
      guard let task = writing.task else { return true }
      let limit = given ?? Self.limit(.seconds(5))
      let watch = Task {
        await limit.value
        if !Task.isCancelled { task.cancel() }
      }
      await task.value
      watch.cancel()
      if given == nil { limit.cancel() }
      writing.task = nil
      return !task.isCancelled
    }

    /// A task that ends after some time, or when it is cancelled.
    static func limit(_ time: Duration) -> Task<Void, Never> { Task { try? await Task.sleep(for: time) } }

    // MARK: - Manual clock

    /// Advances the time, and draws the frames that become due.
    func pass(_ duration: Duration, isolation: isolated (any Actor)? = #isolation) async throws {
      let end = now.advanced(by: duration)
      while let due = state.frames.due, due <= end {
        timeByHand = max(due, now)
        state.now = now
        try await drawDueFrame()
      }
      timeByHand = end
      state.now = end
    }

    /// Waits one more second, and yields many times, before questions are answered although work is still running: on a busy
    /// machine, a second alone is too short.
    func startPatience() {
      patience?.cancel()
      patience = Task { [send, works = state.works] in
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
        for _ in 0..<2_000 where !Task.isCancelled { await Task.yield() }
        send.yield(.app(.patienceEnded(works)))
      }
    }

    /// Draws the frame that is due. Answers questions once the work before them has ended and its list is on the screen.
    func settleByHand(isolation: isolated (any Actor)? = #isolation) async throws {
      if let due = state.frames.due, due <= now { try await drawDueFrame() }
      guard !unsettled.isEmpty, state.works.isEmpty, let revision = table.revision else { return }
      for index in unsettled.indices where unsettled[index].revision == nil {
        unsettled[index].revision = await app.arranged?.revision ?? 0
      }
      // If an edit leaves the list as it was, the revision rises without an update.
      let wanted = unsettled.compactMap(\.revision).max() ?? 0
      if !state.status.isPaused, revision < wanted, await app.arranged?.snapshot != table.snapshot { return }
      for question in unsettled { terminal?.settled(question.number) }
      unsettled = []
      patience?.cancel()
      patience = nil
    }

    /// The visible lines as text, which stays in the terminal's history; empty without a screen.
    var farewell: String {
      guard let columns = screen?.size.columns else { return "" }
      let covered = table.coveredLines
      return table.visibleElements.flatMap { shown in
        let (isRow, end) = (shown.element.rowPath != nil, shown.line + shown.height)
        let indent = isRow ? "  " : ""
        let texts = isRow && end <= covered ? [] : (shown.cell as? any ConsoleDrawable)?.texts ?? []
        return texts.map { indent + $0.line.fitted(columns: max(1, columns - indent.count)) + "\n" }
      }
      .joined()
    }
  }

  extension Screen {
    init(
      _ app: ConsoleApp<Section, Row>, _ table: RetainedTable<Section, Row>, size: TerminalSize,
      keys: [ScreenStatus.KeyHelp], guides: OutlineGuides<Row>?
    ) {
      let hasReader = app.hasScreenReader
      let usesColor = !hasReader && app.color.isOn(isTerminal: true, environment: app.environment)
      var status = ScreenStatus(title: app.title, keys: keys)
      status.panels = hasReader ? [] : app.panels
      status.heading = app.columns.isEmpty ? nil : app.columns.heading()
      self.init(
        table, status: status, size: size,
        theme: usesColor ? app.theme ?? .resolved(environment: app.environment) : .plain)
      (columns, self.guides) = (app.columns, guides)
      showsCursor = hasReader
    }

    /// Copies the state besides the list, and gives the table the lines and columns that the panes leave free.
    mutating func fit(_ state: AppState<Section, Row>) throws(TableError) {
      (status, unconfirmed) = (state.status, state.unconfirmed.named.union(state.unconfirmed.edited.values))
      let (app, room) = (state.app, room)
      let lines = min(room.lines, app.rowLimit ?? room.lines)
      // A small screen keeps its lines for rows.
      table.pinsHeaders = app.pinsHeaders && lines >= 4
      if table.height == lines, table.width == room.columns { return }
      // The focused row stays in view.
      let focused = table.uncoveredRows.first { $0.path == table.focusedPath }?.path
      try table.resize(toHeight: lines, width: room.columns)
      if let focused { try table.scroll(to: focused) }
    }
  }

  extension RetainedTable {
    /// The table of an app, with headers if it is shown on a screen.
    convenience init(of app: ConsoleApp<Section, Row>, hasHeaders: Bool)
    where Section: ConsoleSection, Row: ConsoleRow {
      self.init(
        cells: app.cells, headers: hasHeaders && Section.self != SoleSection.self ? CellRegistry.consoleHeaders : nil,
        height: app.rowLimit ?? 20, poolCap: app.poolCap)
      workingRange = app.workingRange
      followsTail = app.followsTail
      showsArrivalsAtTop = app.showsArrivalsAtTop
      selectionMode = app.selectionMode
    }
  }

  extension ListUpdate {
    /// The first update of a later stream, as the difference from the list of a table; `nil` if list and position are the
    /// same. A log starts over with another list.
    func continuing(_ table: RetainedTable<Section, Row>, isLog: Bool) -> ListUpdate? {
      guard previous == nil, let shown = table.position else { return self }
      if isLog, shown.epoch != epoch { return self }
      let changes = table.snapshot.changes(to: snapshot)
      if changes.isEmpty, shown == position { return nil }
      return ListUpdate(
        revision: revision, previous: shown.revision, changes: changes, snapshot: snapshot, epoch: epoch)
    }
  }
#endif

#if canImport(RowcastPlatform)
  import RowcastModel
  import RowcastTable
  import RowcastViews

  extension AppSession {
    /// Takes the theme that fits the ground. An answer that comes late changes nothing that is read already.
    func take(groundIsLight: Bool) {
      guard let deadline = groundDeadline, now <= deadline else { return }
      screen?.theme = groundIsLight ? .light : .dark
      wantFrame()
    }

    /// Adapts the screen to the size of the terminal; the next frame is drawn in full.
    func measure() {
      if let terminal { screen?.size = .resolved(reported: terminal.reportedSize, environment: app.environment) }
    }

    /// The time: by the clock, or by hand.
    var now: ContinuousClock.Instant { timeByHand ?? .now }

    /// Schedules a frame for a time, or as soon after it as the frame rate allows.
    func wantFrame(at wanted: ContinuousClock.Instant? = nil) {
      guard screen != nil else { return }
      let wanted = wanted ?? now
      let earliest = frames.last?.advanced(by: .seconds(1) / max(1, app.framesPerSecond)) ?? wanted
      let due = timeByHand == nil ? max(wanted, earliest) : wanted
      if let next = frames.due, next <= due { return }
      frames.due = due
      frames.timer?.cancel()
      if timeByHand == nil { frames.timer = later(due, .frameDue) }
    }

    func drawDueFrame(isolation: isolated (any Actor)? = #isolation) async throws {
      frames.due = nil
      // A program can lose the foreground without a signal.
      if terminal?.isEntered ?? false, terminal?.isInBackground ?? false { return enterSoon() }
      // A terminal that is still taking a frame gets the newest one after it.
      guard writing.task == nil else { return writing.isBehind = true }
      if figures.areStale, figures.next <= now {
        var flow = await app.flow?() ?? ScreenStatus.Flow()
        flow.edits = table.revision ?? 0
        // The first list is not an update.
        flow.updates = max(0, updates - 1)
        flow.frames = frameCount + 1
        screen?.status.flow = flow
        figures = (false, now.advanced(by: .milliseconds(500)))
      }
      try await draw()
      await app.didShow?(table.revision ?? 0)
      let slow = screen?.status.running.values.map { $0.start.advanced(by: ScreenStatus.slowness) }.filter { $0 > now }
        .min()
      let nextChange = [screen?.nextFading, figures.areStale ? figures.next : nil, slow].compactMap(\.self).min()
      if terminal?.isEntered ?? false, let nextChange { wantFrame(at: nextChange) }
    }

    /// Draws the table in the lines that the panes leave.
    func draw(isolation: isolated (any Actor)? = #isolation) async throws {
      // Before the screen is taken over, while the process is stopped, and at the end it belongs to another program.
      guard let terminal, terminal.isEntered, !terminal.isInBackground, let (height, columns) = screen?.room(for: table)
      else { return }
      frames.last = now
      frameCount += 1
      let lines = min(height, app.rowLimit ?? height)
      // On a small screen the lines are for rows.
      table.pinsHeaders = app.pinsHeaders && lines >= 4
      if table.height != lines || table.width != columns {
        // The focus stays in sight.
        let focused = table.uncoveredRows.first { $0.path == table.focusedPath }?.path
        try table.resize(toHeight: lines, width: columns)
        if let focused { try table.scroll(to: focused) }
      }
      drawn = (table.focusedID, updates)
      let text = sequencesBeforeFrame() + (screen?.draw(table, at: now) ?? "")
      guard !text.isEmpty else {
        // The terminal shows this frame already.
        seen = drawn
        return
      }
      try await write(text)
    }

    /// Writes beside the loop, which a terminal that does not read must not hold up.
    private func write(_ text: String, isolation: isolated (any Actor)? = #isolation) async throws {
      guard let writer else { return }
      if timeByHand != nil {
        try await writer(text)
        seen = drawn
        return
      }
      writing = (nil, writing.number + 1, false)
      writing.task = Task { [send, number = writing.number] in
        do {
          try await writer(text)
          send.yield(.written(number, nil))
        } catch {
          send.yield(.written(number, error))
        }
      }
    }

    func finishFrame(_ number: Int, _ error: (any Error)?) throws {
      guard number == writing.number, writing.task != nil else { return }
      writing.task = nil
      if let error { throw error }
      seen = drawn
      if writing.isBehind { wantFrame() }
    }

    /// Takes over where the person moved the focus, unless the list is another one by now than the person sees.
    func followSeenFocus() {
      guard updates == seen.updates else { return }
      seen.focus = table.focusedID
      if drawn.updates == updates { drawn.focus = seen.focus }
    }

    /// Returns `true` if the focused row is the one that the person saw focused. Otherwise the screen says that nothing was done.
    func actsOnSeenRow() -> Bool {
      guard screen != nil, table.focusedID != seen.focus else { return true }
      let isGone = seen.focus.map { table.snapshot.scanForPath(ofRow: $0) == nil } ?? false
      say(isGone ? "the focused row has left the list: nothing was done" : "the list has changed: nothing was done")
      return false
    }

    /// Waits until the terminal has taken the frame. One that does not read for 5 s is left alone, perhaps in the middle of it;
    /// false then.
    @discardableResult
    func finishWriting(isolation: isolated (any Actor)? = #isolation) async -> Bool {
      guard let task = writing.task else { return true }
      let limit = Task {
        do { try await Task.sleep(for: .seconds(5)) } catch { return }
        task.cancel()
      }
      await task.value
      limit.cancel()
      writing.task = nil
      return !task.isCancelled
    }

    // MARK: - By hand

    /// Lets time pass, and draws the frames that are due meanwhile.
    func pass(_ duration: Duration, isolation: isolated (any Actor)? = #isolation) async throws {
      let end = now.advanced(by: duration)
      while let due = frames.due, due <= end {
        timeByHand = max(due, now)
        try await drawDueFrame()
      }
      timeByHand = end
    }

    /// Gives the running work one more second, and every task many turns, before questions are answered without it: on a busy
    /// machine a second is little.
    func startPatience() {
      patience?.cancel()
      patience = Task { [send, works] in
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
        for _ in 0..<2_000 where !Task.isCancelled { await Task.yield() }
        send.yield(.patienceEnded(works))
      }
    }

    /// Draws the frame that is due, and answers questions: when the work before them has ended, and its list is on the screen.
    func settleByHand(isolation: isolated (any Actor)? = #isolation) async throws {
      if let due = frames.due, due <= now { try await drawDueFrame() }
      guard !unsettled.isEmpty, works.isEmpty, let revision = table.revision else { return }
      for index in unsettled.indices where unsettled[index].revision == nil {
        unsettled[index].revision = await app.arranged?.revision ?? 0
      }
      // A list that is what it was before has a higher revision, and no update.
      let wanted = unsettled.compactMap(\.revision).max() ?? 0
      if !isPaused, revision < wanted, await app.arranged?.snapshot != table.snapshot { return }
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

    /// Shows the message of work that has ended, once the last line is free, in front of those that arrived since the last key.
    func tell(_ message: String) {
      let earlier = mode.usesLastLine ? heldMessage : screen?.status.message
      let text = earlier.map { $0 == message ? message : "\(message) · \($0)" } ?? message
      heldMessage = mode.usesLastLine ? text : nil
      if !mode.usesLastLine { say(text) }
    }

    /// Shows a message on the last line instead of the help; `nil` restores the help.
    func say(_ message: String?) {
      screen?.status.message = message
      wantFrame()
    }
  }

  extension ScreenSink {
    init(_ app: ConsoleApp<Section, Row>, on terminal: any AppTerminal, commands: CommandTable<Row.ID>) {
      let hasReader = app.hasScreenReader
      let usesColor = !hasReader && app.color.isOn(isTerminal: true, environment: app.environment)
      let keys = terminal.hasKeys ? commands.help : [ScreenStatus.interruptKey]
      var status = ScreenStatus(title: app.title, keys: keys)
      status.panels = hasReader ? [] : app.panels
      status.heading = app.columns.isEmpty ? nil : app.columns.heading()
      self.init(
        status: status, size: .resolved(reported: terminal.reportedSize, environment: app.environment),
        theme: usesColor ? app.theme ?? .resolved(usesColor: true, environment: app.environment) : .plain)
      columns = app.columns
      showsCursor = hasReader
    }
  }
#endif

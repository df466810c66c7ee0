#if canImport(RowcastPlatform)
  import RowcastTable

  extension AppSession {
    /// Takes over the screen, if there is one.
    func enter() throws {
      try terminal?.enter()
      measure()
    }

    /// Adapts the screen to the size of the terminal; the next frame is drawn in full.
    func measure() {
      if let terminal { screen?.size = terminal.size(environment: app.environment) }
    }

    /// Schedules a frame for a time, or as soon after it as the frame rate allows.
    func wantFrame(at wanted: ContinuousClock.Instant = .now) {
      guard screen != nil else { return }
      let earliest = frames.last?.advanced(by: .seconds(1) / max(1, app.framesPerSecond)) ?? wanted
      let due = max(wanted, earliest)
      if let next = frames.due, next <= due { return }
      frames.due = due
      frames.timer?.cancel()
      frames.timer = later(due, .frameDue)
    }

    func drawDueFrame(isolation: isolated (any Actor)? = #isolation) async throws {
      frames.due = nil
      if figures.areStale, figures.next <= .now {
        var flow = await app.flow?() ?? ScreenStatus.Flow()
        flow.edits = table.revision ?? 0
        // The first list is not an update.
        flow.updates = max(0, updates - 1)
        flow.frames = frameCount + 1
        screen?.status.flow = flow
        figures = (false, .now.advanced(by: .milliseconds(500)))
      }
      try draw()
      await app.didShow?(table.revision ?? 0)
      let nextChange = [screen?.nextFading, figures.areStale ? figures.next : nil].compactMap(\.self).min()
      if terminal?.isEntered ?? false, let nextChange { wantFrame(at: nextChange) }
    }

    /// Draws the table in the lines that the panes leave.
    func draw() throws {
      // Before the screen is taken over, while the process is stopped, and at the end it belongs to another program.
      guard let terminal, terminal.isEntered, let height = screen?.tableHeight(of: table) else { return }
      frames.last = .now
      frameCount += 1
      let lines = min(height, app.rowLimit ?? height)
      if table.height != lines { try table.resize(toHeight: lines) }
      try screen?.draw(table)
    }

    /// The visible lines as text, which stays in the terminal's history; empty without a screen.
    var farewell: String {
      guard let columns = screen?.size.columns else { return "" }
      return table.visibleElements.flatMap { shown in
        let indent = shown.element.rowPath == nil ? "" : "  "
        let texts = (shown.cell as? any ConsoleDrawable)?.texts ?? []
        return texts.map { indent + $0.line.fitted(columns: max(1, columns - indent.count)) + "\n" }
      }
      .joined()
    }

    /// Shows a message on the last line instead of the help; `nil` restores the help.
    func say(_ message: String?) {
      screen?.status.message = message
      wantFrame()
    }
  }

  extension ScreenSink {
    init(_ app: ConsoleApp<Section, Row>, on terminal: Terminal, commands: [KeyCommand<Row.ID>]) {
      let usesColor = app.color.isOn(isTerminal: true, environment: app.environment)
      let keys = terminal.hasKeys ? ScreenStatus.keys(commands, undoes: app.undo != nil) : [ScreenStatus.interruptKey]
      var status = ScreenStatus(title: app.title, keys: keys)
      status.panels = app.panels
      status.heading = app.columns.isEmpty ? nil : app.columns.heading()
      self.init(
        status: status, size: terminal.size(environment: app.environment),
        theme: usesColor ? app.theme ?? .resolved(usesColor: true, environment: app.environment) : .plain,
        write: { try terminal.write($0) })
      columns = app.columns
    }
  }
#endif

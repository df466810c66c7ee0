#if canImport(RowcastPlatform)
  import RowcastTable

  extension AppSession {
    /// Makes sure that a frame is drawn at some time, now by default, or as soon after it as the frame rate allows.
    func wantFrame(at wanted: ContinuousClock.Instant = .now) {
      guard screen != nil else { return }
      let earliest = frames.last?.advanced(by: .seconds(1) / max(1, app.framesPerSecond)) ?? wanted
      let due = max(wanted, earliest)
      if let next = frames.due, next <= due { return }
      frames.due = due
      frames.timer?.cancel()
      frames.timer = later(due, .frame)
    }

    func drawDueFrame(isolation: isolated (any Actor)? = #isolation) async throws {
      guard let screen else { return }
      frames.due = nil
      if figures.areStale, figures.next <= .now {
        var flow = await app.extensions.flow?() ?? ScreenStatus.Flow()
        flow.edits = table.revision ?? 0
        // The first list is no update of anything.
        flow.updates = max(0, updates - 1)
        flow.frames = screen.frameCount + 1
        screen.sink.status.flow = flow
        figures = (false, .now.advanced(by: .milliseconds(500)))
      }
      try draw()
      await app.extensions.didShow?(table.revision ?? 0)
      let nextChange = [screen.sink.nextFading, figures.areStale ? figures.next : nil].compactMap(\.self).min()
      if screen.terminal.isEntered, let nextChange { wantFrame(at: nextChange) }
    }

    func draw() throws {
      // The screen is another program's until it is taken over, while this one is stopped, and at the end.
      guard let screen, screen.terminal.isEntered else { return }
      frames.last = .now
      try screen.draw(table)
    }

    /// Shows something on the last line instead of the help.
    func say(_ line: ScreenStatus.LastLine?) {
      screen?.sink.status.lastLine = line
      wantFrame()
    }
  }
#endif

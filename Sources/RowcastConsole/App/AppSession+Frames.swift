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
      frames.timer = Task { [send] in
        do { try await Task.sleep(until: due, clock: .continuous) } catch { return }
        send.yield(.frame)
      }
    }

    nonisolated(nonsending) func drawDueFrame() async throws {
      guard let screen else { return }
      frames.due = nil
      if screen.wantsFigures {
        var flow = await app.extensions.flow?() ?? ScreenStatus.Flow()
        flow.edits = table.revision ?? 0
        // The first list is no update of anything.
        flow.updates = max(0, updates - 1)
        screen.showFigures(flow)
      }
      try draw()
      await app.extensions.didShow?(table.revision ?? 0)
      if !isSuspended, let next = screen.nextChange { wantFrame(at: next) }
    }

    func draw() throws {
      guard let screen, !isSuspended else { return }
      frames.last = .now
      try screen.draw(table)
    }

    /// Shows something on the last line instead of the help.
    func say(_ line: ScreenStatus.LastLine?) {
      screen?.status.lastLine = line
      wantFrame()
    }
  }
#endif

#if canImport(RowcastPlatform)
  import RowcastPlatform
  import RowcastSources

  extension AppSession {
    /// Takes over the screen and the keys, if there are any: at the beginning, and whenever another program may have used them. In the
    /// background the app stops instead, and enters when it is resumed.
    func enter(isolation: isolated (any Actor)? = #isolation) async throws {
      guard let terminal, try await !stopsInBackground() else { return }
      // The rest of an old frame would appear between the sequences.
      await finishWriting()
      let asks = canAskForGround
      if asks {
        groundDeadline = now.advanced(by: .seconds(1))
        let (end, given) = AsyncStream.makeStream(of: Void.self)
        answers = (end, given, now)
      }
      try terminal.enter(usingMouse: app.usesMouse && terminal.hasKeys, askingForGround: asks)
      if listener == nil, terminal.hasKeys {
        listener = terminal.listen { [send, given = answers?.given] in
          if case .identified = $0 { given?.finish() }
          send.yield(.input($0))
        }
      }
      measure()
      state.wantFrame()
    }

    /// Enters the terminal soon, which stops the app if it is in the background then. If it has just been resumed there, a signal that
    /// ends it may be pending: a stopped process receives it together with the one that resumes it.
    func enterSoon() {
      guard entering.task == nil else { return }
      entering.number += 1
      entering.task = later(now.advanced(by: .milliseconds(50)), .enterDue(entering.number))
    }

    /// Enters the terminal, unless the app was stopped since the time for that was set.
    func enterWhenDue(_ number: Int, isolation: isolated (any Actor)? = #isolation) async throws {
      guard number == entering.number, entering.task != nil else { return }
      entering.task = nil
      try await enter()
    }

    /// Stops the process with its job if it is in the background, where it neither draws nor reads. Returns false in the foreground.
    ///
    /// - Throws: If there is no shell that could resume it.
    func stopsInBackground(isolation: isolated (any Actor)? = #isolation) async throws -> Bool {
      guard terminal?.isInBackground ?? false else { return false }
      await stopListening()
      do { try terminal?.stopInBackground() } catch { throw FileError(reason: "\(error)") }
      entering.task?.cancel()
      entering.task = nil
      return true
    }

    /// True if the ground of the screen is not known, and decides about the theme. A run that may be over before the terminal has
    /// answered does not ask.
    private var canAskForGround: Bool {
      guard let terminal, terminal.hasKeys, app.theme == nil, groundDeadline == nil else { return false }
      if app.updateLimit != nil { return false }
      if let limit = app.timeLimit, limit < .seconds(1) { return false }
      return screen?.theme != .plain && app.environment["COLORFGBG"] == nil
    }

    /// Waits until no key is read any more, which another program or the next run of an app may want, and until the terminal has
    /// answered what it was asked: the answer would be keys of that program.
    func stopListening(isolation: isolated (any Actor)? = #isolation) async {
      guard let listener else { return }
      self.listener = nil
      // Nobody answers a program in the background. A terminal that was silent for so long does not answer at all.
      if let answers, !(terminal?.isInBackground ?? false) {
        self.answers = nil
        let silence = answers.asked.duration(to: now)
        if silence < .milliseconds(1_500) {
          await wait(for: answers.end, atMost: .milliseconds(700), givingUp: answers.given)
        }
        terminal?.discardInput()
      }
      listener.cancel()
      // Not for long: what reads a terminal together with somebody else can hang there.
      let (ended, end) = AsyncStream.makeStream(of: Void.self)
      Task {
        await listener.value
        end.finish()
      }
      await wait(for: ended, atMost: .seconds(1), givingUp: end)
    }

    /// Waits for the end of a stream, at most for a time.
    private func wait(
      for end: AsyncStream<Void>, atMost duration: Duration, givingUp: AsyncStream<Void>.Continuation,
      isolation: isolated (any Actor)? = #isolation
    ) async {
      let limit = Task {
        do { try await Task.sleep(for: duration) } catch { return }
        givingUp.finish()
      }
      for await _ in end {}
      limit.cancel()
    }
  }
#endif

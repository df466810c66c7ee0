#if canImport(RowcastPlatform)
  import RowcastPlatform
  import RowcastSources

  extension AppSession {
    /// Takes over the screen and the keys, if there are any: at the start, and whenever another program may have used them.
    /// In the background, the app stops instead, and enters when it is resumed.
    func enter(isolation: isolated (any Actor)? = #isolation) async throws {
      guard let terminal, try await !stopsInBackground() else { return }
      // Otherwise the rest of an old frame would mix with the sequences.
      await finishWriting()
      if answers == nil {
        let (end, given) = AsyncStream.makeStream(of: Void.self)
        answers = (end, given, now, 0)
      }
      let (offers, background) = questions
      if offers { offer = TerminalOffer() }
      let text = ask(offers: offers, background: background)
      try terminal.enter(usingMouse: app.usesMouse && terminal.hasKeys, asking: text)
      if listener == nil, terminal.hasKeys {
        listener = terminal.listen { [send, given = answers?.given] in
          if case .identified = $0 { given?.yield() }
          send.yield(.input($0))
        }
      }
      measure()
      state.wantFrame()
    }

    /// Applies the theme that fits the background colour. Late answers are ignored: the theme must not change under a reader.
    func take(backgroundIsLight: Bool) {
      guard let deadline = backgroundDeadline, now <= deadline else { return }
      screen?.theme = backgroundIsLight ? .light : .dark
      state.wantFrame()
    }

    /// Adapts the screen to the size of the terminal; the next frame is drawn in full.
    func measure() {
      if let terminal { screen?.size = .resolved(reported: terminal.reportedSize, environment: app.environment) }
    }

    /// Enters the terminal after a short delay, which stops the app if it is in the background by then. If it has just been
    /// resumed there, a signal that ends it may be pending: a stopped process receives such a signal together with the one
    /// that resumes it.
    func enterSoon() {
      guard entering.task == nil else { return }
      entering.number += 1
      entering.task = later(now.advanced(by: .milliseconds(50)), .enterDue(entering.number))
    }

    /// Enters the terminal, unless the app was stopped after the timer was set.
    func enterWhenDue(_ number: Int, isolation: isolated (any Actor)? = #isolation) async throws {
      guard number == entering.number, entering.task != nil else { return }
      entering.task = nil
      try await enter()
    }

    /// Stops the process with its job if it is in the background, where it neither draws nor reads. Returns false in the
    /// foreground.
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

    /// The questions for the terminal when the app takes over the screen: its features, once, and its background colour if
    /// the theme depends on it. A run that may end before the answer asks nothing.
    private var questions: (offers: Bool, background: Bool) {
      guard let terminal, terminal.hasKeys, app.updateLimit == nil else { return (false, false) }
      // The colours may have changed since the app last listened.
      if let offer { return (false, listener == nil && followsBackground && offer.features.contains(.colorReports)) }
      if let limit = app.timeLimit, limit < .seconds(1) { return (false, false) }
      return (true, followsBackground && app.environment["COLORFGBG"] == nil)
    }

    /// True if the theme follows the background colour of the terminal.
    private var followsBackground: Bool { app.theme == nil && screen?.theme != .plain }

    /// Returns the questions to write now, and counts them so that their answers are awaited.
    private func ask(offers: Bool, background: Bool) -> String {
      if background { backgroundDeadline = now.advanced(by: .seconds(1)) }
      if offers || background {
        answers?.asked = now
        answers?.count += 1
      }
      return TerminalFeatures.questions(offers: offers, background: background)
    }

    /// Handles an answer of the terminal, or a report.
    func take(_ answer: TerminalInput) {
      if case .colorsChanged = answer {
        // The report names the person's preference; the colours of this terminal may differ.
        asksForBackground = followsBackground && offer?.features.contains(.colorReports) ?? false
        if asksForBackground { state.wantFrame() }
      } else if offer?.take(answer) ?? false {
        screen?.isSynchronized = offer?.features.contains(.synchronizedOutput) ?? false
        usesOffer = true
        state.wantFrame()
      }
    }

    /// The sequences to write before the next frame: they switch on the features that the terminal offers, and may ask
    /// another question. Empty while the app does not listen.
    func sequencesBeforeFrame() -> String {
      guard let terminal, let offer, listener != nil else { return "" }
      let modes = usesOffer ? terminal.use(offer.switchable) : ""
      let questions = ask(offers: false, background: asksForBackground)
      (usesOffer, asksForBackground) = (false, false)
      return modes + questions
    }

    /// Stops reading keys, which another program or the next run of an app may want, and waits for the terminal's outstanding
    /// answers: that program would read them as keys.
    func stopListening(isolation: isolated (any Actor)? = #isolation) async {
      guard let listener else { return }
      self.listener = nil
      // A process in the background gets no answers, and a terminal that was silent for this long will not answer at all.
      if let answers, !(terminal?.isInBackground ?? false) {
        self.answers = nil
        let silence = answers.asked.duration(to: now)
        if answers.count > 0, silence < .milliseconds(1_500), timeByHand == nil {
          await wait(for: answers.count, of: answers.end, atMost: .milliseconds(700), givingUp: answers.given)
        }
        if answers.count > 0 { terminal?.discardInput() }
      }
      listener.cancel()
      // With a limit: reading a terminal that another program reads may hang.
      let (ended, end) = AsyncStream.makeStream(of: Void.self)
      Task {
        await listener.value
        end.finish()
      }
      await wait(for: 1, of: ended, atMost: .seconds(1), givingUp: end)
    }

    /// Waits for a number of elements of a stream, or for its end, but no longer than `duration`.
    private func wait(
      for count: Int, of stream: AsyncStream<Void>, atMost duration: Duration,
      givingUp: AsyncStream<Void>.Continuation,
      isolation: isolated (any Actor)? = #isolation
    ) async {
      let limit = Task {
        do { try await Task.sleep(for: duration) } catch { return }
        givingUp.finish()
      }
      for await _ in stream.prefix(count) {}
      limit.cancel()
    }
  }
#endif

#if canImport(RowcastPlatform)
  public import RowcastConsole
  import RowcastStore

  /// A screen in memory, on which a test shows a `ConsoleApp`, presses keys and lets time pass.
  ///
  ///     @Test func `the list is filtered as a text is typed`() async throws {
  ///       let app = ConsoleApp(fruits, columns: [ConsoleColumn("NAME", width: 8) { $0.name }])
  ///       try await ConsoleScreen.show(app, columns: 40, lines: 8) { screen in
  ///         try await screen.press("/", "p", "e", .enter)
  ///         try await screen.expect("one fruit") { lines in lines[0].contains("1 row") }
  ///       }
  ///     }
  ///
  /// The app is the one that runs in a terminal, without a terminal, signals or a clock: no time passes until
  /// ``advance(by:file:line:)``, and each change is drawn at once. It needs no pseudo-terminal and no sleep.
  public final actor ConsoleScreen {
    private var screen: ScreenText
    /// Why the app ended; `nil` while it runs.
    public private(set) var ending: ConsoleEnding?
    /// The texts that the app has written, each a frame with its control sequences.
    package private(set) var frames: [String] = []
    private let input: AsyncStream<TerminalInput>.Continuation
    private let output: AsyncStream<MemoryTerminal.Output>
    private let send: AsyncStream<MemoryTerminal.Output>.Continuation
    private var (lastQuestion, lastLimit) = (0, 0)
    private var parser = KeyParser()
    private var hasEnded = false

    private init(
      size: TerminalSize, input: AsyncStream<TerminalInput>.Continuation, output: AsyncStream<MemoryTerminal.Output>,
      send: AsyncStream<MemoryTerminal.Output>.Continuation
    ) {
      (screen, self.input, self.output, self.send) = (ScreenText(size: size), input, output, send)
    }

    /// Shows an app while a test runs. The app is ended after the test, unless the test has ended it.
    ///
    /// - Parameters:
    ///   - app: The app. Its `environment` decides about colour; the last lines that it leaves in a terminal are not printed.
    ///   - columns: The columns of the screen.
    ///   - lines: The lines of the screen.
    ///   - isolation: The actor of the caller, where the app runs.
    ///   - body: The test.
    /// - Returns: The result of the test.
    /// - Throws: Any error of the app, or else of the test.
    public static func show<Section, Row, Result: Sendable>(
      _ app: ConsoleApp<Section, Row>, columns: Int = 80, lines: Int = 24,
      isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable (ConsoleScreen) async throws -> Result
    ) async throws -> Result {
      let size = TerminalSize(columns: columns, lines: lines)
      let (input, type) = AsyncStream.makeStream(of: TerminalInput.self)
      let (output, send) = AsyncStream.makeStream(of: MemoryTerminal.Output.self)
      let screen = ConsoleScreen(size: size, input: type, output: output, send: send)
      let test = Task {
        defer { type.yield(.ended) }
        try await screen.settle()
        return try await body(screen)
      }
      var app = app
      app.terminal = MemoryTerminal(size: size, input: input, output: send)
      let result = await withTaskCancellationHandler {
        do {
          await screen.end(try await app.run())
        } catch {
          await screen.end(nil)
          test.cancel()
          _ = await test.result
          return Swift.Result<Result, any Error>.failure(error)
        }
        return await test.result
      } onCancel: {
        test.cancel()
      }
      return try result.get()
    }

    private func end(_ ending: ConsoleEnding?) {
      self.ending = ending
      send.yield(.ended)
    }

    // MARK: - Input

    /// Presses keys such as `"j"`, `.enter` or `.control("f")`, one after the other. Each waits until the app has handled the key
    /// before, the work that it started has ended, such as a filter or a command, and the screen shows the result. Work that
    /// takes longer than a second, and the effects of `onSelect` and `onEvent`, may show later: expect them.
    ///
    /// - Throws: ``ScreenError`` if the app had ended before.
    public func press(_ keys: Key..., file: String = #fileID, line: Int = #line) async throws {
      try await submit(keys.map(TerminalInput.key), at: "\(file):\(line)")
    }

    /// Types a text, a key for each character.
    ///
    /// - Throws: ``ScreenError`` if the app had ended before.
    public func type(_ text: String, file: String = #fileID, line: Int = #line) async throws {
      try await submit(text.map { .key(.character($0)) }, at: "\(file):\(line)")
    }

    /// Pastes a text, which is never taken for commands.
    ///
    /// - Throws: ``ScreenError`` if the app had ended before.
    public func paste(_ text: String, file: String = #fileID, line: Int = #line) async throws {
      try await submit(text.map { .key(.pasted($0)) }, at: "\(file):\(line)")
    }

    /// Presses and releases the left button of the mouse, once or several times.
    ///
    /// - Parameters:
    ///   - line: The line of the screen, from 0.
    ///   - column: The column of the screen, from 0.
    ///   - times: The number of clicks: 2 for a double click.
    ///   - file: The file of the test.
    ///   - place: The line of the test.
    /// - Throws: ``ScreenError`` if the app had ended before.
    public func click(
      line: Int, column: Int, times: Int = 1, file: String = #fileID, at place: Int = #line
    ) async throws {
      try await submit(Array(repeating: .press(line: line, column: column), count: times), at: "\(file):\(place)")
    }

    /// Turns the wheel of the mouse by some notches: down, showing what follows, if positive.
    ///
    /// - Throws: ``ScreenError`` if the app had ended before.
    public func turnWheel(_ notches: Int, file: String = #fileID, line: Int = #line) async throws {
      try await submit(Array(repeating: .wheel(notches.signum()), count: abs(notches)), at: "\(file):\(line)")
    }

    /// Gives the screen another size.
    ///
    /// - Throws: ``ScreenError`` if the app had ended before.
    public func resize(columns: Int, lines: Int, file: String = #fileID, line: Int = #line) async throws {
      try await submit([.resized(TerminalSize(columns: columns, lines: lines))], at: "\(file):\(line)")
    }

    /// Lets time pass: marks of changes fade, for example.
    ///
    /// - Throws: ``ScreenError`` if the app had ended before.
    public func advance(by duration: Duration, file: String = #fileID, line: Int = #line) async throws {
      try await submit([.time(duration)], at: "\(file):\(line)")
    }

    /// Sends bytes as a terminal does.
    package func send(_ text: String) async throws { try await send(bytes: Array(text.utf8)) }

    /// Sends bytes as a terminal does.
    package func send(bytes: [UInt8]) async throws { try await submit(parser.take(bytes), at: "bytes") }

    /// Waits until the app ends by itself, however long that takes. Returns the reason.
    package func untilEnd() async -> ConsoleEnding? {
      while await next() != nil {}
      return ending
    }

    /// Sends input, and waits after each element as ``press(_:file:line:)`` does.
    package func submit(_ input: [TerminalInput], at location: String) async throws {
      // An app may have ended by itself, and its last output was not read yet.
      if ending != nil { while await next() != nil {} }
      if hasEnded {
        throw ScreenError(location: location, reason: "the app has ended\(ending.map { ": \($0)" } ?? "")")
      }
      for element in input {
        if case .resized(let size) = element { screen.resize(to: size) }
        self.input.yield(element)
        try await settle()
        // The rest has no receiver.
        if hasEnded { return }
      }
    }

    /// Waits until the app has handled all input, its work has ended, and it shows the list of that moment. A list that changes
    /// back may never be shown, so there is a limit.
    private func settle() async throws {
      let question = ask()
      await receive(within: .seconds(60)) { if case .settled(question) = $0 { true } else { false } }
    }

    private func ask() -> Int {
      lastQuestion += 1
      input.yield(.settle(lastQuestion))
      return lastQuestion
    }

    /// Takes the next message of the app; `nil` after its end.
    private func next() async -> MemoryTerminal.Output? {
      guard !hasEnded else { return nil }
      var iterator = output.makeAsyncIterator()
      switch await iterator.next() {
      case .text(let text)?:
        frames.append(text)
        screen.write(text)
        return .text(text)
      case .ended?, nil:
        hasEnded = true
        return nil
      case let message?: return message
      }
    }

    // MARK: - Output

    /// The lines of the screen, without spaces at their ends. After the end of the app they are the last ones.
    public var lines: [String] { screen.lines }

    /// The line and the column of the cursor, from 0; `nil` while it is hidden.
    package var cursor: (line: Int, column: Int)? { screen.showsCursor ? (screen.line, screen.column) : nil }

    /// The words on a line that are emphasised, with the parameters of their control sequence.
    package func emphasised(line: Int) -> [(text: String, parameters: String)] { screen.emphasised(line: line) }

    /// Expects the screen to show a picture, now or soon: the work that a key starts takes time.
    ///
    /// - Parameters:
    ///   - picture: The lines, from the first one on. Spaces at their ends and empty lines at the end do not matter.
    ///   - first: The line of the screen that the picture begins with, from 0.
    ///   - count: The number of lines to compare; `nil` for all that follow.
    ///   - limit: How long to wait. An app that continues to draw, as a search does, gets some more.
    ///   - file: The file of the test.
    ///   - line: The line of the test.
    /// - Throws: ``ScreenError`` with a picture of the difference.
    public func expect(
      _ picture: String, fromLine first: Int = 0, count: Int? = nil, within limit: Duration = .seconds(5),
      file: String = #fileID, line: Int = #line
    ) async throws {
      let expected = picture.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      func part(_ lines: [String]) -> [String] { Array(lines.dropFirst(first).prefix(count ?? lines.count)).trimmed }
      let isMet = await wait(limit) { part($0) == expected.trimmed }
      if !isMet {
        let difference = Self.difference(of: part(lines), to: expected.trimmed)
        throw ScreenError(location: "\(file):\(line)", reason: "the screen is another one\n\(difference)")
      }
    }

    /// Expects the lines of the screen to be as a closure wants them, now or soon. The message of a failure has the description.
    ///
    /// - Throws: ``ScreenError`` with the lines.
    public func expect(
      _ description: String, within limit: Duration = .seconds(5), file: String = #fileID, line: Int = #line,
      _ isAccepted: @Sendable ([String]) -> Bool
    ) async throws {
      if await !wait(limit, isAccepted) {
        let shown = lines.trimmed.map { "  | \($0)\n" }.joined()
        throw ScreenError(
          location: "\(file):\(line)", reason: "expected \(description), but the screen is\n\(shown)")
      }
    }

    private static func difference(of shown: [String], to expected: [String]) -> String {
      (0..<max(expected.count, shown.count)).map { index in
        let wanted = index < expected.count ? expected[index] : nil
        let line = index < shown.count ? shown[index] : nil
        if wanted == line { return "  | \(line ?? "")\n" }
        return [wanted.map { "- | \($0)\n" }, line.map { "+ | \($0)\n" }].compactMap(\.self).joined()
      }
      .joined()
    }

    /// Waits until the lines are as wanted. Returns false after the limit, and at the end of the app.
    private func wait(_ limit: Duration, _ isAccepted: ([String]) -> Bool) async -> Bool {
      if isAccepted(lines) { return true }
      if await receive(within: limit, { _ in isAccepted(lines) }) { return true }
      // Other work may have delayed the app all that time: it gets some more turns, and as many again after each turn in which it
      // draws.
      var (turns, quietTurns) = (0, 0)
      while !hasEnded, !isAccepted(lines), quietTurns < 20, turns < 2_000 {
        let (question, drawn) = (ask(), frames.count)
        await receive(within: .seconds(60)) { message in
          if case .settled(question) = message { true } else { isAccepted(lines) }
        }
        turns += 1
        quietTurns = frames.count == drawn ? quietTurns + 1 : 0
      }
      return isAccepted(lines)
    }

    /// Waits for a message. Returns false after the limit, and at the end of the app.
    @discardableResult
    private func receive(within limit: Duration, _ isWanted: (MemoryTerminal.Output) -> Bool) async -> Bool {
      lastLimit += 1
      let timer = Task { [send, lastLimit] in
        do { try await Task.sleep(for: limit.asWait) } catch { return }
        send.yield(.late(lastLimit))
      }
      defer { timer.cancel() }
      while let message = await next() {
        if isWanted(message) { return true }
        if case .late(lastLimit) = message { return false }
      }
      return false
    }
  }

  extension [String] {
    /// The lines without spaces at their ends, and without empty ones at the end.
    fileprivate var trimmed: [String] {
      let lines = map(\.withoutFinalSpaces)
      return Array(lines.prefix(lines.count - lines.reversed().prefix(while: \.isEmpty).count))
    }
  }

  /// A screen is not as a test expects it.
  public struct ScreenError: Error, CustomStringConvertible {
    /// The file and the line of the test.
    package let location: String
    /// The difference of the screen from the expectation, or the reason why there is no screen.
    package let reason: String

    /// The place in the test, and a picture of the difference: `-` before a line that was expected, `+` before one that is shown.
    public var description: String { "\(location): \(reason)" }
  }
#endif

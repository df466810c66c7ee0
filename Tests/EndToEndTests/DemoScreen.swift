@testable import RowcastDemo

/// The demo on a screen in memory, as a person at a terminal sees it.
struct DemoScreen {
  var columns = 80
  var lines = 24
  var environment: [String: String] = [:]
  let diagnostics = Diagnostics(isQuiet: true, isDeferred: true)

  /// Shows a scenario while a test runs.
  func show(_ words: [String], _ body: @escaping @Sendable (ConsoleScreen) async throws -> Void) async throws {
    let options = try Options(words + ["--tty"])
    let scenario = options.scenario.flatMap(Scenario.init) ?? .feed
    try await play(options, scenario, body) { run in try run.prepare(scenario) }
  }

  /// Shows `demo stdin`, with the lines that a test sends.
  func showLines(
    _ options: [String] = [],
    _ body: @escaping @Sendable (_ screen: ConsoleScreen, _ send: @Sendable (String...) -> Void) async throws -> Void
  ) async throws {
    let (texts, text) = AsyncStream.makeStream(of: String.self)
    let send: @Sendable (String...) -> Void = { text.yield($0.map { $0 + "\n" }.joined()) }
    try await play(try Options(["stdin", "--tty"] + options), .stdin, { try await body($0, send) }) { run in
      run.preparingEvents { run in
        for await text in texts { try await run.readEvents(from: MemoryLines(Array(text.utf8))) }
      }
    }
  }

  private func play(
    _ options: Options, _ scenario: Scenario, _ body: @escaping @Sendable (ConsoleScreen) async throws -> Void,
    preparing prepare: (ScenarioRun) throws -> PreparedScenario
  ) async throws {
    let run = ScenarioRun(
      options: options, store: Store(), pacer: Pacer(lockstep: options.lockstep),
      diagnostics: diagnostics, board: SourceBoard(options.sourceNames(of: scenario)), hasKeys: true)
    let output = OutputPlan(options, scenario: scenario, environment: environment)
    var session = Session(run: run, scenario: try prepare(run), output: output)
    session.start = { [columns, lines] app in
      try await ConsoleScreen.show(app, columns: columns, lines: lines) { screen in
        try await body(screen)
        return .quit
      }
    }
    _ = try await session.play()
  }
}

/// A line for `demo stdin`. The texts are put into it as they are, JSON escapes and all.
func upsert(_ id: String, _ title: String, section: String = "s", subtitle: String = "", kind: String = "text")
  -> String
{
  #"{"op":"upsert","id":"\#(id)","section":"\#(section)","title":"\#(title)","subtitle":"\#(subtitle)","kind":"\#(kind)"}"#
}

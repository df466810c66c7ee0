import Rowcast
import RowcastConsole
import RowcastPlatform

/// One subscriber of a scenario's list, with its table and its sink.
actor Session {
  let store: Store
  let scenario: PreparedScenario
  let options: Options
  let table: RetainedTable<Group, Item>
  let screen: Screen?
  let pacer: Pacer
  private var sink: any ConsoleSink<Group, Item>
  /// Where an ending is reported that does not come from the stream of updates.
  let end: @Sendable (Ending) -> Void
  private(set) var updates = 0
  var frames = FrameClock()
  /// Whether the screen is somebody else's: until it is taken over, while the program is stopped, and at the end.
  var isSuspended = true
  var history = UndoHistory()
  /// The store's list at the last update, if the scenario shows something else.
  private var stored: Snapshot?
  var prompt: Prompt?
  /// The texts that were last typed, by the key that asks for them.
  var typed: [Key: String] = [:]
  var pause = Pause()
  /// How the sources are doing, as far as it was shown.
  var sources: [ScreenStatus.Source] = []

  init(
    store: Store, scenario: PreparedScenario, pacer: Pacer, options: Options, output: OutputPlan,
    end: @escaping @Sendable (Ending) -> Void
  ) {
    self.store = store
    self.scenario = scenario
    self.pacer = pacer
    self.options = options
    self.end = end
    let screen = output.mode == .tty ? Screen(output, commands: scenario.commands, options) : nil
    self.screen = screen
    switch output.mode {
    case .tty:
      sink = screen ?? Self.logSink()
    case .log:
      sink = Self.logSink()
    case .json:
      sink = JSONSink { try Platform.write($0, to: Platform.standardOutput) }
    }
    table = scenario.table.makeTable(
      headers: screen == nil ? nil : CellRegistry<Group>.consoleHeaders, options: options)
    if let onEvent = scenario.onEvent {
      let events = table.eventStream()
      Task { for await event in events { await onEvent(event) } }
    }
  }

  /// Whether the output is a log in words.
  var writesLog: Bool { sink is LogSink<Group, Item> }

  private static func logSink() -> LogSink<Group, Item> {
    LogSink { try Platform.write($0.utf8, to: Platform.standardOutput) }
  }

  /// Shows every update until the list is finished, or something else ends the session.
  func run() async -> Ending {
    do {
      if let screen {
        try screen.enter()
        isSuspended = false
        try draw()
      }
      while true {
        await passPause()
        if let ending = try await follow() { return ending }
      }
    } catch {
      return Self.ending(of: error)
    }
  }

  /// Shows updates until the stream ends. Returns nothing if a pause ended it.
  private func follow() async throws -> Ending? {
    let pull = Task { () throws -> Ending? in
      for await update in scenario.updates() {
        try await take(update)
        if updates == options.maxUpdates { return .limitReached }
      }
      return Task.isCancelled ? nil : .finished
    }
    pause.pull = pull
    return try await pull.value
  }

  private func take(_ update: Update) async throws {
    guard let update = continued(update) else { return }
    if screen != nil { await remember(update) }
    let report = try table.apply(update)
    try sink.show(update, report: report, in: table)
    updates += 1
    await pacer.deliver(update.revision)
    if let screen {
      screen.figuresAreStale = true
      wantFrame()
    } else {
      await pacer.shown(update.revision)
    }
  }

  /// Keeps what the update changes, for undo.
  private func remember(_ update: Update) async {
    guard scenario.arranges else { return history.remember(table.snapshot, before: update) }
    // What is shown is not what the store has, which is what an undo gives back.
    let list = await store.snapshot
    if let stored, stored != list { history.remember(stored, before: list) }
    stored = list
  }

  /// The first update of a stream as the difference to what the table shows already; nothing if there is none.
  private func continued(_ update: Update) -> Update? {
    guard update.previous == nil, let revision = table.revision else { return update }
    let changes = table.snapshot.changes(to: update.snapshot)
    guard !changes.isEmpty else { return nil }
    return Update(revision: update.revision, previous: revision, changes: changes, snapshot: update.snapshot)
  }

  private static func ending(of error: any Error) -> Ending {
    switch error {
    case SystemError.closed: .outputClosed
    case SystemError.failed(let reason): .failed("the output cannot be written: \(reason)")
    case let error as TableError: .refused("\(error)")
    default: .failed("\(error)")
    }
  }

  /// Does something that may end the session by failing.
  func reportingFailure(_ body: () throws -> Void) {
    do { try body() } catch { end(Self.ending(of: error)) }
  }

  /// Says goodbye: the last line of a recording, the terminal as it was.
  func close(_ ending: Ending, rejected: Int) async {
    await pacer.stop()
    if ending == .outputClosed {
      screen?.leave()
      return
    }
    do {
      try draw()
      screen?.leave()
      isSuspended = true
      try await writeEnd(rejected: rejected)
    } catch {
      screen?.leave()
    }
  }

  private func writeEnd(rejected: Int) async throws {
    let latencies = await pacer.latencies
    var summary = Summary(pool: table.statistics, source: .init(events: await pacer.events, rejected: rejected))
    if let p50 = latencies.percentile(0.5), let p99 = latencies.percentile(0.99) {
      summary.latencyMicroseconds = .init(p50: p50, p99: p99)
    }
    let revision = table.revision ?? 0
    if sink is JSONSink<Group, Item> {
      let line = EndLine(revision: revision, updates: updates, summary: summary)
      return try Platform.write(JSONLine.encode(line), to: Platform.standardOutput)
    }
    let text = (screen?.farewell(table) ?? "") + (options.quiet ? "" : lastWords(summary, revision: revision))
    try Platform.write(text.utf8, to: Platform.standardOutput)
  }

  private func lastWords(_ summary: Summary, revision: Int) -> String {
    let pool = table.totals
    let counts = [(table.snapshot.rowCount, "row"), (updates, "update"), (summary.source.events, "event")]
    var text = "#\(revision) = end: "
    text += counts.map { "\($0) \($1)\($0 == 1 ? "" : "s"), " }.joined()
    text += "\(summary.source.rejected) refused; "
    text += "cells: \(pool.created) created, \(pool.hits) reused, \(pool.discarded) discarded"
    if let latency = summary.latencyMicroseconds { text += "; latency p50 \(latency.p50) µs, p99 \(latency.p99) µs" }
    return text + "\n"
  }
}

import Rowcast
import RowcastConsole

/// One subscriber of a scenario's list, with its table and its sink.
actor Session {
  let store: Store
  let scenario: PreparedScenario
  let options: Options
  let table: RetainedTable<Group, Item>
  let screen: Screen?
  private let pacer: Pacer
  private var sink: any ConsoleSink<Group, Item>
  /// Where an ending is reported that does not come from the stream of updates.
  let end: @Sendable (Ending) -> Void
  private var updates = 0
  private var lastFrame: ContinuousClock.Instant?
  private var frameIsDue = false
  var isSuspended = false
  var history = UndoHistory()
  var prompt: Prompt?
  /// The texts that were last typed, by the key that asks for them.
  var typed: [Key: String] = [:]

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
    var registry = CellRegistry<Item>()
    // Events may name any kind of row; all are shown by lines of text, each kind with its own cells.
    registry.registerFallback(ConsoleCell<Item>.self)
    table = RetainedTable(
      registry: registry, height: screen?.tableHeight ?? options.rows ?? 20, showsHeaders: screen != nil,
      poolCap: options.poolCap)
  }

  private static func logSink() -> LogSink<Group, Item> {
    LogSink { try Platform.write($0.utf8, to: Platform.standardOutput) }
  }

  /// Shows every update until the list is finished, or something else ends the session.
  func run() async -> Ending {
    do {
      try screen?.enter()
      try sink.draw(table)
      for await update in scenario.updates() {
        if screen != nil { history.remember(table.snapshot, before: update) }
        let report = try table.apply(update)
        try sink.show(update, report: report, in: table)
        updates += 1
        await pacer.deliver(update.revision)
        news()
        if updates == options.maxUpdates { return .limitReached }
      }
      return .finished
    } catch {
      return Self.ending(of: error)
    }
  }

  static func ending(of error: any Error) -> Ending {
    switch error {
    case OutputError.closed: .outputClosed
    case OutputError.failed(let reason): .failed("the output cannot be written: \(reason)")
    case let error as TableError: .refused("\(error)")
    default: .failed("\(error)")
    }
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
    guard !options.quiet else { return }
    let pool = table.totals
    var text = screen == nil ? "" : Screen.farewell(table)
    text +=
      "#\(revision) = end: \(table.snapshot.rowCount) rows, \(updates) updates, \(summary.source.events) events, \(rejected) refused; "
    text += "cells: \(pool.created) created, \(pool.hits) reused, \(pool.discarded) discarded"
    if let latency = summary.latencyMicroseconds { text += "; latency p50 \(latency.p50) µs, p99 \(latency.p99) µs" }
    try Platform.write((text + "\n").utf8, to: Platform.standardOutput)
  }
}

// MARK: - Frames

extension Session {
  /// Makes sure that a frame follows soon, and another one when its marks have faded.
  private func news() {
    guard screen != nil else { return }
    guard !frameIsDue else { return }
    frameIsDue = true
    let earliest = lastFrame?.advanced(by: .seconds(1) / options.fps) ?? .now
    Task {
      try? await Task.sleep(until: earliest)
      self.drawDueFrame()
      try? await Task.sleep(for: .milliseconds(1_050))
      self.drawReportingFailure()
    }
  }

  private func drawDueFrame() {
    frameIsDue = false
    drawReportingFailure()
  }

  private func drawReportingFailure() {
    reportingFailure { try draw() }
  }

  func reportingFailure(_ body: () throws -> Void) {
    do { try body() } catch { end(Self.ending(of: error)) }
  }

  func draw() throws {
    guard !isSuspended else { return }
    lastFrame = .now
    try sink.draw(table)
  }

  /// Takes notice of how the sources are doing.
  func handle(_ sources: [SourceReport]) {
    screen?.sources = sources
    news()
  }

  /// Says something on the last line.
  func say(_ text: String?) {
    screen?.message = text
    news()
  }
}

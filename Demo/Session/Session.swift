import Rowcast
import RowcastConsole
import RowcastPlatform

/// One subscriber of a scenario's list: the app that shows it, and what the demo adds.
struct Session {
  let run: ScenarioRun
  let scenario: PreparedScenario
  let output: OutputPlan
  /// Runs the app: in the terminal, unless a test has a screen of its own.
  var start: @Sendable (ConsoleApp<Group, Item>) async throws -> ConsoleEnding = { try await $0.run() }

  private var options: Options { run.options }
  private var pacer: Pacer { run.pacer }

  /// Shows every update until the list is finished, or something else ends the session.
  func show() async throws(ExitError) -> ConsoleEnding {
    let watch = pacer.measuresSteps ? StepWatch() : nil
    let ending: Result<ConsoleEnding, ExitError>
    do { ending = .success(try await start(app(watch))) } catch { ending = .failure(ExitError(error)) }
    await pacer.stop()
    if let watch { await pacer.add(watch.times) }
    return try ending.get()
  }

  /// The keys of the scenario, as its page of help has them.
  var keyHelp: [ScreenStatus.KeyHelp] {
    get throws(KeyClash) { try app(nil).keyHelp }
  }

  private func app(_ watch: StepWatch?) -> ConsoleApp<Group, Item> {
    let columns = scenario.columns
    let cells = columns.isEmpty ? scenario.table.cells() : CellRegistry.allInColumns(columns)
    var app = ConsoleApp(
      updates: scenario.updates, arrangement: scenario.arrangement, list: scenario.list, cells: cells, columns: columns)
    app.title = output.title
    app.keys = scenario.commands
    app.panels = columns.isEmpty ? Set(ScreenPanel.allCases) : []
    app.onEvent = scenario.onEvent
    app.pending = scenario.pending
    app.outline = scenario.outline
    app.selectionMode = scenario.table.selectionMode
    app.followsTail = scenario.table.followsTail
    app.showsArrivalsAtTop = scenario.table.showsArrivalsAtTop
    app.workingRange = scenario.table.workingRange
    app.poolCap = options.poolCap
    app.color = options.color
    app.theme = options.theme
    app.usesMouse = options.usesMouse
    app.isForScreenReader = options.isForScreenReader
    app.framesPerSecond = options.fps
    app.updateLimit = options.maxUpdates
    app.environment = output.environment
    addHooks(to: &app, watch)
    return app
  }

  private func addHooks(to app: inout ConsoleApp<Group, Item>, _ watch: StepWatch?) {
    let pacer = pacer
    app.rowLimit = options.rows
    // A recording has no lines for them.
    let names = output.mode == .json ? [] : run.board.names
    app.sources = names.map { .init($0, statuses: run.board.statuses(of: $0)) }
    app.tableWork = scenario.tableWork
    app.onFrame = { if !pacer.lockstep { await pacer.shown($0) } }
    app.onUpdate = { update in
      // The next update is requested when this one is shown, so the next event may change the list in between.
      await pacer.deliver(update.revision)
    }
    if let watch { app.willApply = { watch.lap(nil) } }
    app.figures = { await pacer.figures }
    app.figureChanges = pacer.eventNotes
    let write: ([UInt8]) throws -> Void = { [write = output.write] bytes in
      watch?.lap(.encode)
      try write(bytes)
      watch?.lap(.write)
    }
    switch output.mode {
    case .tty:
      app.usesScreen = true
      app.timeLimit = options.duration
      if let undo = scenario.undo { (app.onUndo, app.onRedo) = ({ await undo.undo() }, { await undo.redo() }) }
      app.messages = run.diagnostics.notices
    case .log:
      let words = app.hasScreenReader ? AnnouncedChange.english() : nil
      app.sink = Self.sink(LogSink(announcing: words) { try write(Array($0.utf8)) }, watch)
    case .json:
      let keyframes = KeyframePolicy(everyUpdates: options.keyframe)
      app.sink = Self.sink(
        RecordingSink(json: JSONSink(epoch: run.epoch, keyframes: keyframes, write: write), write: write), watch)
    }
    app.lastWords = lastWords
  }

  private static func sink(
    _ sink: some ConsoleSink<Group, Item>, _ watch: StepWatch?
  ) -> any ConsoleSink<Group, Item> {
    if let watch { WatchedSink(base: sink, watch: watch) } else { sink }
  }

  /// The last line: of a recording, or in words.
  @Sendable private func lastWords(_ shown: ConsoleSummary) async -> String? {
    let source = Summary.Sources(events: await pacer.events, rejected: await run.diagnostics.rejected)
    var summary = Summary(pool: shown.cells, source: source)
    let latencies = await pacer.latencies
    if let p50 = latencies.percentile(0.5), let p99 = latencies.percentile(0.99) {
      summary.latencyMicroseconds = .init(p50: p50, p99: p99)
    }
    if output.mode == .json {
      let line = EndLine(
        epoch: run.epoch ?? run.store.epoch, revision: shown.revision, updates: shown.updates, summary: summary)
      return (try? JSONLine.encode(line)).map { String(decoding: $0, as: UTF8.self) }
    }
    guard !options.quiet else { return nil }
    let totals = shown.cells.values.reduce(.init(), +)
    let counts = [(shown.rows, "row"), (shown.updates, "update"), (source.events, "event")]
    var text = "#\(shown.revision) = end: "
    text += counts.map { counted($0, $1) + ", " }.joined()
    text += "\(source.rejected) refused; "
    text += "cells: \(totals.created) created, \(totals.hits) reused, \(totals.discarded) discarded"
    if let latency = summary.latencyMicroseconds { text += "; latency p50 \(latency.p50) µs, p99 \(latency.p99) µs" }
    return text + "\n"
  }
}

/// A sink of JSON that writes the last line of a recording, too.
struct RecordingSink: ConsoleSink {
  var json: JSONSink<Group, Item>
  let write: ([UInt8]) throws -> Void

  mutating func show(_ update: Update, in table: RetainedTable<Group, Item>) throws { try json.show(update, in: table) }
  mutating func write(_ lines: String) throws { try write(Array(lines.utf8)) }
}

extension Session {
  /// Feeds the store and shows it until one of both is over.
  func play() async throws(ExitError) -> ConsoleEnding {
    let (store, pacer) = (run.store, pacer)
    let failure = Task {
      defer { Task { await store.finish() } }
      // In lockstep the list is shown as it is before anything happens to it.
      await pacer.settle(at: await store.revision)
      do { try await scenario.source() } catch { return "\(error)" as String? }
      return nil
    }
    var timer: Task<Bool, Never>?
    if options.isOnce {
      // Nothing is shown before the list is complete.
      await pacer.stop()
      _ = await failure.value
      await store.finish()
    } else if let duration = options.duration {
      timer = Task {
        guard (try? await Task.sleep(for: duration)) != nil else { return false }
        failure.cancel()
        await store.finish()
        return true
      }
    }
    let watch = run.archive.map(stopWhenFailing)
    defer {
      failure.cancel()
      watch?.cancel()
    }
    let ending = try await show()
    failure.cancel()
    timer?.cancel()
    try await run.closeArchive()
    // The stream has ended: the scenario is over, or was told to be by `--duration`.
    if ending == .finished, await timer?.value != true, let reason = await failure.value {
      throw ExitError(description: reason)
    }
    return ending
  }

  /// Ends the list when its file cannot be written: nothing is shown that would be lost.
  private func stopWhenFailing(_ archive: Archive) -> Task<Void, Never> {
    Task { [store = run.store] in
      for await case .failing in archive.statuses { await store.finish() }
    }
  }
}

import Rowcast
import RowcastConsole

/// Why a session ended.
enum Ending: Equatable {
  /// The sources are over and everything was shown.
  case finished
  /// As many updates as were asked for have been shown.
  case limitReached
  /// The person pressed `q`.
  case quit
  /// Nobody reads the output any more.
  case outputClosed
  /// A signal asked for the end.
  case signalled(ConsoleSignal)
  /// The table refused an update.
  case refused(String)
  /// The output could not be written.
  case failed(String)

  var exitCode: Int32 {
    switch self {
    case .finished, .limitReached, .quit, .outputClosed: 0
    case .signalled(let signal): 128 + signal.number
    case .refused: 3
    case .failed: 1
    }
  }
}

/// One subscriber of the store, with its table and its sink.
actor Session {
  private let store: Store
  private let pacer: Pacer
  private let options: Options
  private let table: RetainedTable<Group, Item>
  private let screen: Screen?
  private var sink: any ConsoleSink<Group, Item>
  /// Where an ending is reported that does not come from the stream of updates.
  private let end: @Sendable (Ending) -> Void
  private var updates = 0
  private var lastFrame: ContinuousClock.Instant?
  private var frameIsDue = false
  private var isSuspended = false
  /// The lists before the latest updates, for undo. Each shares with its neighbours what they have in common.
  private var history: [Snapshot] = []
  /// The list that an undo goes back to, until it is shown.
  private var restored: Snapshot?

  init(
    store: Store, pacer: Pacer, options: Options, output: OutputPlan, end: @escaping @Sendable (Ending) -> Void
  ) {
    self.store = store
    self.pacer = pacer
    self.options = options
    self.end = end
    let screen = output.mode == .tty ? Screen(output, options) : nil
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

  /// Shows every update until the store is finished, or something else ends the session.
  func run() async -> Ending {
    do {
      try screen?.enter()
      try sink.draw(table)
      for await update in store.updates() {
        remember(table.snapshot, before: update)
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

  private static func ending(of error: any Error) -> Ending {
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
    do { try draw() } catch { end(Self.ending(of: error)) }
  }

  private func draw() throws {
    guard !isSuspended else { return }
    lastFrame = .now
    try sink.draw(table)
  }
}

// MARK: - Undo

extension Session {
  /// The most lists that undo can go back to.
  private static var historyLimit: Int { 1_000 }

  /// Keeps the list that an update leaves behind, unless the update is an undo itself.
  private func remember(_ list: Snapshot, before update: Update) {
    if update.snapshot == restored {
      restored = nil
    } else if screen != nil, update.previous != nil {
      history.append(list)
      if history.count > Self.historyLimit { history.removeFirst(Self.historyLimit / 2) }
    }
  }

  /// Goes back to the list before the last update that was no undo.
  private func undo() async {
    guard let list = history.popLast() else { return }
    restored = list
    // A finished store stays as it is.
    try? await store.restore(list)
  }
}

// MARK: - Keys and signals

extension Session {
  func handle(_ key: Key) async {
    let page = max(1, table.height - 1)
    do {
      switch key {
      case .character("q"), .character("Q"): return end(.quit)
      case .up, .character("k"): try table.scroll(byLines: -1)
      case .down, .character("j"): try table.scroll(byLines: 1)
      case .pageUp, .character("b"): try table.scroll(byLines: -page)
      case .pageDown, .character(" "): try table.scroll(byLines: page)
      case .home, .character("g"): try table.scroll(toLine: 0)
      case .end, .character("G"): try table.scroll(toLine: table.contentHeight)
      case .character("u"): return await undo()
      case .character("f"):
        table.followsTail.toggle()
        if table.followsTail { try table.scroll(toLine: table.contentHeight) }
      default: return
      }
      try draw()
    } catch {
      end(Self.ending(of: error))
    }
  }

  func handle(_ signal: ConsoleSignal) {
    switch signal {
    case .interrupt, .terminate, .hangUp:
      end(.signalled(signal))
    case .suspend:
      isSuspended = true
      screen?.leave()
      Platform.stopUntilResumed()
    case .resume, .resize:
      guard let screen else { return }
      do {
        isSuspended = false
        try screen.enter()
        screen.measure()
        try table.resize(toHeight: screen.tableHeight)
        try draw()
      } catch {
        end(Self.ending(of: error))
      }
    }
  }
}

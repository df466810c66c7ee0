import RowcastDemoBench
import Rowcast
import RowcastConsole
import RowcastPlatform

/// The cost of events in the whole program: from the bytes of its input to the bytes of its output, both in memory.
///
/// Method: the scenario, its store, its table, its sink and the code that connects them are the command's own. Only the bytes are
/// read from an array and then dropped. Each share is a share of the time from the first byte to the last. Decoding runs beside
/// the other steps, and so does editing without lockstep. Delivering is the time that the task with the table waits.
enum ProgramBenchmarks {
  static let all: [EventBenchmark] = [
    stdin("stdin-json", .json, lockstep: false), stdin("stdin-json-lockstep", .json, lockstep: true),
    stdin("stdin-log", .log, lockstep: false), stdin("stdin-log-lockstep", .log, lockstep: true),
    EventBenchmark(name: "program/replay") {
      let lines = MemoryLines(await recording())
      return await report(on: lines, options(.log, lockstep: false)) { try await $0.replay(lines) }
    },
  ]

  private static let eventCount = 300_000

  private static func stdin(_ name: String, _ mode: Options.Mode, lockstep: Bool) -> EventBenchmark {
    EventBenchmark(name: "program/" + name) {
      let lines = MemoryLines(events())
      return await report(on: lines, options(mode, lockstep: lockstep)) { try await $0.readEvents(from: lines) }
    }
  }

  private static func options(_ mode: Options.Mode, lockstep: Bool) -> Options {
    var options = Options()
    (options.mode, options.lockstep, options.quiet) = (mode, lockstep, true)
    return options
  }

  /// The events: upserts of 50,000 rows in 20 sections.
  private static func events() -> [UInt8] {
    var random = SplitMix64(seed: 1)
    var bytes: [UInt8] = []
    for number in 0..<eventCount {
      let row = Int.random(in: 0..<50_000, using: &random)
      bytes += #"{"op":"upsert","id":"row-\#(row)","section":"s\#(row % 20)","title":"Title \#(number)","#.utf8
      bytes += "\"subtitle\":\"#\(row)\"}\n".utf8
    }
    return bytes
  }

  /// What `--json` writes for the events, with a message for each.
  private static func recording() async -> [UInt8] {
    let lines = MemoryLines(events())
    let (messages, recorder) = AsyncStream.makeStream(of: [UInt8].self)
    _ = await report(on: lines, options(.json, lockstep: true), writing: { recorder.yield($0) }) {
      try await $0.readEvents(from: lines)
    }
    recorder.finish()
    var bytes: [UInt8] = []
    for await message in messages { bytes += message }
    return bytes
  }

  /// Plays a scenario on lines in memory.
  private static func report(
    on lines: MemoryLines, _ options: Options, writing write: @escaping @Sendable ([UInt8]) -> Void = { _ in },
    playing source: @escaping @Sendable (ScenarioRun) async throws -> Void
  ) async -> EventReport {
    let run = ScenarioRun(
      options: options, store: Store(), pacer: Pacer(lockstep: options.lockstep, measuresSteps: true),
      diagnostics: Diagnostics(isQuiet: true, isDeferred: false), board: SourceBoard(), hasKeys: false)
    var output = OutputPlan(options, scenario: .stdin, environment: [:])
    output.write = { write($0) }
    let (start, before) = (ContinuousClock.now, voluntarySwitches())
    let ending = try? await Session(run: run, scenario: run.showing { try await source(run) }, output: output).play()
    let total = start.duration(to: .now)
    let wakeUps = before.flatMap { before in voluntarySwitches().map { Double($0 - before) } }
    guard ending == .finished else { Platform.exit(1) }
    var steps = await run.pacer.steps
    let others: [ProgramStep] = options.lockstep ? [.edit, .apply, .encode, .write] : [.apply, .encode, .write]
    steps[.deliver] = total - others.reduce(.zero) { $0 + (steps[$1] ?? .zero) }
    let tenths = await lines.marks.tenths
    let events = await run.pacer.events
    func perSecond(_ events: Int, _ duration: Duration) -> EventReport.Figure {
      .count(Int(Double(events) / duration.nanoseconds * 1e9))
    }
    return EventReport(
      [
        ("events", .count(events)), ("events_per_second", perSecond(events, total)),
        ("first_tenth_per_second", perSecond(events / 10, tenths[0].duration(to: tenths[1]))),
        ("last_tenth_per_second", perSecond(events / 10, tenths[9].duration(to: tenths[10]))),
      ] + (wakeUps.map { [("wake_ups_per_event", .ratio($0 / Double(events)))] } ?? [])
        + ProgramStep.allCases.map { ("\($0)_share", .ratio((steps[$0] ?? .zero) / total)) }
        + [
          ("memory_half_kb", .optional(await lines.marks.memory[5])),
          ("memory_end_kb", .optional(await lines.marks.memory[10])),
        ])
  }
}

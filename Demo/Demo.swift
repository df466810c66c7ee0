import Foundation
import Rowcast
import RowcastConsole
import RowcastPlatform

/// The command `demo`.
@main
struct Demo {
  static func main() async {
    Platform.ignoreBrokenPipe()
    let options: Options
    do {
      options = try Options(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Diagnostics.write(error.description)
      Platform.exit(2)
    }
    if options.help { print(Help.text) }
    if options.version { print(Help.version) }
    if options.list { print(Help.list) }
    Platform.exit(await run(options, environment: ProcessInfo.processInfo.environment))
  }

  private static func print(_ text: String) -> Never {
    do {
      try Platform.write((text.hasSuffix("\n") ? text : text + "\n").utf8, to: Platform.standardOutput)
      Platform.exit(0)
    } catch {
      Platform.exit(error == .closed ? 0 : 1)
    }
  }

  /// Runs a scenario until it is over, and gives back the exit code.
  private static func run(_ options: Options, environment: [String: String]) async -> Int32 {
    let scenario = options.scenario.flatMap(Scenario.init) ?? .feed
    if scenario == .bench { return await Bench.run(filter: options.filter, json: options.mode == .json) }
    if let output = options.html { return await PageCommand.run(options, to: output) }
    let plan = OutputPlan(options, scenario: scenario, environment: environment)
    let store = Store()
    let pacer = Pacer(lockstep: options.lockstep)
    let diagnostics = Diagnostics(isQuiet: options.quiet, isDeferred: plan.mode == .tty)
    let board = SourceBoard()
    let run = ScenarioRun(
      options: options, store: store, pacer: pacer, diagnostics: diagnostics, board: board, hasKeys: plan.keys != nil)
    let prepared: PreparedScenario
    do {
      prepared = try run.prepare(scenario)
    } catch {
      Diagnostics.write(error.description)
      return error.exitCode
    }

    let (endings, channel) = AsyncStream.makeStream(of: Ending.self)
    let session = Session(
      store: store, scenario: prepared, pacer: pacer, options: options, output: plan, end: { channel.yield($0) })
    watchSignals(plan, session)
    if let keys = plan.keys { watchKeys(keys, session) }
    if plan.mode == .tty { Platform.restoreTerminalOnCrash() }
    Task { for await sources in board.changes { await session.handle(sources) } }
    let failure = Task {
      defer { Task { await store.finish() } }
      // In lockstep the list is shown as it is before anything happens to it.
      await pacer.settle(at: await store.revision)
      do { try await prepared.source() } catch { return "\(error)" as String? }
      return nil
    }
    if let duration = options.duration {
      Task {
        try? await Task.sleep(for: duration)
        failure.cancel()
        await store.finish()
        await session.endPause()
      }
    }
    if let results = prepared.results { Task { for await result in results { await session.deliver(result) } } }
    Task { channel.yield(await session.run()) }

    var ending = Ending.finished
    for await first in endings {
      ending = first
      break
    }
    failure.cancel()
    await session.close(ending, rejected: diagnostics.rejected)
    await diagnostics.flush()
    switch ending {
    case .refused(let reason), .failed(let reason): Diagnostics.write(reason)
    case .finished:
      // The stream has ended: the scenario is over, or was told to be by `--duration`.
      if options.duration == nil, let reason = await failure.value {
        Diagnostics.write(reason)
        return 1
      }
    default: break
    }
    return ending.exitCode
  }

  private static func watchSignals(_ plan: OutputPlan, _ session: Session) {
    let signals =
      plan.mode == .tty
      ? SignalWatcher(ConsoleSignal.allCases, always: [.interrupt, .terminate])
      : SignalWatcher([.interrupt, .terminate, .hangUp])
    Task { for try await signal in signals { await session.handle(signal) } }
  }

  private static func watchKeys(_ descriptor: Int32, _ session: Session) {
    Task {
      for try await bytes in InputBytes(descriptor: descriptor, capacity: 256) {
        for key in Key.parse(bytes) { await session.handle(key) }
      }
    }
  }
}

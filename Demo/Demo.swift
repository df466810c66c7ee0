import DemoBench
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

    let session = Session(
      store: store, scenario: prepared, pacer: pacer, options: options, output: plan, diagnostics: diagnostics,
      board: board)
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
      }
    }
    let ending = await session.run()
    failure.cancel()
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
}

import RowcastDemoBench
import RowcastDemoListBench
import RowcastDemoViewBench
import Foundation
import Rowcast
import RowcastConsole
import RowcastPlatform
import RowcastTerminal

/// The command `demo`.
@main
struct Demo {
  static func main() async {
    Platform.fillStandardDescriptors()
    Platform.ignoreBrokenPipe()
    let options: Options
    do {
      options = try Options(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Diagnostics.write(error.description)
      Platform.exit(2)
    }
    if options.help { print(Help.text(for: options.scenario.flatMap(Scenario.init))) }
    if options.version { print(Help.version) }
    if options.list { print(Help.list) }
    Platform.exit(await run(options, environment: ProcessInfo.processInfo.environment))
  }

  private static func print(_ text: String) -> Never {
    do {
      try Platform.write((text.hasSuffix("\n") ? text : text + "\n").utf8, to: Platform.standardOutput)
      Platform.exit(0)
    } catch {
      if error == .closed { Platform.exit(0) }
      Diagnostics.write("the output cannot be written: \(error)")
      Platform.exit(1)
    }
  }

  /// Runs a scenario until it is over, and gives back the exit code.
  private static func run(_ options: Options, environment: [String: String]) async -> Int32 {
    let scenario = options.scenario.flatMap(Scenario.init) ?? .feed
    if scenario == .bench {
      let groups = ListBenchmarks.groups + ViewBenchmarks.groups + [.events(ProgramBenchmarks.all)]
      return await Bench.run(groups, filter: options.filter, json: options.mode == .json)
    }
    if options.serves { return await ServeCommand.run(options) }
    if let output = options.html { return await PageCommand.run(options, to: output) }
    let plan = OutputPlan(options, scenario: scenario, environment: environment)
    // Without descriptors the first timer, such as a source's, ends the process with a trap in Dispatch.
    guard Platform.hasFreeDescriptors(plan.mode == .tty ? 16 : 8) else {
      Diagnostics.write("too many open files: allow more, as with `ulimit -n 256`")
      return 1
    }
    let diagnostics = Diagnostics(
      isQuiet: options.quiet, isDeferred: plan.mode == .tty, showsProgress: plan.showsProgress)
    do {
      let archive = try options.openArchive()
      let run = ScenarioRun(
        options: options, store: archive?.store ?? Store(), archive: archive?.file,
        pacer: Pacer(lockstep: options.lockstep), diagnostics: diagnostics,
        board: SourceBoard(options.sourceNames(of: scenario)),
        hasKeys: plan.hasKeys)
      let ending = try await Session(run: run, scenario: run.prepare(scenario), output: plan).play()
      await diagnostics.flush()
      return ending.exitCode
    } catch {
      await diagnostics.flush()
      Diagnostics.write(error.description)
      return error.exitCode
    }
  }
}

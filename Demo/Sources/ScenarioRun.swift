import Foundation
import Rowcast
import RowcastConsole

/// Everything that a scenario works with.
struct ScenarioRun: Sendable {
  var options: Options
  let store: Store
  /// The file of the store's list, if it has one.
  var archive: Archive?
  let pacer: Pacer
  let diagnostics: Diagnostics
  let board: SourceBoard
  /// Whether there is a person with a keyboard.
  let hasKeys: Bool
  /// Takes edits of the store back, if the person may.
  var undo: ListUndo<Group, Item>?
  /// What is made of the store's list, if that is what is shown.
  var arranged: (any LiveList<Group, Item>)?
  /// What is shown.
  var shown: any LiveList<Group, Item> { arranged ?? store }

  /// Prepares a scenario; what is missing is found before anything is shown.
  func prepare(_ scenario: Scenario) throws(ExitError) -> PreparedScenario {
    switch scenario {
    case .feed where archive != nil && options.mode == .json:
      // The output has the revisions of the file.
      return showing { await Feed(self).run() }
    case .feed:
      let plan = Parameter(Arrangement<Group, Item, Group, Item>())
      let list = store.arrangedToTheEnd(by: plan)
      let arranging = ListArranging(
        plan,
        orders: [
          ("by title from A to Z", .ascending(\.title)), ("by title from Z to A", .descending(\.title)),
          ("by second column", .ascending { $0.subtitle ?? "" }),
        ])
      var run = self
      (run.arranged, run.undo) = (list, hasKeys ? ListUndo(store) : nil)
      return PreparedScenario(
        source: { [run] in await Feed(run).run() }, updates: { list.updates() }, arranges: true,
        commands: arranging.commands, undo: run.undo)
    case .stdin:
      let descriptor = try options.standardInput(for: "stdin")
      return preparingEvents { try await $0.readEvents(from: FileLines(descriptor: descriptor)) }
    case .replay:
      let descriptor = try options.openRecording()
      return showing { try await replay(descriptor) }
    case .tail:
      let log = try options.log()
      var scenario = showing { try await tail(log) }
      scenario.table.followsTail = options.newest == .last
      return scenario
    case .ps:
      guard ProcessList.isAvailable else {
        throw ExitError(description: "ps reads /proc, which this system does not have")
      }
      return prepareProcesses()
    case .chat: return prepareChat()
    case .settings: return prepareSettings()
    case .profile: return try prepareProfile()
    case .files: return try prepareFiles()
    case .orders: return prepareOrders()
    case .bench, .serve: preconditionFailure("\(scenario) has no list to show")
    }
  }

  /// Keys, or the mouse, and what they do.
  typealias KeyLine = (name: String, text: String)

  /// The keys of a scenario on a terminal, and the mouse; `nil` if it shows no list.
  static func keys(of scenario: Scenario) -> [KeyLine]? {
    var options = Options()
    (options.scenario, options.mode) = (scenario.rawValue, .tty)
    let run = ScenarioRun(
      options: options, store: Store(), pacer: Pacer(lockstep: false),
      diagnostics: Diagnostics(isQuiet: true, isDeferred: true),
      board: SourceBoard(), hasKeys: true)
    let prepared: PreparedScenario?
    switch scenario {
    case .bench, .serve: return nil
    // They need no file for their keys.
    case .stdin: prepared = run.preparingEvents { _ in }
    case .tail, .replay, .profile: prepared = run.showing {}
    case .files:
      options.operand = "."
      var run = run
      run.options = options
      prepared = try? run.prepare(.files)
    case .feed, .ps, .chat, .settings, .orders: prepared = try? run.prepare(scenario)
    }
    let output = OutputPlan(options, scenario: scenario, environment: [:])
    return prepared.flatMap { prepared in
      let keys = try? Session(run: run, scenario: prepared, output: output).keyHelp
      return keys.map { $0.map { ($0.key, $0.explanation) } + prepared.mouse }
    }
  }

  /// A scenario that shows the store as it is. If the store has a file, each change is in it before other programs read it.
  func showing(_ source: @escaping PreparedScenario.Source) -> PreparedScenario {
    if options.mode == .json, let archive { return PreparedScenario(source: source, updates: { archive.updates() }) }
    return PreparedScenario(source: source, updates: { store.updates() })
  }

  /// The epoch of the list; `nil` if the list has a file: each update then has the file's.
  var epoch: String? { archive == nil ? options.epoch : nil }

  /// Attaches a source to the store and waits for its end. With a name, the screen shows how it is doing.
  func attach<Base: AsyncSequence & Sendable & SendableMetatype>(
    _ base: Base, reportedAs name: String? = nil, coalescing: Coalescing = .none,
    onRejection: @escaping @Sendable (Base.Element, any Error) async -> RejectionResponse,
    apply: @escaping @Sendable (inout Editor, Base.Element) throws -> Void
  ) async throws where Base.Element: Sendable, Base.AsyncIterator: SendableMetatype {
    let paced = Paced(base: base, shown: shown, pacer: pacer, undo: undo, readsAhead: true)
    // In lockstep no event may be passed over.
    let binding = store.attach(
      coalescing: options.lockstep ? .none : coalescing, from: { paced }, onRejection: onRejection, apply: apply)
    await follow([(name: name, binding: binding)])
    if case .failed(let error) = await binding.outcome, !(error is ListStoreError) { throw options.naming(error) }
  }

  /// Waits for the end of sources that were attached, and tells the screen how those with a name are doing.
  func follow(_ sources: [(name: String?, binding: SourceBinding)]) async {
    await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        for (name, binding) in sources {
          group.addTask {
            for await status in binding.statuses { if let name { board.report(name, status) } }
          }
        }
      }
    } onCancel: {
      for source in sources { source.binding.cancel() }
    }
    // The output must not end before the last event was shown.
    await pacer.settle(at: await shown.revision)
  }
}

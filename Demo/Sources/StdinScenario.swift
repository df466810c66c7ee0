import Rowcast
import RowcastConsole

extension ScenarioRun {
  /// A scenario of events. The person may undo them, unless a later event that then no longer fits would end the program.
  func preparingEvents(_ read: @escaping @Sendable (ScenarioRun) async throws -> Void) -> PreparedScenario {
    var run = self
    if hasKeys, !options.strictInput { run.undo = ListUndo(store) }
    var scenario = showing { [run] in try await read(run) }
    scenario.undo = run.undo
    return scenario
  }

  /// Applies one event a line; a bad line is reported and changes nothing.
  func readEvents<Lines: AsyncSequence & Sendable & SendableMetatype>(from lines: Lines) async throws
  where Lines.Element == TextLine, Lines.AsyncIterator: SendableMetatype {
    let events = lines.compactMap { line in
      JSONLines.value(Event.self, on: line).map { (number: line.number, event: $0) }
    }
    let isStrict = options.strictInput
    let diagnostics = diagnostics
    try await attach(events) { line, error in
      if isStrict { return .stop }
      await diagnostics.reject("\(error)")
      return .proceed
    } apply: { list, line in
      do {
        try line.event.get().apply(to: &list)
      } catch let error as BadLine {
        throw error
      } catch {
        throw BadLine(number: line.number, reason: "\(error)")
      }
    }
  }
}

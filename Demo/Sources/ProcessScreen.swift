import Rowcast
import RowcastConsole
import RowcastPlatform
import RowcastTerminal

extension ScenarioRun {
  /// The processes: on a screen in columns, with sums, and keys that end the focused one.
  func prepareProcesses() -> PreparedScenario {
    guard hasKeys || options.tree else { return showing { try await watchProcesses() } }
    let expansion = OutlineExpansion<Item.ID>(depth: options.expand ?? .max)
    // With keys the screen makes the tree.
    let plan = Parameter(Arrangement<Group, Item, Group, Item>())
    let list =
      hasKeys
      ? store.arrangedToTheEnd(by: plan)
      : store.arranged {
        $0.outlined(parent: { $0.place?.parent }, expansion: expansion) { $0.placed(at: $1) }
      }
    var run = self
    run.arranged = list
    let source: PreparedScenario.Source = { [run] in try await run.watchProcesses() }
    guard hasKeys else {
      return PreparedScenario(source: source, updates: { list.updates() }, arranges: true, served: list)
    }
    return PreparedScenario(
      source: source, updates: { list.updates() }, arranges: true, arrangement: plan,
      columns: [
        ConsoleColumn("PID", width: 7, .trailing) { Int($0.figure(0)) },
        ConsoleColumn("CPU %", width: 6, .trailing) { $0.figure(1) },
        ConsoleColumn("MB", width: 7, .trailing) { Int($0.figure(2)) }, ConsoleColumn("NAME", width: 40) { $0.title },
      ],
      outline: options.tree ? ConsoleOutline(\.outlinePlace, expansion: expansion) : nil,
      commands: [
        Self.ending("t", label: "end", help: "ask the focused process to end", isForced: false),
        Self.ending("K", label: "kill", help: "end the focused process at once", isForced: true),
      ], list: list)
  }

  private static func ending(_ key: Key, label: String, help: String, isForced: Bool) -> KeyCommand<Item.ID> {
    KeyCommand(key, label: label, help: help, asking: { "\(label) process \($0.prefix { $0 != "-" })?" }) { id in
      // Its number may be another one's by now.
      guard let pid = Int(id.prefix { $0 != "-" }), ProcessList.entry(pid)?.id == id else {
        return "it has ended already"
      }
      do { try Platform.end(process: pid, isForced: isForced) } catch { return "process \(pid): \(error)" }
      return nil
    }
  }
}

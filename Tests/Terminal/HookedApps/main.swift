// Apps as a user would write them, built against the public interface: with hooks, and several in one process.
import Foundation
import Rowcast
import RowcastConsole

struct Fruit: ConsoleRow {
  let id: Int
  var title: String
  var subtitle: String? { nil }
}

/// A list, and a program that continues after it.
func showList() async throws {
  // A program that uses this signal gets it back when the app has ended.
  signal(SIGHUP, SIG_IGN)
  let store = try ListStore((0..<30).map { Fruit(id: $0, title: "fruit \($0)") })
  var registry = CellRegistry<Fruit>()
  registry.register(ConsoleCell<Fruit>.self)
  print("ended: \(try await ConsoleApp(store, cells: registry).run())")
  // What follows has the terminal and the signals for itself.
  while let line = readLine() { print("read \(line)") }
}

/// A key for each way in which an app's own code can end the process.
func showKeys() async throws {
  let store = try ListStore((0..<3).map { Fruit(id: $0, title: "fruit \($0)") })
  @Sendable func depth(_ number: Int) -> Int { number == 0 ? 0 : 1 + depth(number + 1) }
  var app = ConsoleApp(
    store, columns: [ConsoleColumn("NAME", width: 20) { $0.id < 100 ? $0.title : "\(depth($0.id))" }])
  app.keys = [
    KeyCommand("x", label: "exit", help: "exit") { _ in exit(3) },
    KeyCommand("r", label: "recurse", help: "recurse for ever") { "\(depth($0 ?? 1))" },
    KeyCommand("i", label: "index", help: "trap") { id in "\([id].dropFirst(id.map { $0 + 9 } ?? 9)[9] ?? 0)" },
    KeyCommand("c", label: "cell", help: "have a cell recurse for ever") { _ in
      try? await store.edit { try $0.append(Fruit(id: 100, title: ""), to: 0) }
      return nil
    },
  ]
  print("ended: \(try await app.run())")
  while let line = readLine() { print("read \(line)") }
}

/// Runs an app several times in one process.
func runAgain() async throws {
  let store = try ListStore([Fruit(id: 1, title: "fruit 1")])
  for run in 1...3 {
    var app = ConsoleApp(store, columns: [ConsoleColumn("NAME", width: 20) { $0.title }])
    app.title = "run \(run)"
    print("ended \(run): \(try await app.run())")
  }
  while let line = readLine() { print("read \(line)") }
}

switch CommandLine.arguments.last {
case "keys": try await showKeys()
case "again": try await runAgain()
default: try await showList()
}

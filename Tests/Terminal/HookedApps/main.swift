// Apps as somebody else would write them, built against what is public: one with hooks, one with a loop of its own.
import Foundation
import Rowcast
import RowcastConsole

struct Fruit: ConsoleRow {
  let id: Int
  var title: String
  var subtitle: String? { nil }
}

/// A list of pages: the end of it loads more, and Enter marks a row.
func showPages() async throws {
  // Somebody who has a use for this signal gets it back when the app has ended.
  signal(SIGHUP, SIG_IGN)
  let store = try ListStore((0..<30).map { Fruit(id: $0, title: "fruit \($0)") })
  var registry = CellRegistry<Fruit>()
  registry.register(ConsoleCell<Fruit>.self)
  var app = ConsoleApp(store, cells: registry)
  app.onSelect = { row in try? await store.edit { try $0.update(row.id) { $0.title = "marked \(row.id)" } } }
  app.onEvent = { event in
    guard case .reachedEnd = event else { return }
    try? await store.edit { list in
      let count = list.snapshot.rowCount
      try list.append(contentsOf: (count..<count + 30).map { Fruit(id: $0, title: "fruit \($0)") }, to: 0)
    }
  }
  print("ended: \(try await app.run())")
  // What follows has the terminal and the signals for itself.
  while let line = readLine() { print("read \(line)") }
}

/// Shows the last key and the size of the terminal until `q` or a signal.
func runLoop() async throws {
  guard let terminal = Terminal() else { return print("no terminal") }
  enum Event { case key(Key), signal(ConsoleSignal) }
  let (events, send) = AsyncStream.makeStream(of: Event.self)
  let watcher = SignalWatcher([.terminate, .resize])
  try terminal.enter()
  let (keys, signals) = (terminal.keys, watcher)
  let producers = [
    Task { for try await key in keys { send.yield(.key(key)) } },
    Task { for try await signal in signals { send.yield(.signal(signal)) } },
  ]
  var (shown, text): (Frame?, String) = (nil, "no key")
  func draw() throws {
    let size = terminal.size
    let line = StyledLine("\(text), \(size.columns) by \(size.lines)", .strong, columns: size.columns)
    let frame = Frame(size: size, lines: [.init(line)])
    try terminal.write(frame.sequences(from: shown, theme: .plain))
    shown = frame
  }
  try draw()
  for await event in events {
    switch event {
    case .key("q"), .signal(.terminate): send.finish()
    case .key(let key): text = key.name
    case .signal: break
    }
    try draw()
  }
  for producer in producers { producer.cancel() }
  watcher.release()
  terminal.leave()
  print("ended after \(text)")
  while let line = readLine() { print("read \(line)") }
}

if CommandLine.arguments.last == "loop" { try await runLoop() } else { try await showPages() }

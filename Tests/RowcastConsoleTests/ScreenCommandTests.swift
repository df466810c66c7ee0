import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTable
import RowcastTestSupport
import RowcastTesting
import RowcastViews
import Testing

@testable import RowcastConsole

/// The commands of an app: their keys, the palette, questions, and work that takes long.
@Suite(.watched) struct ScreenCommandTests {
  @Test func `an app gives actions other keys, and more of them`() async throws {
    try await onScreen(
      .rows(3),
      { app in
        app.actionKeys[.down] = ConsoleAction.down.defaultKeys + ["x"]
        app.actionKeys[.quit] = [.control("q")]
        app.keys = [KeyCommand("k", "K", label: "kick", help: "kick the row") { "kicked \($0 ?? 0)" }]
      }
    ) { screen in
      try await screen.press("x", "j", "q")
      try await screen.expect("▸      2  row 2", fromLine: 3, count: 1)
      for key in ["k", "K"] as [Key] {
        try await screen.press(key)
        try await screen.expect("kicked 2", fromLine: 7)
      }
      try await screen.press("?")
      try await screen.expect("the keys of the app") {
        $0.contains { $0.contains("k K") && $0.contains("kick the row") }
      }
      try await screen.press("x", .control("q"))
      #expect(await screen.ending == .quit)
    }
  }

  @Test func `two commands with one key are an error that names both`() async throws {
    let store = try TestStore.rows(1)
    func clash(_ change: (inout TestApp) -> Void) async throws -> KeyClash? {
      var app = testApp(store)
      change(&app)
      do { _ = try await ConsoleScreen.show(app) { _ in } } catch let error as KeyClash { return error }
      return nil
    }
    let kick = KeyCommand<Int>("k", label: "kick", help: "") { _ in nil }
    let keep = KeyCommand<Int>("x", "k", label: "keep", help: "") { _ in nil }
    #expect(try await clash { $0.keys = [kick, keep] } == KeyClash(key: "k", commands: ["kick", "keep"]))
    #expect(
      try await clash {
        $0.keys = [kick]
        $0.actionKeys[.nextHit] = ["k"]
      }?.description == "the key k has two commands: \"kick\" and \"next hit\"")
    #expect(try await clash { $0.keys = [kick] } == nil, "a default key gives way")
  }

  @Test func `no two actions have one default key, and each has a key, a name and a text`() throws {
    // In an outline another action has the key of this one.
    let all = ConsoleAction.allCases.filter { $0 != .select }
    let actions = Dictionary(uniqueKeysWithValues: all.map { ($0, KeyCommand<Int>?.none) })
    let table = try CommandTable<Int>(own: [], actions: actions, keys: [:])
    for (index, command) in table.commands.enumerated() {
      #expect(!command.keys.isEmpty && command.keys.allSatisfy { table[$0] == index }, "\(command.name)")
      #expect(!command.name.isEmpty && !command.help.isEmpty)
    }
  }

  @Test func `the palette lists all commands, and runs the one that a few letters choose`() async throws {
    try await onScreen(
      try .rows(50), lines: 30,
      { app in
        app.keys = [KeyCommand(label: "make tea", help: "has no key") { _ in "tea is ready" }]
      }
    ) { screen in
      try await screen.press(":")
      try await screen.expect("all commands") { lines in
        ["quit", "make tea", "next hit"].allSatisfy { word in lines.contains { $0.contains(word) } }
      }
      try await screen.type("pgd")
      try await screen.expect(
        "▸ page down  PgDn space  a page up and down\n  page up    PgUp b      a page up and down", fromLine: 27,
        count: 2)
      try await screen.press(.enter)
      try await screen.expect("another page") { $0[0].hasSuffix("lines 25–51 of 51") }
      try await screen.press(.control("p"))
      try await screen.type("tea")
      try await screen.press(.enter)
      try await screen.expect("tea is ready", fromLine: 29)
      try await screen.press(":", "x", "y", "z", "q", .enter)
      #expect(await screen.ending == nil)
      try await screen.press(":", .down, .up, .up, .enter)
      #expect(await screen.ending == .quit)
    }
  }

  @Test(arguments: [
    ("", "quit", 0), ("pd", "page down", 1), ("page", "page down", 0), ("xq", "quit", nil), ("PAGE d", "page down", 0),
    ("hit", "next hit", 2), ("a", "alpha beta", 0),
  ])
  func `letters that are in a name in their order match it`(text: String, name: String, rank: Int?) {
    let found = FuzzyMatch.rank(of: text, in: name)
    #expect(found == rank)
  }

  @Test func `a match at the beginning of words comes before one in their middle`() throws {
    let own = ["stop", "next top", "to pin"].map { KeyCommand<Int>(label: $0, help: "") { _ in nil } }
    let table = try CommandTable<Int>(own: own, actions: [:], keys: [:])
    #expect(table.matches("top").map { $0.help.label } == ["to pin", "stop", "next top"])
  }

  @Test func `work that takes long is shown until it ends, and holds up nothing else`() async throws {
    let gate = Gate()
    try await onScreen(
      .rows(3),
      { app in
        app.keys = [
          KeyCommand("w", label: "wait", help: "") { _ in
            await gate.pass()
            return "done"
          }
        ]
        app.onEvent = { event in if case .selected = event { await gate.pass() } }
      }
    ) { screen in
      try await screen.press("j", .enter, "w")
      #expect(await screen.lines[0].hasPrefix("test    "))
      try await screen.advance(by: .milliseconds(300))
      try await screen.expect("both") { $0[0].hasPrefix("test  running: onEvent, wait") }
      try await screen.press("j")
      try await screen.expect("▸      2  row 2", fromLine: 3, count: 1)
      await gate.open()
      try await screen.expect("nothing that runs") { $0[0].hasPrefix("test    ") && $0[7] == "done" }
    }
  }

  @Test func `messages of several commands are shown together, until the next key`() async throws {
    let (first, second) = (Gate(), Gate())
    try await onScreen(
      .rows(3),
      { app in
        app.keys = [("a", first, "one is refused"), ("b", second, "two is refused")].map { key, gate, text in
          KeyCommand(Key.character(key), label: "ask", help: "ask the server") { _ in
            await gate.pass()
            return text
          }
        }
      }
    ) { screen in
      try await screen.press("a", "b")
      await first.open()
      try await screen.expect("one is refused", fromLine: 7)
      await second.open()
      try await screen.expect("two is refused · one is refused", fromLine: 7)
      try await screen.press("a")
      try await screen.expect("one is refused", fromLine: 7)
    }
  }

  @Test func `an action with a question waits for the answer, and for a row`() async throws {
    let store = try TestStore.rows(3)
    try await onScreen(
      store,
      { app in
        app.keys = [
          KeyCommand("d", label: "delete", help: "", asking: { "delete row \($0)?" }) { id in
            _ = try? await store.edit { try $0.remove(id) }
            return "deleted \(id)"
          }
        ]
      }
    ) { screen in
      try await screen.press("d")
      try await screen.expect("no row is focused", fromLine: 7)
      for answer in ["n", .escape, .enter, "d"] as [Key] {
        try await screen.press("j", "d")
        try await screen.expect("delete row", within: .zero) { $0[7].hasPrefix("delete row ") }
        try await screen.press(answer)
        try await screen.expect("the keys again") { $0[7].hasPrefix("q quit") }
      }
      #expect(await store.snapshot.rowCount == 3)
      try await screen.press("d", "y")
      try await screen.expect("deleted 3", fromLine: 7)
      #expect(await store.snapshot.rowCount == 2)
    }
  }
}

import Foundation
import Testing

@testable import RowcastConsole

/// The commands of an app: their keys, the palette, questions, and work that takes long.
@Suite(.watched) struct ScreenCommandTests {
  private typealias Command = KeyCommand<Int>

  // MARK: - Keys

  @Test func `an app gives actions other keys, and more of them`() async throws {
    let kick = Command("k", "K", label: "kick", help: "kick the row") { "kicked \($0 ?? 0)" }
    try await onScreen(
      .rows(3),
      { app in
        app.actionKeys[.down] = ConsoleAction.down.defaultKeys + ["x"]
        app.actionKeys[.quit] = [.control("q")]
        app.keys = [kick]
      }
    ) { screen in
      try await screen.press("x", "j", "q", shows: "▸      2  row 2", at: 3)
      for key in ["k", "K"] as [Key] {
        try await screen.press(key, shows: "kicked 2", at: 7)
      }
      try await screen.press("?")
      try await screen.expect("its keys") { $0.contains { $0.contains("k K") && $0.contains("kick the row") } }
      try await screen.press("x", .control("q"))
      #expect(await screen.ending == .quit)
    }
  }

  @Test func `two commands with one key are an error that names both`() async throws {
    func clash(_ keys: [Command], _ actionKeys: [ConsoleAction: [Key]] = [:]) async throws -> KeyClash? {
      do {
        try await onScreen(.rows(1), { ($0.keys, $0.actionKeys) = (keys, actionKeys) }) { _ in }
        return nil
      } catch let error as KeyClash {
        return error
      }
    }
    let kick = Command("k", label: "kick", help: "") { _ in nil }
    let keep = Command("x", "k", label: "keep", help: "") { _ in nil }
    #expect(try await clash([kick, keep]) == KeyClash(key: "k", commands: ["kick", "keep"]))
    let description = try await clash([kick], [.nextHit: ["k"]])?.description
    #expect(description == "the key k has two commands: \"kick\" and \"next hit\"")
    #expect(try await clash([kick]) == nil, "a default key gives way")
  }

  @Test func `no two actions have one default key, and each has a key, a name and a text`() throws {
    // In an outline another action has the key of this one.
    let table = try CommandTable<Int>(own: [], actions: ConsoleAction.allCases.filter { $0 != .select })
    for (index, command) in table.commands.enumerated() {
      #expect(!command.keys.isEmpty && command.keys.allSatisfy { table[$0] == index }, "\(command.name)")
      #expect(!command.name.isEmpty && !command.help.isEmpty)
    }
  }

  @Test func `the article's table names each action with its keys`() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(
      contentsOf: package.appendingPathComponent("Sources/Rowcast/Rowcast.docc/TerminalApps.md"), encoding: .utf8)
    var documented: [String: String] = [:]
    for line in page.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let names = cells[0].split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
      let keys = names.count == 1 ? [cells[1]] : cells[1].components(separatedBy: ", ")
      for (name, keys) in zip(names, keys) { documented[name] = keys }
    }
    let actions = ConsoleAction.allCases
    for action in actions {
      #expect(documented["\(action)"] == action.defaultKeys.map(\.name).joined(separator: " "), "\(action)")
    }
    #expect(documented.count == actions.count)
  }

  // MARK: - The palette

  @Test func `the palette lists all commands, and runs the one that a few letters choose`() async throws {
    let tea = Command(label: "make tea", help: "has no key") { _ in "tea is ready" }
    try await onScreen(.rows(50), lines: 30, { $0.keys = [tea] }) { screen in
      try await screen.press(":")
      try await screen.expect("all commands") { lines in
        ["help", "make tea", "next hit"].allSatisfy { word in lines.contains { $0.contains(word) } }
      }
      try await screen.type("pgdn")
      try await screen.expect(
        "▸ page down  PgDn space  a page up and down\n  page up    PgUp b      a page up and down", fromLine: 27,
        count: 2)
      try await screen.press(.enter)
      try await screen.expect("another page") { $0[0].hasSuffix("lines 25–51 of 51") }
      try await screen.press(.control("p"), "t", "e", "a", .enter, shows: "tea is ready", at: 29)
      try await screen.press(":", "x", "y", "z", "q", .enter)
      #expect(await screen.ending == nil)
      try await screen.press(":", .down, .up, .up, .enter)
      try await screen.expect("the help") { $0.contains { $0.hasPrefix("Keys") } }
      try await screen.press("?", ":", "q", "u", "i", .enter)
      #expect(await screen.ending == .quit)
    }
  }

  @Test func `the command that ends the app is the last of the palette, which runs the first`() async throws {
    try await onScreen(.rows(5), lines: 30) { screen in
      try await screen.press(":", .enter)
      #expect(await screen.ending == nil)
      try await screen.press("?", ":")
      for _ in ConsoleAction.allCases { try await screen.press(.down) }
      try await screen.expect("quit") { $0.contains { $0.hasPrefix("▸ quit ") } }
    }
  }

  @Test func `letters that are in a name in their order match it, best at the beginning of words`() throws {
    for (text, name, rank) in [
      ("", "quit", 0), ("pd", "page down", 1), ("page", "page down", 0), ("xq", "quit", nil), ("hit", "next hit", 2),
      ("PAGE d", "page down", 0), ("a", "alpha beta", 0),
    ] {
      #expect(CommandTable<Int>.rank(of: text, in: name) == rank, "\(text) in \(name)")
    }
    let own = ["stop", "next top", "to pin"].map { Command(label: $0, help: "") { _ in nil } }
    let table = try CommandTable<Int>(own: own, actions: [])
    #expect(table.matches("top").map { $0.help.label } == ["to pin", "stop", "next top"])
  }

  // MARK: - Work

  @Test func `work that takes long is shown until it ends, and holds up nothing else`() async throws {
    let gate = Gate()
    let wait = Command("w", label: "wait", help: "") { _ in
      await gate.pass()
      return "done"
    }
    try await onScreen(
      .rows(3),
      { app in
        app.keys = [wait]
        app.onEvent = { event in if case .selected = event { await gate.pass() } }
      }
    ) { screen in
      try await screen.press("j", .enter, "w")
      #expect(await screen.lines[0].hasPrefix("test    "))
      try await screen.advance(by: .milliseconds(300))
      try await screen.expect("both") { $0[0].hasPrefix("test  running: onEvent, wait") }
      try await screen.press("j", shows: "▸      2  row 2", at: 3)
      await gate.open()
      try await screen.expect("nothing that runs") { $0[0].hasPrefix("test    ") && $0[7] == "done" }
    }
  }

  @Test func `messages of several commands are shown together, until the next key`() async throws {
    let gates = [Gate(), Gate()]
    let asks = [("a", gates[0], "one is refused"), ("b", gates[1], "two is refused")].map { key, gate, text in
      Command(Key.character(key), label: "ask", help: "ask the server") { _ in
        await gate.pass()
        return text
      }
    }
    try await onScreen(.rows(3), { $0.keys = asks }) { screen in
      try await screen.press("a", "b")
      await gates[0].open()
      try await screen.expect("one is refused", fromLine: 7)
      await gates[1].open()
      try await screen.expect("two is refused · one is refused", fromLine: 7)
      try await screen.press("a", shows: "one is refused", at: 7)
    }
  }

  @Test func `a click ends messages, as a key does`() async throws {
    try await onScreen(.rows(3), lines: 12) { screen in
      for order in ["by ID", "by ID, backwards", "by ID"] {
        try await screen.click(line: 1, column: 5)
        try await screen.expect("sorted: \(order)", fromLine: 11)
      }
      try await screen.click(line: 3, column: 20)
      try await screen.expect("the keys") { $0[11].hasPrefix("q quit") }
    }
  }

  @Test func `an action with a question waits for the answer, and for a row`() async throws {
    let store = try TestStore.rows(3)
    let delete = Command("d", label: "delete", help: "", asking: { "delete row \($0)?" }) { id in
      _ = try? await store.edit { try $0.remove(id) }
      return "deleted \(id)"
    }
    try await onScreen(store, { $0.keys = [delete] }) { screen in
      try await screen.press("d", shows: "no row is focused", at: 7)
      for answer in ["n", .escape, .enter, "d"] as [Key] {
        try await screen.press("j", "d")
        try await screen.expect("delete row", within: .zero) { $0[7].hasPrefix("delete row ") }
        try await screen.press(answer)
        try await screen.expect("the keys again") { $0[7].hasPrefix("q quit") }
      }
      #expect(await store.snapshot.rowCount == 3)
      try await screen.press("d", "y", shows: "deleted 3", at: 7)
      #expect(await store.snapshot.rowCount == 2)
    }
  }
}

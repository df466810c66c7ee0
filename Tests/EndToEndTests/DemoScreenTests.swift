import Testing

@testable import RowcastConsole
@testable import RowcastDemo

/// What a person at a terminal sees of the demo, and does there.
@Suite(.watched) struct DemoScreenTests {
  // MARK: - Lines of a program

  @Test func `undo goes back one event at a time, also of those that arrived while the list was paused`() async throws {
    let demo = DemoScreen()
    try await demo.showLines { screen, send in
      send(upsert("1", "first"))
      try await screen.expect("the row") { $0[2].hasSuffix(" first") }
      try await screen.press("p")
      send(upsert("2", "second"), upsert("3", "third"), upsert("4", "fourth"), "no event")
      while await demo.diagnostics.rejected == 0 { try await screen.advance(by: .zero) }
      #expect(await screen.lines[0].contains("1 row"))
      try await screen.press("u", "p")
      try await screen.expect("all but the last one") { $0[0].contains("3 rows") && $0[4].hasSuffix(" third") }
      for (key, count) in [("u", 2), ("u", 1), (.control("r"), 2), (.control("r"), 3)] as [(Key, Int)] {
        try await screen.press(key)
        try await screen.expect("\(count) rows") { $0[0].contains(counted(count, "row")) }
      }
    }
  }

  @Test func `undo goes back one event`() async throws {
    try await DemoScreen().showLines(["--lockstep"]) { screen, send in
      for title in ["first", "second"] {
        send(upsert("1", title))
        try await screen.expect("the row") { $0[2].hasSuffix(" \(title)") }
      }
      for expected in ["    first", "(empty list)"] {
        try await screen.press("u")
        let isEmpty = expected == "(empty list)"
        try await screen.expect("the list") { lines in
          isEmpty ? lines[0].contains("0 rows") : lines.contains { $0.hasSuffix(" first") }
        }
        try await screen.advance(by: .seconds(1))
        try await screen.expect(expected) { $0.contains { $0.hasPrefix(expected) } }
      }
      try await screen.press("u")
      try await screen.expect("nothing to undo", fromLine: 23)
    }
  }

  @Test func `nothing is taken back in a list that shows what is elsewhere`() async throws {
    let folder = try TestFolder()
    let file = try folder.write("log", "first\nsecond\n")
    try await DemoScreen().show(["tail", file.path, "--lockstep"]) { screen in
      try await screen.expect("both lines") { $0[0].contains("2 rows") && $0[23].contains("q quit") }
      #expect(await !screen.lines[23].contains("undo"))
      try await screen.press("u", .control("r"))
      let log = try FileHandle(forWritingTo: file)
      try log.seekToEnd()
      try log.write(contentsOf: Data("third\n".utf8))
      try await screen.expect("all lines") { $0[0].contains("3 rows") }
      try await screen.press(":")
      try await screen.type("undo")
      try await screen.expect("another command") { $0.contains { $0.hasPrefix("▸ ") && !$0.contains("undo") } }
    }
    withExtendedLifetime(folder) {}
  }

  @Test func `events that change nothing are counted on the screen`() async throws {
    try await DemoScreen().showLines { screen, send in
      send(upsert("1", "first"))
      try await screen.expect("the row") { $0[2].hasSuffix(" first") }
      for count in 1...3 {
        try await screen.advance(by: .seconds(1))
        try await screen.expect("the events") { $0.contains { $0.contains(counted(count, "event") + " →") } }
        // The figures are shown twice a second.
        try await screen.advance(by: .seconds(1))
        send(#"{"op":"upsertSection","id":"s"}"#)
      }
    }
  }

  @Test func `where an event that does not fit ends the program, none is taken back`() async throws {
    try await DemoScreen().showLines(["--strict-input"]) { screen, send in
      send(upsert("1", "first"))
      try await screen.expect("the row") { $0[2].hasSuffix(" first") }
      try await screen.press("u")
      send(upsert("2", "second"), "{\"op\":\"delete\",\"id\":\"1\"}", upsert("3", "third"))
      try await screen.expect("the other rows") { $0[0].contains("2 rows ") && $0.contains { $0.hasSuffix(" third") } }
    }
  }

  @Test(arguments: HostileText.samples)
  func `hostile text is seen on its line, and acts on nothing`(text: String) async throws {
    let hostile = try HostileText.quoted(text)
    try await DemoScreen(columns: 200).showLines { screen, send in
      send(
        upsert("above", "above"), upsert(hostile, "a\(hostile)b", subtitle: "c\(hostile)d", kind: hostile),
        upsert("below", "below"), upsert("other", hostile, section: hostile),
        "{\"op\":\"delete\",\"id\":\"\(hostile)?\"}")
      try await screen.expect("four rows, each on its line") { lines in
        lines[0].contains("4 rows")
          && zip(["above ", "a", "below "], lines[2...]).allSatisfy { $1.dropFirst(4).hasPrefix($0) }
      }
      try await screen.press("j", "j", "j", .enter)
      try await screen.expect("a selected row") { $0.contains { $0.hasPrefix("▸*") } }
      for frame in await screen.frames {
        let own = /\u{1B}\[(\?2026[hl]|2J|K|\d+;\d+H|\d+G|\d+(;\d+)*m)/
        #expect(!HostileText.acts(frame.replacing(own, with: "")), "\(frame.debugDescription)")
      }
    }
  }

  @Test(arguments: ["x", "日", "e\u{301}", "\u{301}", "👩‍👩‍👧‍👦", "\u{202E}"])
  func `a title of a megabyte is cut, and costs little`(unit: String) async throws {
    let title = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
    try await DemoScreen().showLines { screen, send in
      send(upsert("big", title, subtitle: "small"), upsert("next", "next"))
      try await screen.expect("both rows") { $0[3].hasPrefix("  + next") || $0[3].hasPrefix("    next") }
      #expect(await screen.frames.reduce(0) { $0 + $1.utf8.count } < 100_000)
    }
  }

  // MARK: - Colour

  @Test(arguments: [
    ("", [:], Theme?.some(.dark)), ("", ["NO_COLOR": "1"], nil), ("--no-color", [:], nil),
    ("", ["COLORFGBG": "0;15"], .light), ("--color=always", ["NO_COLOR": "1"], .dark), ("--theme=light", [:], .light),
    ("--color=never --theme=light", ["CLICOLOR_FORCE": "1"], nil), ("--theme=dark", ["COLORFGBG": "0;15"], .dark),
  ])
  func `flags and environment decide about colour`(
    flags: String, environment: [String: String], theme: Theme?
  ) async throws {
    try await DemoScreen(environment: environment).show(flags.split(separator: " ").map(String.init)) { screen in
      try await screen.expect("a new row") { $0.contains { $0.hasPrefix("  + ") } }
      let frames = await screen.frames.joined()
      let parameters = Set(frames.matches(of: /\u{1B}\[([\d;]+)m/).map { String($0.output.1) }).subtracting(["0"])
      #expect(parameters.isEmpty == (theme == nil), "\(parameters)")
      #expect(parameters.isSubset(of: TextStyle.allCases.compactMap { theme?.parameters(of: $0) }), "\(parameters)")
    }
  }

  // MARK: - Scenarios with cells of their own

  @Test func `settings are changed with the keys`() async throws {
    try await DemoScreen().show(["settings"]) { screen in
      try await screen.expect("the settings") { $0.contains { $0.contains("Wi-Fi") && $0.contains("[on ]") } }
      try await screen.press("j", .enter)
      try await screen.expect("Wi-Fi off") { $0.contains { $0.contains("Wi-Fi") && $0.contains("[off]") } }
      try await screen.press(.enter)
      try await screen.expect("Wi-Fi on") { $0.contains { $0.contains("Wi-Fi") && $0.contains("[on ]") } }
      try await screen.press("j", "j", "j", .enter)
      try await screen.expect("another theme") { $0.contains { $0.contains("light ›") } }
    }
  }

  @Test func `changes of settings are taken back, made again, and built upon`() async throws {
    try await DemoScreen().show(["settings"]) { screen in
      @Sendable func expect(_ state: String) async throws {
        try await screen.expect("Bluetooth \(state)") { $0.contains { $0.contains("Bluetooth") && $0.contains(state) } }
      }
      try await expect("[off]")
      try await screen.press("j", "j", .enter)
      try await expect("[on ]")
      try await screen.press("u")
      try await expect("[off]")
      try await screen.press("u")
      try await screen.expect("nothing to undo", fromLine: 23)
      try await screen.press(.control("r"))
      try await expect("[on ]")
      try await screen.press("u")
      try await expect("[off]")
      // What is changed is what is shown.
      try await screen.press(.enter)
      try await expect("[on ]")
      try await screen.press(.control("r"))
      try await screen.expect("nothing to redo", fromLine: 23)
    }
  }

  @Test func `a chat shows its newest messages, and loads the former ones when one gets there`() async throws {
    try await DemoScreen().show(["chat", "--speed", "100"]) { screen in
      try await screen.expect("an image") { $0.contains { $0.contains("▒▓█") } }
      // The first screen has room for the newest two pages; the conversation adds to them.
      try await screen.expect("the conversation") { $0[0].contains("32 rows") }
      for count in [40, 48] {
        try await screen.press("g")
        try await screen.expect("a page more") { $0[0].contains("\(count) rows") }
      }
    }
  }

  @Test func `a message shows before it is sent, and one that is refused can be sent again`() async throws {
    try await DemoScreen(columns: 100, lines: 50).show(["chat", "--seed", "3", "--speed", "0.1"]) { screen in
      try await screen.expect("the chat") { $0[49].contains("w write") }
      var number = 0
      while await !screen.lines[49].contains("was not sent") {
        number += 1
        try await screen.press("w")
        try await screen.type("message \(number)")
        try await screen.press(.enter)
        let text = "you      message \(number)"
        try await screen.expect("an unconfirmed message") { $0.contains { $0.hasSuffix("… \(text)") } }
        // What was refused leaves the list first, and is told then.
        try await screen.expect("an answer") { lines in
          lines[49].contains("was not sent")
            || lines.contains { $0.hasSuffix(text) && !$0.contains("… you") && !$0.contains("- you") }
        }
      }
      let text = "you      message \(number)"
      try await screen.expect("“message \(number)” was not sent: the server is busy; r sends it again", fromLine: 49)
      try await screen.expect("no such message") { !$0.contains { $0.hasSuffix("  \(text)") } }
      try await screen.press("r")
      // Unconfirmed, or sent already: on a busy machine the screen may be looked at after the answer.
      try await screen.expect("the message once more") { $0.contains { $0.hasSuffix(text) } }
    }
  }

  @Test func `what others say in a chat is not taken back, nor that they are typing`() async throws {
    try await DemoScreen().show(["chat", "--speed", "5"]) { screen in
      try await screen.expect("somebody who is typing") { $0.contains { $0.contains("is typing …") } }
      try await screen.press("u")
      try await screen.expect("there is no message of yours to take back", fromLine: 23)
      try await screen.expect("what was typed") { !$0.contains { $0.contains("is typing …") } }
    }
  }

  @Test func `one's own messages are taken back, and put back where they were`() async throws {
    // The server takes the first two messages of this seed.
    try await DemoScreen(columns: 100, lines: 80).show(["chat", "--seed", "1", "--speed", "100"]) { screen in
      try await screen.expect("the chat") { $0[79].contains("w write") }
      @Sendable func expect(_ messages: [String]) async throws {
        try await screen.expect("\(messages)") { lines in
          lines.filter { $0.hasPrefix("    you ") }.map { String($0.suffix(7)) } == messages
        }
      }
      for message in ["message", "another"] {
        try await screen.press("w")
        try await screen.type(message)
        try await screen.press(.enter)
        try await screen.advance(by: .seconds(1))
        try await screen.expect("a message that is sent") { $0.contains { $0.hasSuffix("  you      \(message)") } }
        try await screen.advance(by: .seconds(1))
      }
      for (key, messages) in [
        ("u", ["message"]), ("u", []), (.control("r"), ["message"]), (.control("r"), ["message", "another"]),
      ] as [(Key, [String])] {
        try await screen.press(key)
        try await screen.advance(by: .seconds(2))
        try await expect(messages)
      }
      try await screen.press(.control("r"))
      try await screen.expect("no message was taken back", fromLine: 79)
    }
  }

  @Test func `a profile follows its file`() async throws {
    let folder = try TestFolder()
    let file = URL(fileURLWithPath: "\(folder.path)/profile.json")
    @Sendable func write(_ fields: [String: String]) throws {
      try JSONEncoder().encode(["data": fields]).write(to: file, options: .atomic)
    }
    try write(["nombre": "Pablo"])
    let demo = DemoScreen()
    try await demo.show(["profile", file.path]) { screen in
      try await screen.expect("a name") { $0.contains { $0.contains("Pablo") } }
      try write(["nombre": "Paula", "imgURL": "a.png"])
      try await screen.expect("a name and a picture") { lines in
        ["Paula", "◕‿◕"].allSatisfy { text in lines.contains { $0.contains(text) } }
      }
      try Data("{".utf8).write(to: file)
      // A file that is bad is passed over, sooner or later.
      while await demo.diagnostics.rejected == 0 { try await screen.advance(by: .zero) }
      try write(["nombre": "Petra"])
      try await screen.expect("a name alone") { lines in
        lines.contains { $0.contains("Petra") } && !lines.contains { $0.contains("◕‿◕") }
      }
    }
    withExtendedLifetime(folder) {}
  }
}

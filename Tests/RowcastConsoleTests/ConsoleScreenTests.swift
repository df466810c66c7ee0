import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTable
import RowcastTestSupport
import RowcastTesting
import RowcastViews
import Testing

@testable import RowcastConsole

/// Apps on a screen in memory: what a person at a terminal does, and what they see.
@Suite(.watched) struct ConsoleScreenTests {
  private func app(_ store: TestStore) -> ConsoleApp<TestSection, TestRow> {
    var app = ConsoleApp(
      store, columns: [ConsoleColumn("ID", width: 4, .trailing) { $0.id }, ConsoleColumn("TEXT", width: 8) { $0.text }])
    app.title = "test"
    app.environment = [:]
    return app
  }

  /// Shows a list of some rows to an app that is changed first.
  private func show(
    _ store: TestStore, columns: Int = 50, lines: Int = 8,
    _ change: (inout ConsoleApp<TestSection, TestRow>) -> Void = { _ in },
    _ body: @escaping @Sendable (ConsoleScreen) async throws -> Void
  ) async throws {
    var app = app(store)
    change(&app)
    try await ConsoleScreen.show(app, columns: columns, lines: lines, body)
    withExtendedLifetime(store) {}
  }

  /// Shows a list of some rows, which is there until the test ends.
  private func show(
    rows: Int, columns: Int, lines: Int, _ body: @escaping @Sendable (ConsoleScreen) async throws -> Void
  ) async throws {
    let store = try store(rows)
    try await ConsoleScreen.show(app(store), columns: columns, lines: lines, body)
    withExtendedLifetime(store) {}
  }

  private func store(_ count: Int) throws -> TestStore {
    TestStore(
      try TestSnapshot([ListSection(TestSection("a", "A"), rows: (1...count).map { TestRow($0, "row \($0)") })]))
  }

  @Test func `an app is shown, takes keys, and is resized`() async throws {
    try await show(rows: 3, columns: 50, lines: 7) { screen in
      try await screen.expect(
        """
        test              3 rows in 1 section   revision 0
          A  3
               1  row 1
               2  row 2
               3  row 3

        q quit  ? help  s sort  / filter  p pause
        """)
      try await screen.press("j", "j")
      try await screen.expect("▸      2  row 2", fromLine: 3, count: 1)
      try await screen.resize(columns: 20, lines: 4)
      try await screen.expect("▸      2  row 2", fromLine: 2, count: 1)
      try await screen.press("q")
      #expect(await screen.ending == .quit)
    }
  }

  @Test func `changes of the list are shown, and their marks fade as time passes`() async throws {
    let store = try store(2)
    try await ConsoleScreen.show(app(store), columns: 40, lines: 6) { screen in
      try await store.edit { try $0.append(TestRow(3, "new"), to: "a") }
      try await screen.expect("  +    3  new", fromLine: 4, count: 1)
      try await screen.advance(by: .milliseconds(999))
      try await screen.expect("  +    3  new", fromLine: 4, count: 1)
      try await screen.advance(by: .milliseconds(1))
      try await screen.expect("       3  new", fromLine: 4, count: 1)
    }
  }

  @Test func `a failure has a picture of the difference`() async throws {
    try await show(rows: 2, columns: 40, lines: 5) { screen in
      let error = await #expect(throws: ScreenError.self) {
        try await screen.expect("  A  2\n       1  row 2\n       2  row 2", fromLine: 1, count: 3, within: .zero)
      }
      let picture = try #require(error).description.split(separator: "\n").dropFirst()
      #expect(picture == ["  |   A  2", "- |        1  row 2", "+ |        1  row 1", "  |        2  row 2"])
      let other = await #expect(throws: ScreenError.self) {
        try await screen.expect("a pear", within: .zero) { $0.contains { $0.contains("pear") } }
      }
      #expect(try #require(other).description.contains("expected a pear, but the screen is\n  | test"))
    }
  }

  @Test func `keys after the end of an app are a failure, and the last screen is kept`() async throws {
    try await show(rows: 2, columns: 40, lines: 5) { screen in
      try await screen.press("q")
      await #expect(throws: ScreenError.self) { try await screen.press("j") }
      #expect(await screen.lines[2] == "       1  row 1")
    }
  }

  @Test func `a test that fails ends its app`() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await show(rows: 2, columns: 40, lines: 5) { _ in throw Failure() }
    }
  }

  @Test func `a key in pieces is one key, and a paste is text`() async throws {
    try await show(rows: 3, columns: 50, lines: 7) { screen in
      for piece in ["\u{1B}", "[", "B"] { try await screen.send(piece) }
      try await screen.expect("▸      1  row 1", fromLine: 2, count: 1)
      try await screen.press("/")
      try await screen.paste("row 3")
      try await screen.expect("one row") { $0[0].contains("1 row ") }
      try await screen.advance(by: .seconds(1))
      try await screen.expect("▸      3  row 3", fromLine: 2, count: 1)
      try await screen.press(.enter)
      try await screen.paste("q")
      #expect(await screen.ending == nil)
    }
  }
}

extension ConsoleScreen {
  /// The words on a line that are marked as hits of a search.
  fileprivate func hits(line: Int) -> [String] {
    emphasised(line: line).filter { $0.parameters == Theme.dark.parameters(of: .found) }.map(\.text)
  }
}

// MARK: - The mouse

extension ConsoleScreenTests {
  @Test func `the wheel scrolls by three lines, and a click focuses the row under it`() async throws {
    try await show(rows: 50, columns: 50, lines: 8) { screen in
      try await screen.turnWheel(1)
      try await screen.expect("       3  row 3", fromLine: 1, count: 1)
      try await screen.turnWheel(-5)
      try await screen.expect("  A  50", fromLine: 1, count: 1)
      try await screen.click(line: 3, column: 9)
      try await screen.expect("▸      2  row 2", fromLine: 3, count: 1)
      // The header, the title and the last line are no rows.
      for line in [0, 1, 7] { try await screen.click(line: line, column: 9) }
      try await screen.expect("▸      2  row 2", fromLine: 3, count: 1)
    }
  }

  @Test func `a double click is return, two slow clicks are not`() async throws {
    try await show(rows: 3, columns: 50, lines: 8) { screen in
      try await screen.click(line: 3, column: 9)
      try await screen.advance(by: .milliseconds(400))
      try await screen.click(line: 3, column: 9)
      try await screen.expect("▸      2  row 2", fromLine: 3, count: 1)
      try await screen.click(line: 4, column: 9)
      try await screen.click(line: 3, column: 9, times: 2)
      try await screen.expect("▸*     2  row 2", fromLine: 3, count: 1)
      try await screen.click(line: 3, column: 9)
      try await screen.expect("▸*     2  row 2", fromLine: 3, count: 1)
    }
  }

  @Test func `a click on the head of a column sorts by it, another one backwards`() async throws {
    let store = TestStore(
      try TestSnapshot([ListSection(TestSection("a", "A"), rows: [TestRow(2, "b"), TestRow(3, "a"), TestRow(1, "c")])]))
    try await show(store, lines: 10) { screen in
      try await screen.expect("      ID  TEXT\n  A  3\n       2  b", fromLine: 1, count: 3)
      try await screen.click(line: 1, column: 10)
      try await screen.expect("sorted rows") {
        $0[1] == "      ID  TEXT▴" && $0[3].contains("  a") && $0[5].contains("  c")
      }
      try await screen.click(line: 1, column: 10)
      try await screen.expect("rows sorted backwards") { $0[1] == "      ID  TEXT▾" && $0[3].contains("  c") }
      try await screen.click(line: 1, column: 4)
      try await screen.expect("numbers, the largest first") { $0[1] == "     ID▾  TEXT" && $0[3].contains("3  a") }
      try await screen.press("s")
      try await screen.expect("the next order") { $0[1] == "      ID  TEXT▴" }
    }
  }

  @Test func `reports of the mouse are parsed wherever they are cut`() {
    let sent =
      "\u{1B}[<0;10;20M\u{1B}[<0;10;20m\u{1B}[<65;1;1M\u{1B}[<64;3;4Mj\u{1B}[<35;1;1M\u{1B}[<16;2;2M\u{1B}[<0;0;1M"
    let expected: [TerminalInput] = [
      .mouse(MouseEvent(.press, column: 9, line: 19)), .mouse(MouseEvent(.wheel(1), column: 0, line: 0)),
      .mouse(MouseEvent(.wheel(-1), column: 2, line: 3)), .key("j"), .mouse(MouseEvent(.press, column: 1, line: 1)),
    ]
    let bytes = Array(sent.utf8)
    for border in 0...bytes.count {
      var parser = KeyParser()
      #expect(parser.take(bytes[..<border]) + parser.take(bytes[border...]) == expected)
    }
  }
}

// MARK: - Commands

extension ConsoleScreenTests {
  @Test func `an app gives actions other keys, and more of them`() async throws {
    try await show(
      try store(3),
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
    let store = try store(1)
    func clash(_ change: (inout ConsoleApp<TestSection, TestRow>) -> Void) async throws -> KeyClash? {
      var app = app(store)
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
    try await show(
      try store(50), lines: 30,
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
    ("", "quit", 0), ("pd", "page down", 4), ("page", "page down", 0), ("xq", "quit", nil), ("PAGE d", "page down", 1),
    ("hit", "next hit", 2),
  ])
  func `letters that are in a name in their order match it`(text: String, name: String, rank: Int?) {
    let found = FuzzyMatch.rank(of: text, in: name)
    #expect((found == nil) == (rank == nil), "\(found as Any)")
  }

  @Test func `a match at the beginning of words comes before one in their middle`() throws {
    let own = ["stop", "next top", "to pin"].map { KeyCommand<Int>(label: $0, help: "") { _ in nil } }
    let table = try CommandTable<Int>(own: own, actions: [:], keys: [:])
    #expect(table.matches("top").map { table.commands[$0].name } == ["to pin", "stop", "next top"])
  }

  @Test func `work that takes long is shown until it ends, and holds up nothing else`() async throws {
    let gate = Gate()
    try await show(
      try store(3),
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
}

// MARK: - Questions, and what a frame costs

extension ConsoleScreenTests {
  @Test func `an action with a question waits for the answer, and for a row`() async throws {
    let store = try store(3)
    try await show(
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

  /// The texts that the cells of a list take while it is scrolled.
  private func texts(rows: Int) async throws -> Int {
    let (store, count) = (try store(rows), CallCount())
    var app = ConsoleApp(store, columns: [ConsoleColumn("TEXT", width: 8) { count.note($0.text) }])
    app.environment = [:]
    try await ConsoleScreen.show(app, columns: 40, lines: 20) { screen in
      try await screen.press("j", .pageDown, .pageDown, "G", "k", .pageUp, "g", " ", " ", "b")
      try await screen.turnWheel(10)
      try await screen.turnWheel(-3)
      try await screen.press("j", "j", "n")
    }
    withExtendedLifetime(store) {}
    return count.value
  }

  @Test func `a long list is scrolled with the work of a short one`() async throws {
    let long = SeededGenerator.rounds(100_000, long: 1_000_000)
    #expect(try await texts(rows: long) == texts(rows: 1_000))
  }
}

// MARK: - Search

extension ConsoleScreenTests {
  @Test func `a search marks every hit on the screen, and goes on in both directions`() async throws {
    try await show(rows: 100, columns: 50, lines: 8) { screen in
      try await screen.press(.control("f"))
      try await screen.type("ROW 5")
      // The list stays as it is.
      try await screen.expect("the prompt") { $0[7].hasPrefix("search: ROW 5_") }
      #expect(await screen.hits(line: 6) == ["row 5"])
      try await screen.press(.enter)
      try await screen.expect("▸      5  row 5", fromLine: 6, count: 1)
      #expect(await screen.hits(line: 6) == ["row 5"])
      try await screen.press("n")
      try await screen.expect("row 50 in the middle") { $0[3] == "▸     50  row 50" }
      #expect(await screen.hits(line: 4) == ["row 5"], "row 51")
      try await screen.press("N", "N")
      try await screen.expect("the last one, around the end") { $0.contains("▸     59  row 59") }
      try await screen.press(.escape)
      #expect(await screen.hits(line: 4).isEmpty)
      #expect(await screen.lines.contains("▸     59  row 59"))
      try await screen.press(.escape)
      try await screen.expect("no focus") { !$0.contains { $0.hasPrefix("▸") } }
      try await screen.press("n")
      try await screen.expect("nothing is searched for", fromLine: 7)
    }
  }

  @Test func `a search for what no row has says so, and Escape restores the former one`() async throws {
    try await show(rows: 3, columns: 60, lines: 8) { screen in
      try await screen.press(.control("f"))
      try await screen.type("pear")
      try await screen.press(.enter)
      try await screen.expect("no row has \"pear\"", fromLine: 7)
      #expect(await screen.lines[0].hasPrefix("test  search: pear"))
      try await screen.press(.control("f"), "s", .escape)
      #expect(await screen.lines[0].hasPrefix("test  search: pear"))
      // Nothing typed is the former text once more.
      try await screen.press(.control("f"), .enter)
      try await screen.expect("no row has \"pear\"", fromLine: 7)
      try await screen.press(.escape)
      #expect(await screen.lines[0].hasPrefix("test   "))
    }
  }

  @Test func `a search of many rows goes on in slices, between which keys are handled`() async throws {
    let rows = (1...50 * RowSearch.slice).map { TestRow($0, $0 == 50 * RowSearch.slice ? "needle" : "hay") }
    let store = TestStore(try TestSnapshot([ListSection(TestSection("a", "A"), rows: rows)]))
    try await show(store, lines: 8) { screen in
      try await screen.press(.control("f"))
      try await screen.type("needle")
      try await screen.press(.enter, "j")
      // The key was handled long before the end.
      #expect(await screen.lines[2] == "▸      1  hay")
      try await screen.expect("how far it is") { $0[7].hasPrefix("searching, ") }
      try await screen.expect("the last row") { $0.contains("▸   100…  needle") }
      // Escape ends the search.
      try await screen.press("g", "n", .escape)
      #expect(await screen.lines[7].hasPrefix("q quit"))
    }
  }

  @Test func `slices of a search find what a scan of all rows finds, whatever the list becomes`() throws {
    var random = SeededGenerator.forFuzzing("searches in slices")
    for _ in 0..<300 {
      let list = try TestSnapshot.random(sections: 4, rows: 12, using: &random)
      let wanted = Int.random(in: 0..<12, using: &random)
      let all = (0..<list.sectionCount).flatMap { section in
        (0..<list.rowCount(inSection: section)).map { RowPath(section: section, row: $0) }
      }
      let step = Bool.random(using: &random) ? 1 : -1
      let start = RowPath(section: Int.random(in: -1...5, using: &random), row: Int.random(in: -1...13, using: &random))
      var search = RowSearch(from: start, step: step, rows: list.rowCount)
      let hit = search.advance(in: list) { $0.id % 12 == wanted }
      // The oracle: the paths in the order of the search, from the start on, around the end.
      let ordered = step > 0 ? all : all.reversed()
      let isAhead = { (path: RowPath) in
        guard (0..<list.sectionCount).contains(start.section) else { return true }
        return step > 0 ? path >= start : path <= start
      }
      let expected = (ordered.filter(isAhead) + ordered.filter { !isAhead($0) }).first {
        list.row(at: $0).id % 12 == wanted
      }
      #expect(hit == expected, "seed \(random.seed): from \(start) by \(step) in \(all)")
      #expect(hit != nil || search.rest == 0)
    }
  }

  @Test(arguments: [
    ("ab", "xABab", [1..<3, 3..<5]), ("é", "E\u{301}é", [0..<1, 1..<2]), ("e", "e\u{301}", []), ("日", "a日本", [1..<2]),
    ("aa", "aaaaa", [0..<2, 2..<4]), ("b", "", []), ("ß", "Straße", [4..<5]), ("k", "\u{212A}", [0..<1]),
  ])
  func `hits are whole characters, in either case`(text: String, other: String, ranges: [Range<Int>]) throws {
    let matcher = try #require(TextMatcher(text))
    #expect(matcher.ranges(in: other) == ranges)
    #expect(matcher.occurs(in: other) == !ranges.isEmpty)
  }

  @Test func `marking changes no text, and marks what is found across styles`() throws {
    var line = StyledLine(columns: 20)
    line.append("ab", .strong)
    line.append("cd 日本 ab", .faint)
    let marked = line.marking(TextMatcher("bc"))
    #expect(marked.text == line.text && marked.free == line.free)
    #expect(marked.spans.map(\.text) == ["a", "bc", "d 日本 ab"])
    #expect(marked.spans.map(\.style) == [.strong, .found, .faint])
  }
}

// MARK: - Themes

extension ConsoleScreenTests {
  /// The parameters of the first look of the title that is not plain.
  private func look(_ screen: ConsoleScreen) async -> String? { await screen.emphasised(line: 2).first?.parameters }

  @Test func `the terminal tells its ground, and the theme fits it`() async throws {
    let store = try store(2)
    try await show(store) { screen in
      try await store.edit { try $0.update(1) { $0.text = "new" } }
      try await screen.expect("a mark") { $0[2].hasPrefix("  ~") }
      #expect(await look(screen) == Theme.dark.parameters(of: .updated))
      // In whatever pieces the answer comes.
      for piece in ["\u{1B}]11;rgb:ff", "ff/ffff/ff", "ff\u{1B}", "\\"] { try await screen.send(piece) }
      #expect(await look(screen) == Theme.light.parameters(of: .updated))
      try await screen.send("\u{1B}]11;rgb:1c/1c/1c\u{7}")
      #expect(await look(screen) == Theme.dark.parameters(of: .updated))
    }
  }

  @Test(arguments: [true, false])
  func `an answer about the ground that comes late, or where nobody asked, changes nothing`(isLate: Bool) async throws {
    let store = try store(2)
    try await show(store, { if !isLate { $0.theme = .highContrast } }) { screen in
      if isLate { try await screen.advance(by: .milliseconds(1_001)) }
      try await store.edit { try $0.update(1) { $0.text = "new" } }
      try await screen.send("\u{1B}]11;rgb:ffff/ffff/ffff\u{7}")
      try await screen.expect("a mark") { $0[2].hasPrefix("  ~") }
      #expect(await look(screen) == (isLate ? Theme.dark : .highContrast).parameters(of: .updated))
    }
  }

  @Test func `a theme of one's own is used, and none without colour`() async throws {
    var theme = Theme.dark
    theme[.strong] = TextLook(.rgb(1, 2, 3), on: .indexed(200), isBold: true, isUnderlined: true)
    #expect(theme.parameters(of: .strong) == "1;4;38;2;1;2;3;48;5;200" && theme.parameters(of: .plain) == nil)
    for (color, looks) in [(ColorPolicy.auto, ["1;4;38;2;1;2;3;48;5;200"]), (.never, [])] {
      let own = theme
      try await show(try store(2), { ($0.theme, $0.color) = (own, color) }) { screen in
        #expect(await screen.emphasised(line: 0).prefix(1).map(\.parameters) == looks)
      }
    }
  }
}

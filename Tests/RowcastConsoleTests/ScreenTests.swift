import Foundation
import Testing

@testable import RowcastConsole

@Suite(.watched) struct ScreenTests {
  // MARK: - Signs

  private static func moved(_ line: String, from path: String) -> String {
    let place = "from \(path)"
    return line + String(repeating: " ", count: 60 - line.count - place.count) + place
  }

  private static let histories: [(rule: String, lists: [String], shown: [String])] = [
    (
      "headers have counts, rows have signs, and moves say where they came from",
      ["a 1 2 4 3 | b", "a 3 1:ONE 4 5 | b"],
      [
        "  A  4", moved("  > row 3", from: "[0, 3]"), "  ~ ONE", "  - row 2", "    row 4", "  + row 5", "  B  0",
      ]
    ),
    (
      "a deleted section is a ghost with its rows", ["a 1 | b 2 3 | c 4", "a 1 | c 4"],
      ["  A  1", "    row 1", "- B", "  - row 2", "  - row 3", "  C  1", "    row 4"]
    ),
    (
      "a section that is new and then has rows is still new", ["a 1", "a 1 | b", "a 1 | b 2"],
      ["  A  1", "    row 1", "+ B  1", "  + row 2"]
    ),
    (
      "a ghost stands where its row stood when a neighbour moved", ["a 1 2 3 4", "a 3 4 1"],
      ["  A  3", "  - row 2", "    row 3", "    row 4", moved("  > row 1", from: "[0, 0]")]
    ),
    (
      "a row that is inserted and then updated is still new", ["a 1", "a 1 2", "a 1 2:changed", "a 1:also 2:changed"],
      ["  A  2", "  ~ also", "  + changed"]
    ),
    (
      "a row that comes back is no ghost", ["a 1 2 | c 3", "a 1 | c 3", "a 1 2 | c 3"],
      ["  A  2", "    row 1", "  + row 2", "  C  1", "    row 3"]
    ),
  ]

  @Test(arguments: histories)
  func `signs tell what has happened`(rule: String, lists: [String], shown: [String]) throws {
    let screen = try WatchedScreen(lists[0])
    for list in lists.dropFirst() { try screen.change(to: list) }
    #expect(try screen.list() == shown)
  }

  @Test func `signs change their look half way, fade after a second, and the screen knows when they will`() throws {
    let screen = try WatchedScreen("a 1 2 3")
    try screen.change(to: "a 1 3 4")
    func style(after time: Duration) throws -> TextStyle? {
      try screen.frame(after: time).lines[5].spans.first { $0.text == "+" }?.style
    }
    func fading(after time: Duration) -> ContinuousClock.Instant? {
      screen.sink.recent.nextFading(after: screen.start.advanced(by: time))
    }
    let half = Duration.milliseconds(500)
    #expect(fading(after: .zero) == screen.start.advanced(by: half))
    #expect(try style(after: .milliseconds(499)) == .inserted && style(after: half) == .faint)
    #expect(fading(after: half) == screen.start.advanced(by: .seconds(1)))
    let marked = ["  A  3", "    row 1", "  - row 2", "    row 3", "  + row 4"]
    #expect(try screen.list(after: .milliseconds(999)) == marked)
    #expect(try screen.list(after: .seconds(1)) == ["  A  3", "    row 1", "    row 3", "    row 4"])
    #expect(fading(after: .zero) == nil)
  }

  @Test func `a row that is elsewhere has no ghost, nor one that comes into view again`() throws {
    let other = try WatchedScreen("a 1 2 | b 3")
    try other.change(to: "a 1 | c 3 2")
    #expect(try !other.list().contains { $0.contains("- row") })
    let screen = try WatchedScreen(lines: 6, "a 1 2 3 4 5 6")
    // The row is below the screen then.
    for list in ["a 1 3 4 5 6", "a 1 3 4 5 6 2"] {
      try screen.change(to: list)
      #expect(try screen.list().contains("  - row 2"))
    }
    try screen.table.scroll(toLine: screen.table.contentHeight)
    #expect(try screen.list().filter { $0.contains("row 2") } == ["    row 2"])
  }

  @Test func `ghosts never push the focused row off the screen`() throws {
    let screen = try WatchedScreen(lines: 6, "a 1 2 3 4 5 6")
    screen.table.focus(4)
    try screen.change(to: "a 2 3 4 5 6")
    #expect(try screen.list() == ["  - row 1", "    row 2", "    row 3", "▸   row 4"])
  }

  // MARK: - Lines

  @Test func `nothing follows a wide character that was cut at the edge`() {
    // Three columns are left for two characters of two columns each: one, and the sign that something is missing.
    var line = StyledLine(columns: 6)
    line.append("abc")
    line.append("\u{6F22}\u{5B57}")
    #expect(line.text == "abc\u{6F22}…")
    var narrow = StyledLine(columns: 6)
    narrow.append("ab")
    narrow.append("\u{6F22}\u{5B57}\u{6F22}")
    #expect(narrow.free == 0, "the column that a cut character leaves is nobody's")
    narrow.append("x")
    #expect(narrow.text == "ab\u{6F22}…")
  }

  @Test func `subtitles stand under each other as far as titles leave room, in each width anew`() throws {
    let list = try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(-1, "a"), TestRow(-2, "longer")])])
    let screen = try WatchedScreen(list)
    typealias TestScreen = Screen<TestSection, TestRow>
    #expect(TestScreen.subtitleColumn(of: screen.table, columns: 60) == 8)
    #expect(TestScreen.subtitleColumn(of: screen.table, columns: 10) == 3)
    let long = try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(-1, "a title of some length")])])
    try screen.change(to: long)
    #expect(try screen.lines().contains { $0.hasSuffix("a title of some length  negative") })
    // A title that is too long for a column of its own here is passed over.
    screen.sink.size = TerminalSize(columns: 30, lines: 9)
    let rows = [TestRow(-1, "long enough to be passed over"), TestRow(-2, "b")]
    try screen.change(to: TestSnapshot([ListSection(TestSection("a"), rows: rows)]))
    #expect(try screen.lines().contains { $0.hasSuffix(" b  negative") })
  }

  @Test func `the first line says what is watched, and as much about it as there is room for`() throws {
    let screen = try WatchedScreen(columns: 70, lines: 6, "a 1 2 3 4 5 6")
    screen.status.isPaused = true
    #expect(try screen.lines()[0] == "test  PAUSED         6 rows in 1 section   revision 0   lines 1–4 of 7")
    #expect(try WatchedScreen(columns: 20, lines: 6, "a 1").lines()[0] == "test           1 row")
    // As soon as one line is not seen. The section's header is a line, too.
    #expect(try WatchedScreen(columns: 70, lines: 6, "a 1 2 3 4").lines()[0].hasSuffix("lines 1–4 of 5"))
    #expect(try !WatchedScreen(columns: 70, lines: 6, "a 1 2 3").lines()[0].contains("lines"))
  }

  @Test func `sources that need attention come first`() throws {
    let screen = try WatchedScreen(lines: 12, "a 1")
    let error = FileError(reason: "connection \u{1B}reset")
    screen.status.sources = [
      ("good", .live),
      ("bad", .waiting(attempt: 1, delay: .zero, error: error)),
    ]
    #expect(try screen.lines()[1] == "bad waiting: connection ␛reset   good live")
  }

  @Test func `a list that a filter leaves empty says by what`() throws {
    let screen = try WatchedScreen("")
    #expect(try screen.lines().contains("(empty list)"))
    screen.status.typed = ["filter: ada"]
    #expect(try screen.lines().contains("(no rows with filter: ada)"))
  }

  @Test func `the end of a long text is what is seen while it is typed`() throws {
    let screen = try WatchedScreen(columns: 20, "a 1")
    let text = "0123456789abcdefghijklmnop\u{1B}[2J"
    screen.status.mode = .prompt(Prompt(command: 0, label: "/", former: text))
    #expect(try screen.lines().last == "/cdefghijklmnop␛[2J_")
  }

  @Test func `a header that says how many rows there are gets no second number`() throws {
    let screen = try WatchedScreen(
      TestSnapshot([ListSection(TestSection("a", "Open (1)"), rows: [TestRow(7, "x")])]))
    #expect(try screen.list() == ["  Open (1)", "    x"])
    var text = ""
    var log = LogSink<TestSection, TestRow> { text += $0 }
    try log.show(TestUpdate(initial: screen.table.snapshot, revision: 0), in: screen.table)
    #expect(text.contains(": Open (1)\n"), "\(text)")
  }

  // MARK: - Help

  @Test(arguments: [(80, 24), (40, 10), (20, 5)]) func `help that is longer than a screen has pages`(
    columns: Int, lines: Int
  ) throws {
    let screen = try WatchedScreen(columns: columns, lines: lines, "a 1")
    #expect(try screen.lines().last == "q quit  ? help")
    let help = screen.status.helpPages(columns: columns, height: 1_000)
    #expect(help.count == 1)
    // A page that has room for all keeps its empty lines.
    let whole = screen.status.helpPages(columns: columns, height: help[0].count)
    #expect(whole.map(\.count) == [help[0].count])
    var read: [String] = []
    let count = screen.status.helpPages(columns: columns, height: lines - 2).count
    for page in 0..<count {
      screen.status.mode = .help(page: page)
      let shown = try screen.lines()
      read += shown.dropFirst().dropLast()
      let isLast = page + 1 == count
      let next = isLast ? "any key: back" : "\(page + 1) of \(count); any key: next page, ?: back"
      #expect(shown.last == next.fitted(columns: columns))
    }
    #expect(read.filter { !$0.isEmpty } == help[0].map(\.text).filter { !$0.isEmpty })
    #expect(read.prefix(3) == ["Keys", "  q  end", "  ?  this page"])
    #expect(read.contains("  + new   ~ changed   > moved   - gone   ".fitted(columns: columns)))
    // As after a resize.
    screen.status.mode = .help(page: 99)
    #expect(try screen.lines().last?.hasPrefix("any key:") ?? false)
  }

  // MARK: - Layout

  /// The layout of a screen with a source and, unless it is bare, a heading and a footer.
  private func layout(
    _ columns: Int, _ lines: Int, kinds: Int = 3, isBare: Bool = false,
    _ panels: Set<ScreenPanel> = Set(ScreenPanel.allCases)
  ) -> ScreenLayout {
    var status = ScreenStatus(title: "", keys: [])
    status.sources = [("source", .live)]
    status.panels = panels
    if !isBare { (status.heading, status.footer) = ("heading", "footer") }
    return ScreenLayout(TerminalSize(columns: columns, lines: lines), status, kinds: kinds)
  }

  @Test func `the list has at least half of the screen, and the lines of panels that are left out`() {
    for lines in 1...300 {
      for columns in [1, 10, 80, 130] {
        let all = layout(columns, lines, kinds: 50, isBare: true)
        #expect(all.list * 2 >= lines, "\(columns)×\(lines): \(all)")
        let alone = layout(columns, lines, [])
        #expect(alone.operations + alone.cells + alone.flow + alone.sideColumns == 0)
        let around = [alone.title, alone.sources, alone.heading, alone.footer, alone.help].reduce(0, +)
        #expect(alone.list + around == lines && alone.listColumns == columns)
        for panel in ScreenPanel.allCases {
          #expect((1...lines).contains(layout(columns, lines, isBare: true, [panel]).list))
        }
      }
    }
  }

  @Test func `each part of a screen is there from some size on`() {
    #expect(layout(80, 3).title == 0 && layout(80, 4).title == 1 && layout(80, 4).help == 1)
    #expect(layout(80, 9).sources == 0 && layout(80, 10).sources == 1 && layout(80, 10).flow == 1)
    #expect(layout(80, 9).heading + layout(80, 9).footer == 0 && layout(80, 10).heading + layout(80, 10).footer == 2)
    #expect(layout(80, 19).operations + layout(80, 19).cells == 0)
    #expect(layout(80, 20).operations == 3 && layout(80, 20).cells == 3 && layout(80, 20, kinds: 1).cells == 2)
    let least = ScreenLayout.leastCellColumns
    #expect(layout(least - 1, 20).cells == 0 && layout(least, 20).cells == 3)
    #expect(layout(119, 12).sideColumns == 0 && layout(120, 11).sideColumns == 0)
    let wide = layout(120, 12)
    #expect(wide.sideColumns == 58 && wide.listColumns == 61 && wide.flow == 2 && wide.cells == 2)
    #expect(wide.operations == wide.list - wide.cells - wide.flow)
    #expect(layout(1_000, 12).sideColumns == 80)
  }

  @Test func `the pane of cells has the figures of all kinds, however few lines there are`() throws {
    for count in 1...5 {
      var statistics: [String: PoolStatistics] = [:]
      for kind in 0..<count {
        let figures = #"{"created": \#(1 << kind), "hits": 0, "prefetched": 0, "pooled": 0, "discarded": 0}"#
        statistics["kind \(kind)"] = try JSONDecoder().decode(PoolStatistics.self, from: Data(figures.utf8))
      }
      for height in 0...7 {
        let lines = statistics.lines(columns: 60, height: height).map { $0.text.split(separator: " ") }
        #expect(lines.count == min(height, count + 1))
        guard height > 1 else { continue }
        let created = lines.dropFirst().compactMap { Int($0[$0.count - 6]) }
        #expect(created.reduce(0, +) == 1 << count - 1, "\(count) kinds in \(height) lines: \(lines)")
        let rest = count - max(0, height - 2)
        let kinds = height > 2 ? "\(rest) more kinds" : "\(rest) kinds"
        #expect(lines.last?.dropLast(6).joined(separator: " ") == (rest < 2 ? "kind \(count - 1)" : kinds))
      }
    }
  }

  // MARK: - Headers

  @Test func `a row that leaves from under a header leaves no sign that it was seen`() async throws {
    let store = try TestStore.spelled("a 1 2 3 4 5 6 7 8 9 | b 10 11 12")
    try await onScreen(store) { screen in
      try await screen.turnWheel(1)
      try await screen.expect("  A  9\n       4  row 4\n", fromLine: 1, count: 2)
      try await store.edit { _ = try $0.remove(3) }
      try await screen.expect("  A  8\n       4  row 4\n       5  row 5", fromLine: 1, count: 3)
      try await screen.turnWheel(-1)
      #expect(await !screen.lines.contains { $0.contains("row 3") })
      // What is seen leaves a sign for a second.
      try await store.edit { _ = try $0.remove(5) }
      try await screen.expect("the sign of row 5") { $0.contains("  -    5  row 5") }
    }
  }

  @Test func `a section without a title has no header, until it has something to say`() async throws {
    let store = try TestStore.spelled("a 1 2 | b 3 4")
    try await store.edit { try $0.updateSection("a") { $0.content.title = "" } }
    try await onScreen(store) { screen in
      try await screen.expect(
        "       1  row 1\n       2  row 2\n  B  2\n       3  row 3\n       4  row 4", fromLine: 1, count: 5)
      try await store.edit { try $0.updateSection("a") { $0.content.title = "A" } }
      try await screen.expect("~ A  2\n       1  row 1", fromLine: 1, count: 2)
      try await store.edit { try $0.updateSection("b") { $0.content.title = "" } }
      try await screen.expect("no header") { $0[4] == "       3  row 3" }
      // The mark of a removed row follows the row above it, not a header that does not exist.
      try await store.edit { _ = try $0.remove(3) }
      try await screen.expect("the sign of row 3") { $0[3] == "       2  row 2" && $0[4] == "  -    3  row 3" }
    }
  }

  // MARK: - The log of operations

  private func path(_ section: Int, _ row: Int) -> RowPath { RowPath(section: section, row: row) }

  @Test func `operations are told in the notation of UIKit, each kind on its line`() {
    var log = OperationLog()
    log.add(
      ListChanges(
        sections: .init(
          deletes: [1], inserts: [0, 2], moves: [.init(from: 3, to: 4)], updates: [.init(from: 5, to: 6)]),
        rows: .init(
          deletes: [path(0, 4)], inserts: [path(1, 0), path(1, 4), path(1, 5), path(1, 6), path(2, 7)],
          moves: [.init(from: path(0, 3), to: path(1, 1))],
          updates: [.init(from: path(0, 2), to: path(0, 0)), .init(from: path(0, 1), to: path(0, 5))])),
      revision: 7)
    #expect(
      log.entries.map { "#\($0.revision) \($0.mark.sign) \($0.text)" } == [
        "#7 - deleteSections 1", "#7 - deleteRows [0, 4]", "#7 + insertSections 0, 2",
        "#7 + insertRows [1, 0] [1, 4...6] [2, 7]", "#7 > moveSection 3 → 4", "#7 > moveRow [0, 3] → [1, 1]",
        "#7 ~ reloadSections 5", "#7 ~ reloadRows [0, 1...2]",
      ])
  }

  @Test func `a large update is cut short and counted, and the log keeps the latest and stays small`() {
    var log = OperationLog(limit: 10)
    log.add(ListChanges(rows: .init(deletes: (0..<50).map { path(0, $0 * 2) })), revision: 1)
    #expect(log.entries.count == 1 && log.entries[0].text.hasSuffix("[0, 20] [0, 22] … 38 more"))
    for revision in 1...1_000 { log.add(ListChanges(rows: .init(deletes: [path(0, 0)])), revision: revision) }
    #expect(log.entries.count <= 10 && log.entries.last?.revision == 1_000)
  }
}

import Foundation
import RowcastDiff
import RowcastModel
import RowcastSources
import RowcastTable
import RowcastTestSupport
import Testing

@testable import RowcastConsole

/// A screen, its table, and what was written to it.
private final class Watched {
  let table: RetainedTable<TestSection, TestRow>
  var sink: ScreenSink<TestSection, TestRow>
  let start = ContinuousClock.now

  init(columns: Int = 60, lines: Int = 9, _ sections: [(String, [TestRow])]) throws {
    let status = ScreenStatus(title: "test", keys: [("q", "quit", "end"), ("?", "help", "this page")])
    sink = ScreenSink(status: status, size: TerminalSize(columns: columns, lines: lines), theme: .plain)
    var registry = CellRegistry<TestRow>()
    registry.register(ConsoleCell<TestRow>.self)
    table = RetainedTable(cells: registry, headers: CellRegistry<TestSection>.consoleHeaders, height: lines)
    let update = TestUpdate(initial: try Self.list(sections), revision: 0)
    try table.apply(update)
    try fit()
    sink.show(update, in: table, at: start)
  }

  var status: ScreenStatus {
    get { sink.content.status }
    set { sink.content.status = newValue }
  }

  private static func list(_ sections: [(String, [TestRow])]) throws -> TestSnapshot {
    try TestSnapshot(sections.map { ListSection(TestSection($0.0, $0.0.uppercased()), rows: $0.1) })
  }

  private func fit() throws {
    try table.resize(toHeight: sink.room(for: table).lines)
  }

  /// Brings the list to another state.
  func change(to sections: [(String, [TestRow])], after time: Duration = .zero) throws {
    let after = try Self.list(sections)
    let changes = table.snapshot.changes(to: after)
    let revision = (table.revision ?? 0) + 1
    let update = TestUpdate(revision: revision, previous: revision - 1, changes: changes, snapshot: after)
    try table.apply(update)
    sink.show(update, in: table, at: start.advanced(by: time))
  }

  func frame(after time: Duration = .zero) throws -> Frame {
    try fit()
    return sink.nextFrame(of: table, at: start.advanced(by: time))
  }

  /// The lines of the list, without spaces at their ends.
  func list(after time: Duration = .zero) throws -> [String] {
    let lines = try frame(after: time).lines.dropFirst().dropLast().map { line in
      String(line.main.text.reversed().drop { $0 == " " }.reversed())
    }
    return Array(lines.reversed().drop { $0.isEmpty }.reversed())
  }
}

private func rows(_ ids: Int...) -> [TestRow] { ids.map { TestRow($0, "row \($0)") } }

@Suite(.watched) struct ScreenTests {
  @Test func `headers have counts, rows have signs, and moves say where they came from`() throws {
    let screen = try Watched([("a", rows(1, 2, 4, 3)), ("b", [])])
    // Only one row can be what moved.
    let after = [TestRow(3, "row 3"), TestRow(1, "ROW 1"), TestRow(4, "row 4"), TestRow(5, "row 5")]
    try screen.change(to: [("a", after), ("b", [])])
    let from = "  > row 3" + String(repeating: " ", count: 60 - 9 - 11) + "from [0, 3]"
    #expect(
      try screen.list() == ["  A  4", from, "  ~ ROW 1", "  - row 2", "    row 4", "  + row 5", "  B  0"])
  }

  @Test func `signs fade after a second, and ghosts go`() throws {
    let screen = try Watched([("a", rows(1, 2, 3))])
    try screen.change(to: [("a", rows(1, 3, 4))])
    let marked = ["  A  3", "    row 1", "  - row 2", "    row 3", "  + row 4"]
    #expect(try screen.list(after: .milliseconds(999)) == marked)
    #expect(try screen.list(after: .milliseconds(1_000)) == ["  A  3", "    row 1", "    row 3", "    row 4"])
    #expect(screen.sink.recent.nextFading(after: screen.start) == nil)
  }

  @Test func `a sign changes its look half way, and the screen knows when it will`() throws {
    let screen = try Watched([("a", rows(1))])
    try screen.change(to: [("a", rows(1, 2))])
    func style(after time: Duration) throws -> TextStyle? {
      try screen.frame(after: time).lines[3].main.spans.first { $0.text == "+" }?.style
    }
    #expect(screen.sink.recent.nextFading(after: screen.start) == screen.start.advanced(by: .milliseconds(500)))
    #expect(try style(after: .milliseconds(499)) == .inserted)
    #expect(try style(after: .milliseconds(500)) == .faint)
    #expect(
      screen.sink.recent.nextFading(after: screen.start.advanced(by: .milliseconds(500)))
        == screen.start.advanced(by: .seconds(1)))
  }

  @Test func `a deleted section is a ghost with its rows`() throws {
    let screen = try Watched([("a", rows(1)), ("b", rows(2, 3)), ("c", rows(4))])
    try screen.change(to: [("a", rows(1)), ("c", rows(4))])
    #expect(
      try screen.list() == ["  A  1", "    row 1", "- B", "  - row 2", "  - row 3", "  C  1", "    row 4"])
  }

  @Test func `a row that comes back, or crosses into another section, is no ghost`() throws {
    let screen = try Watched([("a", rows(1, 2)), ("b", rows(3))])
    try screen.change(to: [("a", rows(1)), ("c", rows(3, 2))])
    #expect(try !screen.list().contains { $0.contains("- row") })
    try screen.change(to: [("a", rows(1)), ("c", rows(3))])
    #expect(try screen.list().contains("  - row 2"))
    try screen.change(to: [("a", rows(1, 2)), ("c", rows(3))])
    #expect(try screen.list().filter { $0.contains("row 2") } == ["  + row 2"])
  }

  @Test func `a row that comes into view again has no ghost beside it`() throws {
    let screen = try Watched(lines: 6, [("a", rows(1, 2, 3, 4, 5, 6))])
    try screen.change(to: [("a", rows(1, 3, 4, 5, 6))])
    #expect(try screen.list().contains("  - row 2"))
    // Below the screen for now.
    try screen.change(to: [("a", rows(1, 3, 4, 5, 6, 2))])
    #expect(try screen.list().contains("  - row 2"))
    try screen.table.scroll(toLine: screen.table.contentHeight)
    #expect(try screen.list().filter { $0.contains("row 2") } == ["    row 2"])
  }

  @Test func `a section that is new and then named is still new`() throws {
    let screen = try Watched([("a", rows(1))])
    try screen.change(to: [("a", rows(1)), ("b", [])])
    try screen.change(to: [("a", rows(1)), ("b", rows(2))])
    #expect(try screen.list() == ["  A  1", "    row 1", "+ B  1", "  + row 2"])
  }

  @Test func `a ghost stands where its row stood when a neighbour moved`() throws {
    let screen = try Watched([("a", rows(1, 2, 3, 4))])
    try screen.change(to: [("a", rows(3, 4, 1))])
    #expect(try screen.list().dropLast() == ["  A  3", "  - row 2", "    row 3", "    row 4"])
    #expect(try screen.list().last?.hasPrefix("  > row 1") == true)
  }

  @Test func `a row that is inserted and then updated is still new`() throws {
    let screen = try Watched([("a", rows(1))])
    try screen.change(to: [("a", rows(1, 2))])
    try screen.change(to: [("a", [TestRow(1, "row 1"), TestRow(2, "changed")])])
    #expect(try screen.list() == ["  A  2", "    row 1", "  + changed"])
    try screen.change(to: [("a", [TestRow(1, "also"), TestRow(2, "changed")])])
    #expect(try screen.list() == ["  A  2", "  ~ also", "  + changed"])
  }

  @Test func `nothing follows a wide character that was cut at the edge`() {
    // Three columns are left for two characters of two columns each: one, and the sign that something is missing.
    var line = StyledLine(columns: 6)
    line.append("abc")
    line.append("\u{6F22}\u{5B57}")
    #expect(line.text == "abc\u{6F22}…")
    var narrow = StyledLine(columns: 6)
    narrow.append("ab")
    narrow.append("\u{6F22}\u{5B57}\u{6F22}")
    #expect(narrow.text == "ab\u{6F22}…")
    #expect(narrow.free == 0, "the column that a cut character leaves is nobody's")
    narrow.append("x")
    #expect(narrow.text == "ab\u{6F22}…")
  }

  @Test func `ghosts never push the focused row off the screen`() throws {
    let screen = try Watched(lines: 6, [("a", rows(1, 2, 3, 4, 5, 6))])
    screen.table.focus(4)
    try screen.change(to: [("a", rows(2, 3, 4, 5, 6))])
    #expect(try screen.list() == ["  - row 1", "    row 2", "    row 3", "▸   row 4"])
  }

  @Test func `subtitles stand under each other as far as titles leave room`() throws {
    let screen = try Watched([("a", [TestRow(-1, "a"), TestRow(-2, "longer")])])
    let column = ListPane<TestSection, TestRow>.subtitleColumn(of: screen.table, columns: 60)
    #expect(column == 8)
    #expect(ListPane<TestSection, TestRow>.subtitleColumn(of: screen.table, columns: 10) == 3)
  }

  @Test func `the first line says what is watched, and as much about it as there is room for`() throws {
    let screen = try Watched(columns: 70, lines: 6, [("a", rows(1, 2, 3, 4, 5, 6))])
    screen.status.isPaused = true
    #expect(
      try screen.frame().lines[0].main.text
        == "test  PAUSED         6 rows in 1 section   revision 0   lines 1–4 of 7")
    let narrow = try Watched(columns: 20, lines: 6, [("a", rows(1))])
    #expect(try narrow.frame().lines[0].main.text == "test           1 row")
  }

  @Test func `the first line says which lines are seen as soon as one is not`() throws {
    func title(_ ids: Int...) throws -> String {
      try Watched(columns: 70, lines: 6, [("a", ids.map { TestRow($0) })]).frame().lines[0].main.text
    }
    // The section's header is a line, too.
    #expect(try title(1, 2, 3, 4).hasSuffix("lines 1–4 of 5"))
    #expect(try !title(1, 2, 3).contains("lines"))
  }

  @Test func `sources that need attention come first`() throws {
    let screen = try Watched(lines: 12, [("a", rows(1))])
    screen.status.sources = [
      .init(name: "good", status: .live),
      .init(
        name: "bad",
        status: .waiting(attempt: 1, delay: .zero, error: FileError(reason: "connection \u{1B}reset"))),
    ]
    #expect(try screen.frame().lines[1].main.text == "bad waiting: connection ␛reset   good live")
  }

  @Test func `a column without a width stops the program`() async {
    await #expect(processExitsWith: .failure) { _ = ConsoleColumn<TestRow>("TEXT", width: 0) { $0.text } }
  }

  @Test func `help covers the list, and is reached from the last line`() throws {
    let screen = try Watched([("a", rows(1))])
    #expect(try screen.frame().lines.last?.main.text == "q quit  ? help")
    screen.status.mode = .help(page: 0)
    let page = try screen.frame().lines.map(\.main.text)
    #expect(page[1...3] == ["Keys", "  q  end", "  ?  this page"])
    #expect(page.last == "1 of 2; any key: next page, ?: back")
  }

  @Test(arguments: [(80, 24), (40, 10), (20, 5)]) func `help that is longer than a screen has pages`(
    columns: Int, lines: Int
  ) throws {
    let screen = try Watched(columns: columns, lines: lines, [("a", rows(1))])
    let help = screen.status.helpPages(columns: columns, height: 1_000)
    #expect(help.count == 1)
    // A page that has room for all keeps its empty lines.
    let whole = screen.status.helpPages(columns: columns, height: help[0].count)
    #expect(whole.map(\.count) == [help[0].count])
    var read: [String] = []
    let count = screen.status.helpPages(columns: columns, height: lines - 2).count
    for page in 0..<count {
      screen.status.mode = .help(page: page)
      let shown = try screen.frame().lines.map(\.main.text)
      read += shown.dropFirst().dropLast()
      #expect(shown.last?.hasPrefix(page + 1 < count ? "\(page + 1) of \(count); any key" : "any key:") ?? false)
    }
    #expect(read.filter { !$0.isEmpty } == help[0].map(\.text).filter { !$0.isEmpty })
    // As after a resize.
    screen.status.mode = .help(page: 99)
    #expect(try screen.frame().lines.last?.main.text.hasPrefix("any key:") ?? false)
  }

  @Test func `a list that a filter leaves empty says by what`() throws {
    let screen = try Watched([])
    #expect(try screen.frame().lines.map(\.main.text).contains("(empty list)"))
    screen.status.typed = ["filter: ada"]
    #expect(try screen.frame().lines.map(\.main.text).contains("(no rows with filter: ada)"))
  }

  @Test func `the end of a long text is what is seen while it is typed`() throws {
    let screen = try Watched(columns: 20, [("a", rows(1))])
    let text = "0123456789abcdefghijklmnop\u{1B}[2J"
    screen.status.mode = .prompt(Prompt(.text("") { _ in nil }, label: "/", former: text))
    #expect(try screen.frame().lines.last?.main.text == "/cdefghijklmnop␛[2J_")
  }

  @Test func `the list never has less than half of the screen`() {
    for lines in 1...300 {
      for columns in [10, 80, 130] {
        var status = ScreenStatus(title: "", keys: [])
        status.sources = [.init(name: "source", status: .live)]
        let layout = ScreenLayout(TerminalSize(columns: columns, lines: lines), status, kinds: 50)
        #expect(layout.list * 2 >= lines, "\(columns)×\(lines): \(layout)")
      }
    }
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
        let last = rest < 2 ? ["kind", "\(count - 1)"] : ["\(rest)"] + (height > 2 ? ["more", "kinds"] : ["kinds"])
        #expect(lines.last?.dropLast(6).map(String.init) == last)
      }
    }
  }

  @Test func `each part of a screen is there from some size on`() {
    var status = ScreenStatus(title: "", keys: [])
    status.sources = [.init(name: "source", status: .live)]
    (status.heading, status.footer) = ("heading", "footer")
    func layout(_ columns: Int, _ lines: Int, kinds: Int = 3) -> ScreenLayout {
      ScreenLayout(TerminalSize(columns: columns, lines: lines), status, kinds: kinds)
    }
    #expect(layout(80, 3).title == 0 && layout(80, 4).title == 1 && layout(80, 4).help == 1)
    #expect(layout(80, 9).sources == 0 && layout(80, 10).sources == 1 && layout(80, 10).flow == 1)
    #expect(layout(80, 9).heading + layout(80, 9).footer == 0 && layout(80, 10).heading + layout(80, 10).footer == 2)
    #expect(layout(80, 19).operations + layout(80, 19).cells == 0)
    #expect(layout(80, 20).operations == 3 && layout(80, 20).cells == 3 && layout(80, 20, kinds: 1).cells == 2)
    #expect(
      layout(ScreenLayout.leastCellColumns - 1, 20).cells == 0 && layout(ScreenLayout.leastCellColumns, 20).cells == 3)
    #expect(layout(119, 12).sideColumns == 0 && layout(120, 11).sideColumns == 0)
    let wide = layout(120, 12)
    #expect(wide.sideColumns == 58 && wide.listColumns == 61 && wide.flow == 2 && wide.cells == 2)
    #expect(wide.operations == wide.list - wide.cells - wide.flow)
    #expect(layout(1_000, 12).sideColumns == 80)
  }
}

/// A section whose title has the number of its rows.
private struct CountedSection: ConsoleSection {
  let id: String
  var title: String
  var showsRowCount: Bool { false }
}

extension ScreenTests {
  @Test func `a header that says how many rows there are gets no second number`() throws {
    var registry = CellRegistry<TestRow>()
    registry.register(ConsoleCell<TestRow>.self)
    let headers = CellRegistry<CountedSection>.consoleHeaders
    let table = RetainedTable<CountedSection, TestRow>(cells: registry, headers: headers, height: 4)
    let section = CountedSection(id: "a", title: "Open (1)")
    let list = try ListSnapshot<CountedSection, TestRow>([ListSection(section, rows: [TestRow(7, "x")])])
    let update = ListUpdate(initial: list, revision: 0)
    try table.apply(update)
    let status = ScreenStatus(title: "test", keys: [])
    var sink = ScreenSink<CountedSection, TestRow>(
      status: status, size: TerminalSize(columns: 40, lines: 6), theme: .plain)
    #expect(sink.nextFrame(of: table, at: .now).lines[1].main.text == "  Open (1)")
    var text = ""
    var log = LogSink<CountedSection, TestRow> { text += $0 }
    try log.show(update, in: table)
    #expect(text.contains(": Open (1)\n"), "\(text)")
  }
}

import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTable
import RowcastTestSupport
import RowcastTesting
import RowcastViews
import Testing

@testable import RowcastConsole

extension ConsoleScreen {
  /// The words on a line that are marked as hits of a search.
  fileprivate func hits(line: Int) -> [String] {
    emphasised(line: line).filter { $0.parameters == Theme.dark.parameters(of: .found) }.map(\.text)
  }
}

/// The search of every app.
@Suite(.watched) struct ScreenSearchTests {
  @Test func `a search marks every hit on the screen, and goes on in both directions`() async throws {
    try await onScreen(.rows(100)) { screen in
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

  @Test func `what is marked is what is found: nothing that begins in one column and ends in the next`() async throws {
    try await onScreen(.rows(9)) { screen in
      for (text, hits) in [("1  row", []), ("row 1", ["row 1"]), (" ", [" "]), ("1", ["1", "1"])] {
        try await screen.press(.control("f"), .control("u"))
        try await screen.type(text)
        try await screen.press(.enter)
        // The space between the columns and those that fill them show nothing.
        #expect(await screen.hits(line: 2) == hits, "\(text)")
        try await screen.press(.escape, .escape)
      }
    }
    try await onScreen(.rows(9), in: []) { screen in
      try await screen.press(.control("f"), " ", "r", .enter)
      #expect(await screen.hits(line: 3).isEmpty)
    }
  }

  @Test func `a search for what no row has says so, and Escape restores the former one`() async throws {
    try await onScreen(.rows(3), columns: 60, lines: 8) { screen in
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
    try await onScreen(store) { screen in
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
    ("ab", "xABab", [1..<3, 3..<5]), ("é", "E\u{301}é", [0..<1, 1..<2]), ("e", "e\u{301}x", [0..<1]),
    ("É", "e", [0..<1]),
    ("cafe", "Café", [0..<4]), ("Ἀθηνα", "αθήνα", [0..<5]), ("か", "が", []), ("e", "日e\u{301}", [1..<2]),
    ("日", "a日本", [1..<2]),
    ("aa", "aaaaa", [0..<2, 2..<4]), ("b", "", []), ("ß", "Straße", [4..<5]), ("k", "\u{212A}", [0..<1]),
  ])
  func `hits are whole characters, in either case, with or without accents`(
    text: String, other: String, ranges: [Range<Int>]
  ) throws {
    let matcher = try #require(TextMatcher(text))
    #expect(matcher.ranges(in: other) == ranges)
    #expect(matcher.occurs(in: other) == !ranges.isEmpty)
  }

  @Test func `marking changes no text, and marks what is found across styles`() throws {
    var line = StyledLine(columns: 20)
    line.append("ab", .strong)
    line.append("cd 日本 ab", .faint)
    let marked = line.marking(TextMatcher("bc"), in: [0..<10])
    #expect(line.marking(TextMatcher("bc"), in: [0..<2, 2..<10]) == line)
    #expect(marked.text == line.text && marked.free == line.free)
    #expect(marked.spans.map(\.text) == ["a", "bc", "d 日本 ab"])
    #expect(marked.spans.map(\.style) == [.strong, .found, .faint])
  }
}

import Foundation
import Testing

@testable import RowcastConsole

/// The search and the filter of every app: one rule for the text that they search, and for their matches.
@Suite(.watched) struct ScreenSearchTests {
  @Test func `a search marks every hit on the screen, and goes on in both directions`() async throws {
    try await onScreen(.rows(100)) { screen in
      try await screen.press(.control("f"))
      try await screen.type("ROW 5")
      // The list stays as it is.
      try await screen.expect("the prompt") { $0[7].hasPrefix("search: ROW 5_") }
      #expect(await screen.hits(line: 6) == ["row 5"])
      try await screen.press(.enter, shows: "▸      5  row 5", at: 6)
      #expect(await screen.hits(line: 6) == ["row 5"])
      try await screen.press("n")
      try await screen.expect("row 50 in the middle") { $0[3] == "▸     50  row 50" }
      #expect(await screen.hits(line: 4) == ["row 5"], "row 51")
      try await screen.press("N", "N")
      try await screen.expect("the last one, around the end") { $0.contains("▸     59  row 59") }
      try await screen.press(.escape)
      #expect(await screen.hits(line: 4).isEmpty)
      #expect(await screen.focused == "▸     59  row 59")
      try await screen.press(.escape)
      try await screen.expect("no focus") { !$0.contains { $0.hasPrefix("▸") } }
      try await screen.press("n", shows: "nothing is searched for", at: 7)
    }
  }

  @Test func `what is marked is what is found: nothing that begins in one column and ends in the next`() async throws {
    try await onScreen(.rows(9)) { screen in
      for (text, hits) in [("1  row", []), ("row 1", ["row 1"]), (" ", [" "]), ("1", ["1", "1"])] {
        try await screen.search(text)
        // The space between the columns and the spaces that fill them show nothing.
        #expect(await screen.hits(line: 2) == hits, "\(text)")
        try await screen.press(.escape, .escape)
      }
    }
    try await onScreen(.rows(9), in: []) { screen in
      try await screen.search(" r")
      #expect(await screen.hits(line: 3).isEmpty)
    }
  }

  @Test func `a search for what no row has says so, and Escape restores the former one`() async throws {
    try await onScreen(.rows(3), columns: 60) { screen in
      try await screen.search("pear")
      try await screen.expect("no row has \"pear\"", fromLine: 7)
      #expect(await screen.lines[0].hasPrefix("test  search: pear"))
      try await screen.press(.control("f"), "s", .escape)
      #expect(await screen.lines[0].hasPrefix("test  search: pear"))
      // Nothing typed is the former text once more.
      try await screen.press(.control("f"), .enter, shows: "no row has \"pear\"", at: 7)
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

  @Test func `the filter and the search find what columns show, and nothing that they do not; the help has the rule`()
    async throws
  {
    // The title has one letter more, and the subtitle is "negative".
    let owner = ConsoleColumn<TestRow>("OWNER", width: 12) { String($0.text.dropFirst()) }
    let rows = [TestRow(-1, "xZoë"), TestRow(-2, "xbob"), TestRow(-3, "xZOE")]
    let store = TestStore(try TestSnapshot([ListSection(TestSection("a"), rows: rows)]))
    try await onScreen(store, in: [owner], columns: 80, lines: 6) { screen in
      for (text, focus) in [("x", nil), ("negative", nil), ("ZOÉ", "▸   Zoë"), ("b", "▸   bob")] {
        try await screen.press(.escape, .escape)
        try await screen.search(text)
        #expect(await screen.focused == focus, "\(text)")
        #expect(await screen.lines[5] == "no row has \"\(text)\"" || focus != nil)
      }
      try await screen.press(.escape, .escape)
      for (text, shown) in [("x", []), ("negative", []), ("zoe", ["Zoë", "ZOE"]), ("B", ["bob"])] {
        try await screen.filter(text)
        #expect(await screen.lines[0].hasPrefix("test  filter: \(text)"))
        // The marks of removed rows fade.
        try await screen.advance(by: .seconds(1))
        let owners: [String] = await screen.lines[1...4].map { String($0.dropFirst(4)) }
        #expect(owners.filter { $0.count == 3 } == shown, "\(text)")
      }
      try await screen.resize(columns: 80, lines: 40)
      try await screen.press("?")
      let rule = "  Filter and search look at what rows show; case and accents make no difference"
      #expect(await screen.lines.contains(rule))
    }
  }

  @Test func `what a screen shows in place of another text is found, in columns and without`() async throws {
    let texts = [
      ("key\tvalue", "key value"), ("a\r\nb", "a b"), ("\u{1B}[1mx", "␛[1"), ("p\u{202E}q", "p<U+202E>q"),
      ("m\0n", "m␀n"), ("é\tw", "É W"),
    ]
    let rows = texts.enumerated().map { TestRow($0 + 1, $1.0) }
    for fields in [[], [ConsoleColumn("TEXT", width: 20) { $0.text }]] as [[ConsoleColumn<TestRow>]] {
      let store = TestStore(try TestSnapshot([ListSection(TestSection("a", "A"), rows: rows)]))
      try await onScreen(store, in: fields, lines: 12) { screen in
        for (index, (raw, shown)) in texts.enumerated() {
          try await screen.search(shown)
          let place = index + (fields.isEmpty ? 2 : 3)
          #expect(await screen.lines[place].hasPrefix("▸"), "\(spelled(raw))")
          #expect(await screen.hits(line: place).map { $0.lowercased() } == [shown.lowercased()], "\(spelled(raw))")
          try await screen.press(.escape, .escape)
        }
        for (raw, shown) in texts {
          try await screen.filter(shown)
          try await screen.expect("\(spelled(raw))") { $0[0].contains("  1 row") }
          #expect(await screen.lines.contains { $0.lowercased().contains(shown.lowercased()) }, "\(spelled(raw))")
        }
      }
    }
  }

  // MARK: - What is found

  /// The characters in lower case, each without the marks of Latin, Greek and Cyrillic.
  private func bare(_ text: String) -> [Character] {
    text.map { character in
      let parts = String(character).lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
      let bare = parts.filter { !(0x300...0x36F).contains($0.value) }
      return String(String.UnicodeScalarView(bare)).precomposedStringWithCanonicalMapping.first ?? character
    }
  }

  @Test func `each part of what is shown is found in its text, and nothing else, however hostile the text is`() {
    forHostileTexts(length: 12) { text, note, random in
      let shown = Array(text.neutralized)
      guard !shown.isEmpty else { return }
      let (first, last) = (Int.random(in: shown.indices, using: &random), Int.random(in: shown.indices, using: &random))
      let part = String(shown[min(first, last)...max(first, last)])
      let matcher = TextMatcher(part)
      #expect(matcher?.occurs(in: text) ?? false, "\(note) \(spelled(part))")
      #expect(TextMatcher(text)?.occurs(in: text) ?? false, "\(note)")
      for other in ["\t", "\r\n", "a\tb", "a  b", "\u{1B}", "x\u{7F}"] {
        // What is typed is shown, too.
        let hay = text + "a\r\nb\tx"
        let (all, wanted) = (bare(hay.neutralized), bare(other.neutralized))
        let isShown = all.indices.contains { all[$0...].starts(with: wanted) }
        #expect(TextMatcher(other)?.occurs(in: hay) == isShown, "\(note) \(spelled(other))")
      }
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

  @Test func `a search ends with the rows that are left when the list becomes shorter`() throws {
    func list(_ count: Int) throws -> TestSnapshot {
      try TestSnapshot([ListSection(TestSection("a"), rows: (0..<count).map { TestRow($0) })])
    }
    let long = try list(3 * RowSearch.slice)
    for rest in [0, 1, 10, RowSearch.slice + 1] {
      var search = RowSearch(from: RowPath(section: 0, row: 0), step: 1, rows: long.rowCount)
      let count = CallCount()
      #expect(search.advance(in: long) { _ in false } == nil && search.rest == 2 * RowSearch.slice)
      let short = try list(rest)
      while search.rest > 0 {
        _ = search.advance(in: short) { _ in count.note(false) }
        // The part of the list that is still to be looked at is shown.
        #expect(search.rest <= short.rowCount)
      }
      #expect(count.value == rest)
    }
  }

  @Test func `hits are whole characters, those that a comparison without case and accents finds`() throws {
    var random = SeededGenerator.forFuzzing("matches without case and accents")
    let letters = [
      "a", "A", "á", "Ä", "e", "é", "E\u{301}", "ё", "Е", "й", "ὰ", "Ά", "α", "日", "が", "か", " ", "ß", "ç", "ǖ", "1",
      "k", "\u{212A}", "Ἀ",
    ]
    func text(_ lengths: ClosedRange<Int>, of letters: [String]) -> String {
      (0..<Int.random(in: lengths, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
    }
    for _ in 0..<5_000 {
      // Few letters occur often, and overlap.
      let some = [letters, Array(letters.shuffled(using: &random).prefix(3))].randomElement(using: &random) ?? letters
      let (wanted, other) = (text(1...3, of: some), text(0...12, of: some))
      let (needle, hay) = (bare(wanted), bare(other))
      var expected: [Range<Int>] = []
      for start in hay.indices where start >= expected.last?.upperBound ?? 0 && hay[start...].starts(with: needle) {
        expected.append(start..<start + needle.count)
      }
      let matcher = try #require(TextMatcher(wanted))
      #expect(matcher.occurs(in: other) == !expected.isEmpty, "seed \(random.seed): \(wanted) in \(other)")
      #expect(matcher.ranges(in: other) == expected, "seed \(random.seed): \(wanted) in \(other)")
    }
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

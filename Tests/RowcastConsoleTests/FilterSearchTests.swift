import Foundation
import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastTesting
import RowcastViews
import Testing

@testable import RowcastConsole

/// One rule for the filter and the search: what they look at, and what they find.
@Suite(.watched) struct FilterSearchTests {
  struct Job: ConsoleRow {
    let id: Int
    var title: String
    var owner: String
    var subtitle: String? { "secret" }
  }

  /// Rows with columns that show no title, a store that keeps them, and an app.
  private func app() throws -> (ConsoleApp<SoleSection, Job>, ListStore<SoleSection, Job>) {
    let jobs = try ListStore([
      Job(id: 1, title: "alpha", owner: "Zoë"), Job(id: 2, title: "beta", owner: "bob"),
      Job(id: 3, title: "gamma", owner: "ZOE"),
    ])
    var app = ConsoleApp(jobs, columns: [ConsoleColumn("OWNER", width: 12) { $0.owner }])
    app.environment = [:]
    return (app, jobs)
  }

  @Test func `the filter finds what columns show, and nothing that they do not`() async throws {
    let (app, jobs) = try app()
    try await ConsoleScreen.show(app, columns: 60, lines: 6) { screen in
      let found: KeyValuePairs = ["alpha": [], "secret": [], "zoe": ["Zoë", "ZOE"], "B": ["bob"]]
      for (text, shown) in found {
        try await screen.press("/", .control("u"))
        try await screen.type(text)
        try await screen.press(.enter)
        #expect(await screen.lines[0].hasPrefix("  filter: \(text)"))
        // The marks of rows that are gone fade.
        try await screen.advance(by: .seconds(1))
        let owners: [String] = await screen.lines[1...4].map { String($0.dropFirst(4)) }
        #expect(owners.filter { $0.count == 3 } == shown, "\(text)")
      }
    }
    withExtendedLifetime(jobs) {}
  }

  @Test func `the search goes to the rows that the filter would leave`() async throws {
    let (app, jobs) = try app()
    try await ConsoleScreen.show(app, columns: 60, lines: 6) { screen in
      for (text, focus) in [("alpha", nil), ("secret", nil), ("ZOÉ", "▸   Zoë"), ("b", "▸   bob")] {
        try await screen.press(.escape, .escape, .control("f"))
        try await screen.type(text)
        try await screen.press(.enter)
        #expect(await screen.lines.first { $0.hasPrefix("▸") } == focus, "\(text)")
        #expect(await screen.lines[5] == "no row has \"\(text)\"" || focus != nil)
      }
    }
    withExtendedLifetime(jobs) {}
  }

  @Test func `the help page has the rule`() async throws {
    let (app, jobs) = try app()
    try await ConsoleScreen.show(app, columns: 80, lines: 40) { screen in
      try await screen.press("?")
      #expect(
        await screen.lines.contains("  Filter and search look at what rows show; case and accents make no difference"))
    }
    withExtendedLifetime(jobs) {}
  }

  @Test func `a search finds neither the guides nor the signs of an outline`() async throws {
    let rows = [TestNode(1, under: nil, "top"), TestNode(2, under: 1, "leaf")]
    let store = try ListStore(rows)
    var app = ConsoleApp(store, columns: [ConsoleColumn("NODE", width: 12) { $0.title }])
    app.environment = [:]
    app.outline = ConsoleOutline(\.place)
    try await ConsoleScreen.show(app, columns: 60, lines: 6) { screen in
      try await screen.press(.control("f"), "▸", .enter)
      #expect(await screen.lines[5] == "no row has \"▸\"")
    }
    withExtendedLifetime(store) {}
  }

  private struct TestNode: ConsoleRow {
    let id: Int
    var title: String
    var subtitle: String? { nil }
    var place: OutlinePlace<Int>

    init(_ id: Int, under parent: Int?, _ title: String) {
      (self.id, self.title, place) = (id, title, OutlinePlace(parent: parent))
    }
  }

  @Test func `what is found is what a comparison without case and accents finds`() throws {
    var random = SeededGenerator.forFuzzing("matches without case and accents")
    let letters = [
      "a", "A", "á", "Ä", "e", "é", "E\u{301}", "ё", "Е", "й", "ὰ", "Ά", "α", "日", "が", "か", " ", "ß", "ç", "ǖ", "1",
    ]
    func text(_ lengths: ClosedRange<Int>) -> String {
      (0..<Int.random(in: lengths, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
    }
    /// The characters in lower case, each without the marks of Latin, Greek and Cyrillic.
    func bare(_ text: String) -> [Character] {
      text.map { character in
        let parts = String(character).lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
        let bare = parts.filter { !(0x300...0x36F).contains($0.value) }
        return String(String.UnicodeScalarView(bare)).precomposedStringWithCanonicalMapping.first ?? character
      }
    }
    for _ in 0..<5_000 {
      let (wanted, other) = (text(1...3), text(0...12))
      let (needle, hay) = (bare(wanted), bare(other))
      let expected = hay.indices.contains { start in hay[start...].starts(with: needle) }
      let matcher = try #require(TextMatcher(wanted))
      #expect(matcher.occurs(in: other) == expected, "seed \(random.seed): \(wanted) in \(other)")
      #expect(matcher.ranges(in: other).isEmpty != expected, "seed \(random.seed): \(wanted) in \(other)")
    }
  }
}

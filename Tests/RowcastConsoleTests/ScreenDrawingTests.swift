import Testing

@testable import RowcastConsole
@testable import RowcastTesting

/// What is written to a screen, and the work that this takes.
@Suite(.watched) struct ScreenDrawingTests {
  /// Shows rows beside all panels.
  private func show(
    _ store: TestStore, columns: Int = 80, lines: Int = 24,
    _ body: @escaping @Sendable (ConsoleScreen) async throws -> Void
  ) async throws {
    try await onScreen(
      store, in: [], columns: columns, lines: lines, { $0.panels = Set(ScreenPanel.allCases) }, body)
  }

  /// The lines and the columns that a frame addresses, from 1.
  private func places(in frame: String) -> [(line: Int, column: Int)] {
    frame.matches(of: /\u{1B}\[(\d+);(\d+)H/).map { (Int($0.output.1) ?? 0, Int($0.output.2) ?? 0) }
  }

  @Test func `a screen on which nothing happens is not written to`() async throws {
    let store = try TestStore.rows(20)
    try await show(store) { screen in
      try await store.edit { try $0.update(1) { $0.text = "new" } }
      try await screen.expect("a mark") { $0.contains { $0.hasPrefix("  ~ new") } }
      // The mark fades, and the last figures are shown.
      try await screen.advance(by: .seconds(2))
      let count = await screen.frames.count
      try await screen.advance(by: .seconds(60))
      #expect(await screen.frames.count == count)
    }
  }

  @Test func `the figures count events that leave the list as it was, once the app has told of them`() async throws {
    let (messages, message) = AsyncStream.makeStream(of: String.self)
    let events = CallCount()
    try await onScreen(
      try TestStore.rows(1), in: [], columns: 80, lines: 24,
      {
        $0.panels = Set(ScreenPanel.allCases)
        $0.messages = messages
        $0.figures = { FlowFigures(events: events.value) }
      }
    ) { screen in
      try await screen.advance(by: .seconds(1))
      for number in 1...3 {
        events.note(())
        message.yield("event \(number) was refused")
        try await screen.expect("the refusal") { $0[23].contains("event \(number) was refused") }
      }
      try await screen.advance(by: .seconds(1))
      try await screen.expect("the figures") { $0.contains { $0.contains("3 events →") } }
    }
  }

  @Test func `figures that change with an event alone, or with the frame that shows a list, are shown`() async throws {
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    let (events, frames, store) = (CallCount(), CallCount(), try TestStore.rows(1))
    try await onScreen(
      store, in: [], columns: 80, lines: 24,
      {
        $0.panels = Set(ScreenPanel.allCases)
        $0.figureChanges = changes
        $0.figures = {
          let latency = Duration.milliseconds(20)
          return FlowFigures(events: events.value, latency: frames.value > 0 ? (latency, latency) : nil)
        }
        $0.onFrame = { if $0 > 0 { frames.note(()) } }
      }
    ) { screen in
      try await screen.advance(by: .seconds(1))
      try await store.edit { try $0.update(1) { $0.text = "new" } }
      try await screen.expect("the change") { $0.contains { $0.hasPrefix("  ~ new") } }
      try await screen.advance(by: .seconds(1))
      try await screen.expect("its latency") { $0.contains { $0.contains("latency p50 20 ms") } }
      for number in 1...3 {
        try await screen.advance(by: .seconds(1))
        events.note(())
        change.yield()
        try await screen.expect("\(number) events") { $0.contains { $0.contains(counted(number, "event") + " →") } }
      }
    }
  }

  @Test func `only what changed is written, and everything after control-L`() async throws {
    let store = try TestStore.rows(10)
    try await show(store) { screen in
      try await screen.press(.control("l"))
      let full = try #require(await screen.frames.last)
      #expect(full.contains("\u{1B}[2J") && full.contains("row 8"))
      let count = await screen.frames.count
      try await store.edit { try $0.update(7) { $0.text = "changed" } }
      try await screen.expect("the change") { $0.contains { $0.hasPrefix("  ~ changed") } }
      let drawn = await screen.frames[count]
      // The title with its revision, the row, the operations, and the counts of the events.
      #expect(places(in: drawn).count <= 6 && drawn.count < full.count / 2 && !drawn.contains("row 8"), "\(drawn)")
    }
  }

  @Test(arguments: [(80, 24), (130, 24), (30, 12)])
  func `a terminal with other ideas of width keeps neighbours whole`(columns: Int, lines: Int) async throws {
    let texts = ["日本語テキスト", "👩‍👩‍👧‍👦 family", "☂️ ❤️ VS16", "שלום עולם", "e\u{301}\u{301}\u{301}", "한국어 flags 🇫🇷🇩🇪"]
    let rows = texts.enumerated().map { TestRow($0, String(repeating: $1, count: 6)) }
    let store = TestStore(try TestSnapshot([ListSection(TestSection("a"), rows: rows)]))
    try await show(store, columns: columns, lines: lines) { screen in
      try await screen.press(.control("l"))
      let drawn = try #require(await screen.frames.last)
      for width in 1...3 {
        var other = ScreenText(size: TerminalSize(columns: columns, lines: lines)) { character in
          character.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2FF ? width : 1) }
        }
        other.write(drawn)
        #expect(other.lines[0].hasPrefix("test") && other.lines[lines - 1].hasPrefix("q quit"), "\(other.lines)")
        #expect(columns < 120 || other.lines[1].contains(" operations"), "\(other.lines)")
      }
    }
  }

  /// The texts that the cells of a list take while it is scrolled.
  private func texts(rows: Int) async throws -> Int {
    let count = CallCount()
    let text = ConsoleColumn<TestRow>("TEXT", width: 8) { count.note($0.text) }
    try await onScreen(.rows(rows), in: [text], columns: 40, lines: 20) { screen in
      try await screen.press("j", .pageDown, .pageDown, "G", "k", .pageUp, "g", " ", " ", "b")
      try await screen.turnWheel(10)
      try await screen.turnWheel(-3)
      try await screen.press("j", "j", "n")
    }
    return count.value
  }

  @Test func `a long list is scrolled with the work of a short one`() async throws {
    let long = SeededGenerator.rounds(20_000, long: 1_000_000)
    #expect(try await texts(rows: long) == texts(rows: 1_000))
  }
}

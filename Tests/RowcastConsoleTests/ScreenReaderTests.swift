import Testing

@testable import RowcastConsole

/// The screen for a person who does not see it: the cursor, and text without decoration.
@Suite(.watched) struct ScreenReaderTests {
  /// The line of the cursor; `nil` while it is hidden.
  private func readLine(_ screen: ConsoleScreen) async -> String? {
    guard let cursor = await screen.cursor else { return nil }
    return await screen.lines[cursor.line]
  }

  @Test func `the cursor stands at the focused row, in the typed text, and where something was said`() async throws {
    try await onScreen(.rows(30), { $0.isForScreenReader = true }) { screen in
      #expect(await readLine(screen) == "  A  30")
      try await screen.press("j")
      #expect(await readLine(screen) == "       1  row 1")
      try await screen.press("j", .pageDown)
      #expect(await readLine(screen)?.hasSuffix("row 7") == true)
      #expect(await screen.lines.allSatisfy { !$0.contains("▸") })
      #expect(await screen.emphasised(line: 3).isEmpty)
      try await screen.press("/", "1", "2", .left)
      #expect(await readLine(screen)?.hasPrefix("filter: 12") == true)
      #expect(await screen.cursor?.column == "filter: 1".count)
      try await screen.press(.control("e"), .enter)
      try await screen.press(.escape, "?")
      #expect(await screen.cursor?.line == 1)
      try await screen.press("?")
      try await screen.press("n")
      #expect(await readLine(screen) == "nothing is searched for")
    }
  }

  @Test func `the cursor moves though nothing else on the screen has changed, and is still otherwise`() async throws {
    try await onScreen(.rows(3), { $0.isForScreenReader = true }) { screen in
      try await screen.send("\u{1B}[?2026;2$y\u{1B}[?62c")
      try await screen.press("j")
      let count = await screen.frames.count
      try await screen.press("j")
      #expect(await readLine(screen) == "       2  row 2")
      let frame = try #require(await screen.frames.last)
      // While lines are written the cursor is hidden, and the whole is one piece.
      #expect(frame.hasPrefix("\u{1B}[?2026h\u{1B}[?25l") && frame.hasSuffix("\u{1B}[4;1H\u{1B}[?25h\u{1B}[?2026l"))
      #expect(await screen.frames.count == count + 1)
      try await screen.advance(by: .seconds(60))
      #expect(await screen.frames.count == count + 1)
    }
  }

  @Test(
    arguments: [("1", nil, true), ("", nil, false), ("0", nil, false), ("1", false, false), (nil, true, true)]
      as [(String?, Bool?, Bool)])
  func `the app decides, or else the environment`(_ value: String?, _ choice: Bool?, _ isShown: Bool) async throws {
    try await onScreen(.rows(3)) {
      $0.environment = value.map { ["ACCESSIBLE": $0] } ?? [:]
      ($0.isForScreenReader, $0.panels) = (choice, [.operations])
    } _: { screen in
      #expect(await (screen.cursor != nil) == isShown)
      try await screen.press("j")
      #expect(await screen.lines.contains { $0.contains("▸") } != isShown)
    }
  }
}

import Testing

@testable import RowcastConsole

/// The colours of a screen, and their sources.
@Suite(.watched) struct ScreenThemeTests {
  private static let background = "\u{1B}]11;rgb:"

  /// The look of the row that has just changed.
  private func look(_ screen: ConsoleScreen) async -> String? { await screen.emphasised(line: 2).first?.parameters }

  /// Shows a row that changes at some time, and keeps its mark.
  private func show(
    _ change: (inout TestApp) -> Void = { _ in },
    _ body: @escaping @Sendable (ConsoleScreen, _ mark: @Sendable () async throws -> Void) async throws -> Void
  ) async throws {
    let store = try TestStore.rows(2)
    try await onScreen(store, change) { screen in
      try await body(screen) {
        try await store.edit { try $0.update(1) { $0.text = "new" } }
        try await screen.expect("a mark") { $0[2].hasPrefix("  ~") }
      }
    }
  }

  @Test func `the terminal tells its background colour, and the theme fits it`() async throws {
    try await show { screen, mark in
      try await mark()
      #expect(await look(screen) == Theme.dark.parameters(of: .updated))
      // In whatever pieces the answer arrives.
      for piece in [Self.background + "ff", "ff/ffff/ff", "ff\u{1B}", "\\"] { try await screen.send(piece) }
      #expect(await look(screen) == Theme.light.parameters(of: .updated))
      try await screen.send("\(Self.background)1c/1c/1c\u{7}")
      #expect(await look(screen) == Theme.dark.parameters(of: .updated))
    }
  }

  @Test func `the theme follows the colours of the terminal`() async throws {
    try await show { screen, mark in
      try await screen.send("\u{1B}[?2031;2$y\u{1B}[?62;c")
      try await screen.advance(by: .seconds(60))
      try await mark()
      #expect(await look(screen) == Theme.dark.parameters(of: .updated))
      try await screen.send("\u{1B}[?997;2n")
      // What the person prefers may not be what this terminal shows.
      #expect(await look(screen) == Theme.dark.parameters(of: .updated))
      #expect(await screen.frames.last?.hasPrefix("\u{1B}]11;?\u{7}\u{1B}[c") == true)
      try await screen.send("\(Self.background)ffff/ffff/ffff\u{7}\u{1B}[?62;c")
      #expect(await look(screen) == Theme.light.parameters(of: .updated))
    }
  }

  @Test(arguments: [
    (Theme?.none, [:], Theme.dark), (.highContrast, [:], .highContrast), (nil, ["COLORFGBG": "15;0"], .dark),
    (nil, ["COLORFGBG": "0;15"], .light), (.dark, ["COLORFGBG": "0;15"], .dark), (nil, ["NO_COLOR": "1"], .plain),
  ])
  func `an answer about the background colour that is late, or that nobody asked for, changes nothing`(
    theme: Theme?, environment: [String: String], expected: Theme
  ) async throws {
    let isAsked = theme == nil && environment.isEmpty
    try await show({ ($0.theme, $0.environment) = (theme, environment) }) { screen, mark in
      if isAsked { try await screen.advance(by: .milliseconds(1_001)) }
      try await mark()
      try await screen.send("\(Self.background)\(expected == .light ? "0000/0000/0000" : "ffff/ffff/ffff")\u{7}")
      #expect(await look(screen) == expected.parameters(of: .updated))
    }
  }

  @Test func `a theme of one's own is used, and none without colour`() async throws {
    var theme = Theme.dark
    theme[.strong] = TextLook(.rgb(1, 2, 3), on: .indexed(200), isBold: true, isUnderlined: true)
    #expect(theme.parameters(of: .strong) == "1;4;38;2;1;2;3;48;5;200" && theme.parameters(of: .plain) == nil)
    for (color, looks) in [(ColorPolicy.auto, ["1;4;38;2;1;2;3;48;5;200"]), (.never, [])] {
      let own = theme
      try await onScreen(.rows(2), { ($0.theme, $0.color) = (own, color) }) { screen in
        #expect(await screen.emphasised(line: 0).prefix(1).map(\.parameters) == looks)
      }
    }
  }
}

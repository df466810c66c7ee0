import Testing

@testable import RowcastConsole
@testable import RowcastTesting

/// The screen in memory, on which tests show their apps.
@Suite(.watched) struct ConsoleScreenTests {
  @Test func `an app is shown, takes keys, and is resized, and its last screen is kept`() async throws {
    try await onScreen(.rows(3), lines: 7) { screen in
      try await screen.expect(
        """
        test              3 rows in 1 section   revision 0
          A  3
               1  row 1
               2  row 2
               3  row 3

        q quit  ? help  s sort  / filter  p pause
        """)
      try await screen.press("j", "j", shows: "▸      2  row 2", at: 3)
      // A paste is text, and no key where none is typed.
      try await screen.paste("q")
      try await screen.resize(columns: 20, lines: 4)
      try await screen.expect("▸      2  row 2", fromLine: 2, count: 1)
      try await screen.press("q")
      #expect(await screen.ending == .quit)
      await #expect(throws: ScreenError.self) { try await screen.press("j") }
      #expect(await screen.lines[2] == "▸      2  row 2")
      // After the end, the last screen decides at once.
      try await screen.expect("▸      2  row 2", fromLine: 2, count: 1)
      await #expect(throws: ScreenError.self) { try await screen.expect("▸      3  row 3", fromLine: 2, count: 1) }
      await #expect(throws: ScreenError.self) { try await screen.expect("a pear") { _ in false } }
    }
  }

  @Test func `a failure has a picture of the difference`() async throws {
    try await onScreen(.rows(2), columns: 40, lines: 5) { screen in
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

  @Test func `keys after the end of a list are a failure, the first of them, too`() async throws {
    let list = try TestStore.rows(2)
    try await onScreen(list) { screen in
      await list.finish()
      while await screen.ending == nil { await Task.yield() }
      await #expect(throws: ScreenError.self) { try await screen.press("j") }
    }
  }

  @Test func `a test that fails ends its app, and an app that cannot be shown ends its test`() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) { try await onScreen(.rows(2)) { _ in throw Failure() } }
    let commands = ["one", "two"].map { KeyCommand<Int>("x", label: $0, help: "") { _ in nil } }
    await #expect(throws: KeyClash.self) {
      try await onScreen(.rows(2), { $0.keys = commands }) { _ in
        // Until the task is cancelled.
        for await _ in AsyncStream<Void>(Void.self, { _ in }) {}
      }
    }
    // Who waits in a task of its own, too, which is not cancelled.
    await #expect(throws: FileError.self) {
      try await onScreen(.rows(2)) { screen in
        let waiting = Task {
          try await screen.submit([.unreadable("broken")], at: "the end")
          return await screen.untilEnd()
        }
        let ending = try await waiting.value
        #expect(ending == nil)
      }
    }
  }

  @Test func `a mark without a letter before it changes no cell, nor anything outside, and a new size keeps what fits`()
  {
    var text = ScreenText(size: TerminalSize(columns: 4, lines: 2))
    text.write("\u{301}ab\u{301}\u{1B}[1;5Hx\u{1B}[K\u{1B}[1;9Hx\u{1B}[K\u{1B}[3;1Hx\u{1B}[K\u{1B}[9;1Hx\u{1B}[K")
    #expect(text.lines == ["ab\u{301}", ""])
    text = ScreenText(size: TerminalSize(columns: 4, lines: 3))
    text.write("abcd\u{1B}[2;1Hef\u{1B}[3;1Hgh")
    text.resize(to: TerminalSize(columns: 3, lines: 2))
    #expect(text.lines == ["abc", "ef"])
    text.resize(to: TerminalSize(columns: 5, lines: 3))
    #expect(text.lines == ["abc", "ef", ""])
  }
}

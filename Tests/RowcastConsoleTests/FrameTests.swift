import Testing

@testable import RowcastConsole

/// What is written for a frame that follows another one.
@Suite(.watched) struct FrameTests {
  /// A frame of lines and, from column 9 on, panes beside some of them.
  private func frame(_ lines: String..., beside sides: [String] = [], columns: Int = 20) -> Frame {
    func line(_ text: String) -> StyledLine { StyledLine(text, .plain, columns: columns) }
    let beside = Dictionary(uniqueKeysWithValues: sides.enumerated().map { ($0, line($1)) })
    return Frame(size: TerminalSize(columns: columns, lines: 4), lines: lines.map(line), sides: beside, sideColumn: 9)
  }

  /// What is written, without the marks of a frame's beginning and end.
  private func written(_ frame: Frame, after former: Frame?) throws -> String {
    let sequences = frame.sequences(from: former, theme: .plain)
    let frame = try #require(sequences.wholeMatch(of: /\u{1B}\[\?2026h(.*)\u{1B}\[\?2026l/))
    return String(frame.output.1)
  }

  @Test func `a first frame, and one of another size, clear the screen and address every line`() throws {
    for former in [nil, frame("a", columns: 9)] {
      #expect(try written(frame("a", "b"), after: former) == "\u{1B}[2J\u{1B}[1;1H\u{1B}[Ka\u{1B}[2;1H\u{1B}[Kb")
    }
  }

  @Test func `only lines that differ are written, and those that are gone are erased`() throws {
    #expect(try written(frame("a", "x", "c"), after: frame("a", "b", "c")) == "\u{1B}[2;1H\u{1B}[Kx")
    #expect(try written(frame("a"), after: frame("a", "b")) == "\u{1B}[2;1H\u{1B}[K")
    #expect(frame("a", "b").sequences(from: frame("a", "b"), theme: .dark).isEmpty)
  }

  @Test func `a style is written with colour only, and ended on its line`() {
    let line = StyledLine("a", .strong, columns: 20)
    let styled = Frame(size: TerminalSize(columns: 20, lines: 4), lines: [line])
    #expect(styled.sequences(from: nil, theme: .dark).contains("\u{1B}[1ma\u{1B}[0m"))
    #expect(!styled.sequences(from: nil, theme: .plain).contains("m"))
  }

  @Test func `what stands beside is addressed by itself, and alone if only it changed`() throws {
    let former = frame("a", beside: ["x"])
    #expect(try written(frame("a", beside: ["y"]), after: former) == "\u{1B}[1;10H\u{1B}[Ky")
    // Erasing the main text also erases the pane beside it.
    #expect(try written(frame("b", beside: ["x"]), after: former) == "\u{1B}[1;1H\u{1B}[Kb\u{1B}[1;10H\u{1B}[Kx")
    #expect(try written(frame("a"), after: former) == "\u{1B}[1;1H\u{1B}[Ka")
  }
}

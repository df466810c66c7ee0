import RowcastConsole
import RowcastTestSupport
import Testing

@Suite(.watched) struct FrameTests {
  private let size = TerminalSize(columns: 20, lines: 4)

  private func line(_ text: String, _ style: TextStyle = .plain) -> StyledLine { StyledLine(text, style, columns: 20) }

  private func frame(_ lines: String...) -> Frame { Frame(size: size, lines: lines.map { Frame.Line(line($0)) }) }

  @Test func `a first frame clears the screen and addresses every line`() {
    #expect(
      frame("a", "b").sequences(from: nil, theme: .plain)
        == "\u{1B}[?2026h\u{1B}[2J\u{1B}[1;1H\u{1B}[Ka\u{1B}[2;1H\u{1B}[Kb\u{1B}[?2026l")
  }

  @Test func `only lines that differ are written`() {
    #expect(
      frame("a", "x", "c").sequences(from: frame("a", "b", "c"), theme: .plain)
        == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[Kx\u{1B}[?2026l")
  }

  @Test func `equal frames write nothing`() {
    #expect(frame("a", "b").sequences(from: frame("a", "b"), theme: .dark).isEmpty)
  }

  @Test func `lines that are gone are erased`() {
    #expect(
      frame("a").sequences(from: frame("a", "b"), theme: .plain)
        == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[K\u{1B}[?2026l")
  }

  @Test func `a frame for another size is drawn in full`() {
    let other = Frame(size: TerminalSize(columns: 9, lines: 4), lines: [Frame.Line(line("a"))])
    #expect(frame("a").sequences(from: other, theme: .plain).contains("\u{1B}[2J"))
  }

  @Test func `a style is written with colour only, and ended on its line`() {
    let styled = Frame(size: size, lines: [Frame.Line(line("a", .strong))])
    #expect(styled.sequences(from: nil, theme: .dark).contains("\u{1B}[1ma\u{1B}[0m"))
    #expect(!styled.sequences(from: nil, theme: .plain).contains("m"))
  }

  @Test func `what stands beside is addressed by itself, and alone if only it changed`() {
    func frame(_ main: String, _ side: String?) -> Frame {
      Frame(size: size, lines: [Frame.Line(line(main), side: side.map { line($0) })], sideColumn: 9)
    }
    #expect(
      frame("a", "y").sequences(from: frame("a", "x"), theme: .plain)
        == "\u{1B}[?2026h\u{1B}[1;10H\u{1B}[Ky\u{1B}[?2026l")
    // Erasing the main text takes what stands beside it away.
    #expect(
      frame("b", "x").sequences(from: frame("a", "x"), theme: .plain)
        == "\u{1B}[?2026h\u{1B}[1;1H\u{1B}[Kb\u{1B}[1;10H\u{1B}[Kx\u{1B}[?2026l")
    #expect(
      frame("a", nil).sequences(from: frame("a", "x"), theme: .plain)
        == "\u{1B}[?2026h\u{1B}[1;1H\u{1B}[Ka\u{1B}[?2026l")
  }
}

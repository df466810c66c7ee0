import RowcastConsole
import Testing

@Suite struct FrameTests {
  private let size = TerminalSize(columns: 20, lines: 4)

  private func frame(_ lines: String...) -> Frame { Frame(size: size, lines: lines.map { Frame.Line($0) }) }

  @Test func `a first frame clears the screen and addresses every line`() {
    #expect(
      frame("a", "b").sequences(from: nil, usesColor: false)
        == "\u{1B}[?2026h\u{1B}[2J\u{1B}[1;1Ha\u{1B}[K\u{1B}[2;1Hb\u{1B}[K\u{1B}[?2026l")
  }

  @Test func `only lines that differ are written`() {
    #expect(
      frame("a", "x", "c").sequences(from: frame("a", "b", "c"), usesColor: false)
        == "\u{1B}[?2026h\u{1B}[2;1Hx\u{1B}[K\u{1B}[?2026l")
  }

  @Test func `equal frames write nothing`() {
    #expect(frame("a", "b").sequences(from: frame("a", "b"), usesColor: true).isEmpty)
  }

  @Test func `lines that are gone are erased`() {
    #expect(
      frame("a").sequences(from: frame("a", "b"), usesColor: false)
        == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[K\u{1B}[?2026l")
  }

  @Test func `a frame for another size is drawn in full`() {
    let other = Frame(size: TerminalSize(columns: 9, lines: 4), lines: [Frame.Line("a")])
    #expect(frame("a").sequences(from: other, usesColor: false).contains("\u{1B}[2J"))
  }

  @Test func `a style is written with colour only, and ended on its line`() {
    let styled = Frame(size: size, lines: [Frame.Line("a", style: .strong)])
    #expect(styled.sequences(from: nil, usesColor: true).contains("\u{1B}[1ma\u{1B}[0m"))
    #expect(!styled.sequences(from: nil, usesColor: false).contains("m"))
  }
}

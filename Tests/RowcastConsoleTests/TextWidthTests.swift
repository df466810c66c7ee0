import RowcastConsole
import RowcastTestSupport
import Testing

@Suite("Text width", .watched)
struct TextWidthTests {
  @Test("Texts take the columns that wcwidth measures")
  func golden() {
    for (kind, text, columns) in goldenWidths {
      #expect(TextWidth.columns(of: text) == columns, "\(kind): \(text) = \(spelled(text))")
    }
  }

  @Test("A text that took part in the golden list is measured the same after neutralising")
  func goldenNeutralized() {
    for (kind, text, columns) in goldenWidths {
      #expect(TextWidth.columns(of: text.neutralized) == columns, "\(kind): \(text) = \(spelled(text))")
    }
  }

  @Test("Every scalar with emoji presentation takes two columns")
  func emojiPresentation() {
    for value in UInt32(0)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isEmojiPresentation else { continue }
      #expect(TextWidth.columns(of: Character(scalar)) == 2, "U+\(String(value, radix: 16))")
    }
  }

  @Test("Nonspacing and enclosing marks take no column of their own")
  func marks() {
    for value in UInt32(0x300)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let category = scalar.properties.generalCategory
      guard category == .nonspacingMark || category == .enclosingMark else { continue }
      #expect(TextWidth.columns(of: Character(scalar)) == 0, "U+\(String(value, radix: 16))")
    }
  }

  @Test("Control characters and default ignorables count nothing")
  func controls() {
    for text in ["\0", "\n", "\r\n", "\u{1B}", "\u{7F}", "\u{9B}", "\u{200B}", "\u{2060}", "\u{FEFF}", "\u{E0041}"] {
      #expect(TextWidth.columns(of: text) == 0, "\(spelled(text))")
    }
  }

  @Test("A spacing mark takes a column even without a base; wcwidth says none")
  func spacingMarkAlone() {
    #expect(TextWidth.columns(of: "\u{903}") == 1)
  }

  @Test("A Hangul vowel or final without an initial takes a column; wcwidth says none")
  func jamoAlone() {
    #expect(TextWidth.columns(of: "\u{1161}") == 1)
    #expect(TextWidth.columns(of: "\u{11A8}") == 1)
    #expect(TextWidth.columns(of: "\u{1161}\u{11A8}") == 1)
  }

  @Test("Each consonant of a conjunct takes a column, as on terminals that do not stack; wcwidth stops at two")
  func conjuncts() {
    #expect(TextWidth.columns(of: "\u{938}\u{94D}\u{924}\u{94D}\u{930}") == 3)
    // हिन्दी, where the vowel sign behind the conjunct counts too; wcwidth says 4.
    #expect(TextWidth.columns(of: "\u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940}") == 5)
  }

  @Test("Each spacing mark of a character takes a column; wcwidth stops at one")
  func spacingMarks() {
    // বাংলা; wcwidth says 4.
    #expect(TextWidth.columns(of: "\u{9AC}\u{9BE}\u{982}\u{9B2}\u{9BE}") == 5)
  }

  @Test("A narrow pictograph with a skin tone takes two columns, the tone being drawn in colour; wcwidth says one")
  func toneOnNarrowPictograph() {
    #expect(TextWidth.columns(of: "\u{261D}\u{1F3FB}") == 2)
  }

  @Test("A narrow pictograph with a joined partner takes two columns; wcwidth wants a variation selector")
  func unqualifiedSequence() {
    #expect(TextWidth.columns(of: "\u{2764}\u{200D}\u{1F525}") == 2)
  }
}

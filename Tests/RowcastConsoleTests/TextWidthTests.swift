import Testing

@testable import RowcastConsole

@Suite(.watched) struct TextWidthTests {
  @Test func `texts of any script take the columns that wcwidth measures, and are themselves when neutralised`() {
    for group in goldenWidths {
      for text in group.texts {
        #expect(text.columnCount == group.columns, "\(group.kind): \(text) = \(spelled(text))")
        #expect(text.neutralized.isIdentical(to: text), "\(group.kind): \(spelled(text))")
      }
    }
  }

  @Test(arguments: [
    ("a spacing mark without a base takes a column; wcwidth says none", "\u{903}", 1),
    ("a Hangul vowel without an initial takes a column; wcwidth says none", "\u{1161}", 1),
    ("a Hangul final without an initial takes a column; wcwidth says none", "\u{11A8}", 1),
    ("a Hangul vowel and a final without an initial take a column", "\u{1161}\u{11A8}", 1),
    ("each consonant of a conjunct takes a column; wcwidth stops at two", "\u{938}\u{94D}\u{924}\u{94D}\u{930}", 3),
    ("हिन्दी: the vowel sign behind the conjunct, too; wcwidth says 4", "\u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940}", 5),
    ("বাংলা: each spacing mark takes a column; wcwidth says 4", "\u{9AC}\u{9BE}\u{982}\u{9B2}\u{9BE}", 5),
    ("a narrow pictograph with a skin tone, which is drawn in colour; wcwidth says 1", "\u{261D}\u{1F3FB}", 2),
    ("a narrow pictograph with a joined partner; wcwidth wants a variation selector", "\u{2764}\u{200D}\u{1F525}", 2),
  ])
  func `some texts take other columns than wcwidth says, on purpose`(rule: String, text: String, columns: Int) {
    #expect(text.columnCount == columns)
  }

  @Test func `scalars with emoji presentation take two columns, nonspacing and enclosing marks none of their own`() {
    for scalar in (UInt32(0)...0x1FFFF).compactMap(Unicode.Scalar.init) {
      let columns = Character(scalar).columnCount
      if scalar.properties.isEmojiPresentation { #expect(columns == 2, "U+\(String(scalar.value, radix: 16))") }
      let isMark = [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
      if isMark, scalar.value >= 0x300 { #expect(columns == 0, "U+\(String(scalar.value, radix: 16))") }
    }
    // Neither do control characters and default ignorables.
    for text in ["\0", "\n", "\r\n", "\u{1B}", "\u{7F}", "\u{9B}", "\u{200B}", "\u{2060}", "\u{FEFF}", "\u{E0041}"] {
      #expect(text.columnCount == 0, "\(spelled(text))")
    }
  }
}

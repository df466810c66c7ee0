import Testing

@testable import RowcastConsole

@Suite(.watched) struct TextWidthTests {
  @Test func `texts of any script take the columns that wcwidth measures, and are themselves when neutralised`() {
    for (columns, texts) in goldenWidths {
      for text in texts {
        #expect(text.columnCount == columns, "\(text) = \(spelled(text))")
        #expect(text.neutralized.isIdentical(to: text), "\(spelled(text))")
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

/// Texts by the columns they take, as Python's wcwidth 0.7.0 (Unicode 17.0.0) measures them: `wcwidth.wcswidth(text)`.
///
/// The escapes keep editors from reordering or joining these characters. Where this module counts otherwise, on purpose,
/// the test names the difference itself; those texts are not in the list.
private let goldenWidths: [(columns: Int, texts: [String])] = [
  (0, [""]),
  (
    1,
    [
      "a", " ", "~", "\u{E9}", "e\u{301}", "\u{A0}", "\u{DF}", "o\u{308}\u{323}", "\u{2192}", "\u{2026}", "\u{2588}",
      "\u{2502}", "\u{B1}", "\u{A7}", "\u{2460}", "\u{260E}", "\u{260E}\u{FE0E}", "\u{2764}", "\u{A9}", "\u{2122}",
      "\u{1F5D1}", "\u{2600}", "1\u{20E3}", "\u{600}", "\u{6DD}", "\u{B95}\u{BCD}", "\u{E17}\u{E35}\u{E48}", "\u{E0B0}",
      "\u{F0000}", "\u{FFFD}", "Z\u{351}\u{352}\u{353}\u{354}", "a" + String(repeating: "\u{301}", count: 15),
    ]
  ),
  (
    2,
    [
      "\u{6F22}", "\u{FF76}\u{FF9E}", "\u{30AC}", "\u{30AB}\u{3099}", "\u{3002}", "\u{FFE5}", "\u{FFE6}", "\u{20000}",
      "\u{3231}", "\u{338F}", "\u{3000}", "\u{301C}", "\u{3297}", "\u{A000}", "\u{17000}", "\u{D55C}",
      "\u{1112}\u{1161}\u{11AB}", "\u{1100}\u{1161}", "\u{1100}", "\u{3131}", "\u{1F600}", "\u{231A}",
      "\u{260E}\u{FE0F}", "\u{231A}\u{FE0E}", "\u{2764}\u{FE0F}", "\u{2708}\u{FE0F}", "\u{A9}\u{FE0F}",
      "\u{2122}\u{FE0F}", "\u{2139}\u{FE0F}", "\u{1F5D1}\u{FE0F}", "\u{1F321}\u{FE0F}", "\u{26A1}", "\u{2B50}",
      "\u{1F004}", "\u{1F0CF}", "\u{1F201}", "\u{1FAE9}", "\u{1FABF}", "\u{1F44D}\u{1F3FD}", "\u{1F44B}\u{1F3FF}",
      "\u{1F3FD}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}",
      "\u{1F469}\u{1F3FD}\u{200D}\u{1F4BB}", "\u{2764}\u{FE0F}\u{200D}\u{1F525}", "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}",
      "\u{1F3F4}\u{200D}\u{2620}\u{FE0F}", "\u{1F441}\u{FE0F}\u{200D}\u{1F5E8}\u{FE0F}",
      "\u{1F9D1}\u{1F3FF}\u{200D}\u{1F91D}\u{200D}\u{1F9D1}\u{1F3FB}", "\u{1F43B}\u{200D}\u{2744}\u{FE0F}",
      "\u{1F1E9}\u{1F1EA}", "\u{1F1E9}", "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "\u{1F3C1}",
      "1\u{FE0F}\u{20E3}", "#\u{FE0F}\u{20E3}", "*\u{FE0F}\u{20E3}", "\u{644}\u{627}", "\u{915}\u{93F}",
      "\u{915}\u{94D}\u{937}", "\u{D15}\u{D4D}\u{D37}", "\u{E01}\u{E33}", "\u{1FAC8}", "\u{1F6D8}",
    ]
  ),
  (3, ["\u{201C}x\u{201D}", "\u{E44}\u{E17}\u{E22}", "\u{F56}\u{F7C}\u{F51}\u{F0B}"]),
  (
    4,
    [
      "\u{6F22}\u{5B57}", "\u{FF76}\u{FF80}\u{FF76}\u{FF85}", "\u{300C}\u{300D}", "\u{D55C}\u{AE00}",
      "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "\u{1F680}\u{1F680}",
      "a\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}b", "\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}",
      "\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "\u{5E9}\u{5B8}\u{5C1}\u{5DC}\u{5D5}\u{5B9}\u{5DD}",
      "\u{928}\u{92E}\u{938}\u{94D}\u{924}\u{947}", "\u{BA4}\u{BAE}\u{BBF}\u{BB4}\u{BCD}",
      "\u{1781}\u{17D2}\u{1798}\u{17C2}\u{179A}", "\u{DC3}\u{DD2}\u{D82}\u{DC4}\u{DBD}",
    ]
  ),
  (
    5,
    [
      "\u{F1}and\u{FA}", "\u{3A9}mega", "\u{4E2D}a\u{6587}", "\u{645}\u{631}\u{62D}\u{628}\u{627}",
      "\u{645}\u{64E}\u{631}\u{652}\u{62D}\u{64E}\u{628}\u{64B}\u{627}",
      "\u{1019}\u{103C}\u{1014}\u{103A}\u{1019}\u{102C}",
    ]
  ),
  (6, ["\u{41F}\u{440}\u{438}\u{432}\u{435}\u{442}", "\u{65E5}\u{672C}\u{8A9E}", "\u{FF21}\u{FF42}\u{FF43}"]),
  (7, ["\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}"]),
  (8, ["\u{3072}\u{3089}\u{304C}\u{306A}", "\u{30AB}\u{30BF}\u{30AB}\u{30CA}"]),
  (11, ["Rowcast 1.0"]),
]

let goldenTexts = goldenWidths.flatMap(\.texts)

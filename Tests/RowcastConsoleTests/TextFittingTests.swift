import RowcastConsole
import RowcastTestSupport
import Testing

@Suite("Fitted text", .watched)
struct TextFittingTests {
  /// The golden texts, and longer ones of each kind.
  static let corpus =
    goldenWidths.map(\.text) + [
      goldenWidths.map(\.text).joined(), String(repeating: "\u{6F22}", count: 20),
      String(repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", count: 5),
      String(repeating: "Z\u{351}\u{352}\u{353}", count: 30), String(repeating: "\u{1F1E9}\u{1F1EA}", count: 9),
      "\u{1B}[31mred\u{202E}\r\n", "a\u{6F22}b\u{6F22}",
    ]

  @Test("Any number of columns is taken")
  func manyColumns() {
    #expect("abc\u{301}".fitted(columns: .max) == "abc\u{301}")
    #expect("abc".fitted(columns: -1) == "")
  }

  @Test("Fitting is neutralising, then cutting between characters, only if it must be")
  func composition() {
    for text in Self.corpus {
      let neutral = text.neutralized
      for columns in 0...min(TextWidth.columns(of: neutral) + 2, 90) {
        let shown = text.fitted(columns: columns)
        #expect(shown == neutral.truncated(toColumns: columns), "\(spelled(text)) in \(columns)")
        #expect(TextWidth.columns(of: shown) <= columns, "\(spelled(text)) in \(columns)")
      }
    }
  }

  @Test("Fuzz: fitted text fits, is neutral, and is cut only if it must be")
  func fuzz() {
    for seed in fuzzSeeds {
      var generator = HostileGenerator(seed: seed)
      let text = generator.text(length: 40)
      let columns = Int.random(in: 0...60, using: &generator)
      let shown = text.fitted(columns: columns)
      #expect(TextWidth.columns(of: shown) <= columns, "seed \(seed): \(spelled(text)) in \(columns)")
      #expect(forbidden(in: shown).isEmpty, "seed \(seed): \(spelled(text)) in \(columns)")
      if columns > 0, shown != text.neutralized {
        #expect(shown.unicodeScalars.last == "…", "seed \(seed): \(spelled(text)) in \(columns)")
      }
    }
  }

  @Test("Padding fills up to a width and cuts nothing")
  func padding() {
    #expect("\u{6F22}".padded(toColumns: 4) == "\u{6F22}  ")
    #expect("".padded(toColumns: 2) == "  ")
    #expect("abc".padded(toColumns: 2) == "abc")
    #expect("abc".padded(toColumns: -1) == "abc")
    #expect("\u{6F22}".padded(toColumns: 4, with: "0", trailing: true) == "00\u{6F22}")
  }

  @Test("Fitted and padded, every text takes exactly the columns of its field")
  func field() {
    for text in Self.corpus {
      for columns in 0...30 {
        #expect(TextWidth.columns(of: text.fitted(columns: columns).padded(toColumns: columns)) == columns)
      }
    }
  }
}

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

  @Test("At every width, the result fits, is a beginning of the text, and is cut only if it must be")
  func everyWidth() {
    for text in Self.corpus {
      let text = text.neutralized
      let width = TextWidth.columns(of: text)
      for columns in 0...min(width + 2, 90) {
        let shown = text.fitted(columns: columns)
        #expect(TextWidth.columns(of: shown) <= columns, "\(spelled(text)) in \(columns)")
        if width <= columns {
          #expect(shown == text, "\(spelled(text)) in \(columns)")
        } else if columns > 0 {
          #expect(shown.hasSuffix("…"), "\(spelled(text)) in \(columns)")
          let kept = shown.dropLast()
          #expect(Array(kept) == Array(text.prefix(kept.count)), "\(spelled(text)) in \(columns)")
          // Only a character of two columns may leave one empty.
          let next = text.dropFirst(kept.count).first.map { TextWidth.columns(of: $0) } ?? 0
          #expect(TextWidth.columns(of: String(kept)) + next > columns - 1, "\(spelled(text)) in \(columns)")
        }
      }
    }
  }

  @Test("Nothing fits into no columns")
  func noColumns() {
    #expect("abc".fitted(columns: 0) == "")
    #expect("abc".fitted(columns: -1) == "")
  }

  @Test("A wide character that would fit by half is not shown")
  func halfFit() {
    #expect("\u{6F22}\u{5B57}".fitted(columns: 3) == "\u{6F22}…")
    #expect("\u{6F22}\u{5B57}".fitted(columns: 2) == "…")
    #expect("\u{6F22}".fitted(columns: 1) == "…")
  }

  @Test("A mark behind the last column belongs to it")
  func markBehindLastColumn() {
    #expect("abc\u{301}".fitted(columns: 3) == "abc\u{301}")
    #expect("abc\u{301}d".fitted(columns: 3) == "ab…")
  }

  @Test("Any number of columns is taken")
  func manyColumns() {
    #expect("abc\u{301}".fitted(columns: .max) == "abc\u{301}")
  }

  @Test("Fitting is neutralising, then truncating")
  func composition() {
    for text in Self.corpus {
      for columns in 0...40 {
        #expect(text.fitted(columns: columns) == text.neutralized.truncated(toColumns: columns), "\(spelled(text))")
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

import Foundation
import Testing

@testable import RowcastConsole

/// Text from outside, as it is shown: neutralised, and cut to fit.
@Suite(.watched) struct TextTests {
  // MARK: - Neutralised

  @Test func `each class of hostile text is shown by its rule`() {
    let samples = [
      ("\u{1B}[31mred\u{1B}[0m", "␛[31mred␛[0m"), ("\u{1B}]0;title\u{7}x", "␛]0;title␇x"), ("a\0b\u{1F}", "a␀b␟"),
      ("\u{8}\u{7F}", "␈␡"), ("\u{9B}2J", "<U+009B>2J"), ("a\tb\nc\rd\r\ne\u{B}f\u{C}g", "a b c d e f g"),
      ("\u{85}\u{2028}\u{2029}", "   "), ("\r\r\n\n\r", "    "), ("user\u{202E}txt.exe", "user<U+202E>txt.exe"),
      ("\u{61C}\u{200E}\u{200F}\u{2066}\u{2069}", "<U+061C><U+200E><U+200F><U+2066><U+2069>"),
      ("pay\u{200B}pal\u{FEFF}", "pay<U+200B>pal<U+FEFF>"), ("soft\u{AD}hyphen", "soft<U+00AD>hyphen"),
      ("\u{3164}\u{FFA0}\u{115F}", "<U+3164><U+FFA0><U+115F>"),
      ("\u{FFF9}a\u{FFFA}b\u{FFFB}", "<U+FFF9>a<U+FFFA>b<U+FFFB>"), ("x\u{E0041}", "x<U+E0041>"),
      // Joiners, variation selectors and tags where they shape nothing.
      ("pay\u{200D}pal", "pay<U+200D>pal"), ("a\u{200C}", "a<U+200C>"), ("\u{200D}", "<U+200D>"),
      ("a\u{FE0F}", "a<U+FE0F>"), ("\u{FE0F}", "<U+FE0F>"), ("\u{1F3F4}\u{E007F}", "\u{1F3F4}<U+E007F>"),
      ("\u{1F600}\u{FE0F}\u{E0150}", "\u{1F600}\u{FE0F}<U+E0150>"),
      ("\u{1F600}\u{E0067}\u{E007F}", "\u{1F600}<U+E0067><U+E007F>"),
      ("\u{1F3F4}\u{E0067}\u{E0062}", "\u{1F3F4}<U+E0067><U+E0062>"),
      ("\u{6CC}\u{200C}\u{200C}", "\u{6CC}\u{200C}<U+200C>"),
      // A mark at the start gets a dotted circle, so that it joins nothing printed before.
      ("\u{301}a", "\u{25CC}\u{301}a"),
    ]
    for (text, shown) in samples { #expect(text.neutralized.isIdentical(to: shown), "\(spelled(text))") }
  }

  @Test func `an endless character is cut to sixteen scalars, a family between its members`() {
    let marks = "Z" + String(repeating: "\u{351}", count: 1_000) + "a"
    #expect(marks.neutralized.count == 2 && marks.neutralized.unicodeScalars.count == 17)
    let family = String(repeating: "\u{1F468}\u{200D}", count: 100) + "\u{1F468}!"
    let shown = family.neutralized
    #expect(shown.allSatisfy { $0.unicodeScalars.count <= 16 && $0.unicodeScalars.last != "\u{200D}" })
    #expect(shown.unicodeScalars.filter { $0 == "\u{1F468}" }.count == 101)
    let marked = String(repeating: "\u{1F468}\u{200D}", count: 8) + String(repeating: "\u{351}", count: 9) + "a"
    #expect(marked.neutralized.map(\.unicodeScalars.count) == [16, 1])
  }

  @Test func `no invisible scalar comes through, alone or behind a letter, and printable ASCII is itself`() {
    let noncharacters = [0xFDD0, 0xFFFF, 0x10FFFE].compactMap { Unicode.Scalar($0 as UInt32) }
    #expect(noncharacters.map { String($0).neutralized } == ["<U+FDD0>", "<U+FFFF>", "<U+10FFFE>"])
    let planes: [ClosedRange<UInt32>] = [0...0x33FF, 0xA000...0xABFF, 0xD7B0...0x1FFFF, 0xE0000...0xE0FFF]
    for value in planes.joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in [String(scalar), "a" + String(scalar)] {
        let shown = text.neutralized
        if !forbidden(in: shown).isEmpty || shown.columnCount == 0 { Issue.record("\(spelled(text))") }
        if (0x20..<0x7F).contains(value), shown != text { Issue.record("\(spelled(text)) is \(spelled(shown))") }
      }
    }
  }

  @Test func `nothing forbidden comes out of any text, characters stay short, and a second pass changes nothing`() {
    forHostileTexts(length: 40) { text, note, _ in
      let shown = text.neutralized
      #expect(forbidden(in: shown).isEmpty, note)
      #expect(shown.allSatisfy { $0.unicodeScalars.count <= 16 && $0.columnCount > 0 }, note)
      #expect(shown.neutralized.isIdentical(to: shown), note)
    }
  }

  // MARK: - Fitted

  /// The golden texts, and longer ones of each kind.
  private static let corpus =
    goldenTexts + [
      goldenTexts.joined(), String(repeating: "\u{6F22}", count: 20),
      String(repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", count: 5),
      String(repeating: "Z\u{351}\u{352}\u{353}", count: 30), String(repeating: "\u{1F1E9}\u{1F1EA}", count: 9),
      "\u{1B}[31mred\u{202E}\r\n", "a\u{6F22}b\u{6F22}",
    ]

  @Test func `fitting is neutralising, then cutting between characters if it must be, and padding fills the rest`() {
    func check(_ text: String, _ columns: Int, _ note: Comment) {
      let (neutral, shown) = (text.neutralized, text.fitted(columns: columns))
      #expect(shown == neutral.truncated(toColumns: columns), note)
      #expect(shown.padded(toColumns: columns).columnCount == columns, note)
    }
    for text in Self.corpus {
      for columns in 0...max(30, min(text.neutralized.columnCount + 2, 90)) {
        check(text, columns, "\(spelled(text)) in \(columns)")
      }
    }
    forHostileTexts(length: 40) { text, note, random in check(text, Int.random(in: 0...60, using: &random), note) }
  }

  @Test func `any number of columns is taken, and padding cuts nothing`() {
    #expect("abc\u{301}".fitted(columns: .max) == "abc\u{301}" && "abc".fitted(columns: -1) == "")
    #expect("\u{6F22}".padded(toColumns: 4) == "\u{6F22}  " && "".padded(toColumns: 2) == "  ")
    #expect("abc".padded(toColumns: 2) == "abc" && "abc".padded(toColumns: -1) == "abc")
    #expect("\u{6F22}".padded(toColumns: 4, with: "0", trailing: true) == "00\u{6F22}")
  }

  // MARK: - The cost of fitting

  /// Counts what is asked of the scalars of a text.
  private struct CountingScalars: IteratorProtocol {
    let count = CallCount()
    var base: String.UnicodeScalarView.Iterator

    mutating func next() -> Unicode.Scalar? { count.note(base.next()) }
  }

  /// How many scalars are read to fit a text of 2^20 bytes, made of the piece.
  private func scalarsRead(of piece: String, columns: Int) -> Int {
    let text = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
    let scalars = CountingScalars(base: text.unicodeScalars.makeIterator())
    _ = String.fitting(scalars, columns: columns)
    return scalars.count.value
  }

  @Test func `of a megabyte of ordinary text, all up to the first character that does not fit is read`() {
    for piece in ["a", "\u{E9}", "\u{6F22}", "\u{1F680}", "\n", "\u{1B}", "\u{202E}"] {
      #expect(scalarsRead(of: piece, columns: 80) <= 83, "\(spelled(piece))")
    }
  }

  @Test func `of a megabyte of hostile text, sixteen scalars a column are read, and an endless character is cut`() {
    for piece in [
      "\u{301}", "\u{200D}", "\u{FE0F}", "\u{1161}", "\u{11A8}\u{1161}", "\u{102B}", "\u{600}", "\u{1100}",
      "\u{1F468}\u{200D}", "\u{915}\u{94D}", "\u{E0067}", "\u{1F3F4}\u{E0067}", "\u{1F1E9}", "\r\n", "\u{FEFF}",
    ] {
      #expect(scalarsRead(of: piece, columns: 80) <= 16 * 81 + 1, "\(spelled(piece))")
      #expect(scalarsRead(of: "a" + piece, columns: 1) <= 16 * 2 + 1, "\(spelled(piece))")
    }
    let fitted = ("a" + String(repeating: "\u{301}", count: 1 << 19)).fitted(columns: 10)
    #expect(fitted.unicodeScalars.count == 17 && fitted.hasSuffix("…"))
  }

  // MARK: - JSON

  @Test func `in JSON, what could act on a terminal is escaped, and all else stays`() {
    let samples: [(text: String, shown: String?)] = [
      ("{\"a\":\"\u{9B}2J\"}", "{\"a\":\"\\u009B2J\"}"), ("[\"\u{1B}\"]", "[\"\\u001B\"]"),
      ("[\"\u{7F}\u{202E}\u{2028}\u{85}\"]", "[\"\\u007F\\u202E\\u2028\\u0085\"]"),
      ("[\"\u{E0041}\u{1D173}\"]", "[\"\\uDB40\\uDC41\\uD834\\uDD73\"]"),
      ("{\n\t\"a\": 1\r\n}", nil), ("[\"\u{6CC}\u{200C}\u{1F468}\u{200D}\u{1F469}\u{2764}\u{FE0F}\"]", nil),
      ("[\"plain \\u001b \\\"quoted\\\"\"]", nil), ("", nil),
    ]
    for (text, shown) in samples {
      #expect(JSONLine.escapingForTerminal(Array(text.utf8)) == Array((shown ?? text).utf8), "\(spelled(text))")
    }
  }

  @Test func `any text in JSON has its value still, without what acts on a terminal, and bytes that are no text none`()
    throws
  {
    try forHostileTexts(length: 30) { text, note, _ in
      let shown = JSONLine.escapingForTerminal(Array(try JSONEncoder().encode([text])))
      let decoded = try JSONDecoder().decode([String].self, from: Data(shown))
      #expect(decoded.count == 1 && decoded[0].isIdentical(to: text), note)
      #expect(forbidden(in: String(decoding: shown, as: UTF8.self)).isEmpty, note)
      #expect(JSONLine.escapingForTerminal(shown) == shown, note)
    }
    #expect(JSONLine.escapingForTerminal([0x22, 0x9B, 0x22]) == Array("\"\u{FFFD}\"".utf8))
  }
}

import RowcastConsole
import RowcastTestSupport
import Testing

/// Counts what is asked of the scalars of a text.
private struct CountingScalars: IteratorProtocol {
  final class Count { var value = 0 }
  let count = Count()
  var base: String.UnicodeScalarView.Iterator

  init(_ text: String) {
    base = text.unicodeScalars.makeIterator()
  }

  mutating func next() -> Unicode.Scalar? {
    count.value += 1
    return base.next()
  }
}

@Suite("The cost of fitting a text of a megabyte", .watched)
struct TextCostTests {
  /// How many scalars are read to fit a text of 2^20 bytes, made of the piece.
  private func scalarsRead(of piece: String, columns: Int) -> Int {
    let scalars = CountingScalars(String(repeating: piece, count: (1 << 20) / piece.utf8.count))
    _ = String.fitting(scalars, columns: columns)
    return scalars.count.value
  }

  @Test(
    "Ordinary text is read to the first character that does not fit",
    arguments: ["a", "\u{E9}", "\u{6F22}", "\u{1F680}", "\n", "\u{1B}", "\u{202E}"].map { Sample($0) })
  func ordinary(sample: Sample) {
    #expect(scalarsRead(of: sample.text, columns: 80) <= 83, "\(sample)")
  }

  @Test(
    "Hostile text is read up to sixteen scalars a column",
    arguments: [
      "\u{301}", "\u{200D}", "\u{FE0F}", "\u{1161}", "\u{11A8}\u{1161}", "\u{102B}", "\u{600}", "\u{1100}",
      "\u{1F468}\u{200D}", "\u{915}\u{94D}", "\u{E0067}", "\u{1F3F4}\u{E0067}", "\u{1F1E9}", "\r\n", "\u{FEFF}",
    ].map { Sample($0) })
  func hostile(sample: Sample) {
    #expect(scalarsRead(of: sample.text, columns: 80) <= 16 * 81 + 1, "\(sample)")
    #expect(scalarsRead(of: "a" + sample.text, columns: 1) <= 16 * 2 + 1, "\(sample)")
  }

  @Test("One endless character ends in an ellipsis")
  func endlessCharacter() {
    let text = "a" + String(repeating: "\u{301}", count: 1 << 19)
    #expect(text.fitted(columns: 10).unicodeScalars.count == 17)
    #expect(text.fitted(columns: 10).hasSuffix("…"))
  }
}

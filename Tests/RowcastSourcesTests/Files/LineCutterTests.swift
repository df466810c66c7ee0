@testable import RowcastSources

@Suite(.watched) struct LineCutterTests {
  /// Texts, in which "?" stands for a byte that is not UTF-8, and their lines; truncated lines end in "…".
  @Test(arguments: [
    ("one\r\n\ntwo\nthré\n\r\nlast", 100, ["one", "", "two", "thré", "", "last"]),
    ("?a?\n\n", 100, ["\u{FFFD}a\u{FFFD}", ""]),
    // The mark of the byte order, at the beginning and elsewhere.
    ("\u{FEFF}a\nb", 100, ["a", "b"]), ("\u{FEFF}\n\u{FEFF}b", 100, ["", "\u{FEFF}b"]), ("\u{FEFF}", 100, []),
    ("\u{FEFF}a", 100, ["a"]), ("\u{FEFF}ab\n", 5, ["ab"]), ("\u{FEFF}abc\nabc\n", 5, ["abc", "abc"]),
    // The end of a line does not count towards its limit.
    ("12345\n1234\nlonger\n\r\n", 4, ["1234…", "1234", "long…", ""]),
    ("1234\r\n12345\r\n123\r\r\n1234\r\r\n1234\r5\n1234\r", 4, ["1234", "1234…", "123\r", "1234…", "1234…", "1234"]),
    // The least limit. The mark is not part of the line.
    ("a\nbc\n\n", 1, ["a", "b…", ""]), ("\u{FEFF}a\n\u{FEFF}", 1, ["a", "\u{FFFD}…"]), ("\u{FEFF}", 1, []),
    ("\u{FEFF}1234\n", 4, ["1234"]), ("\u{FEFF}1234\r\n", 4, ["1234"]), ("\u{FEFF}12345", 4, ["1234…"]),
    ("\u{FEFF}ab\r\nc", 1, ["a…", "c"]), ("\u{FEFF}\r\nc", 1, ["", "c"]),
  ])
  func `lines are the same however their bytes arrive`(text: String, limit: Int, expected: [String]) {
    let bytes = text.utf8.map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
    for size in 1...bytes.count {
      var cutter = LineCutter(limit: limit)
      var lines: [TextLine] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        lines += cutter.lines(in: bytes[start..<min(start + size, bytes.count)])
      }
      let rest = cutter.incomplete
      let last = cutter.last()
      #expect(rest?.text == last?.text && rest?.number == last?.number && rest?.isComplete != true)
      lines += [last].compactMap(\.self)
      #expect(lines.map { $0.text + ($0.isTruncated ? "…" : "") } == expected, "\(size) bytes at a time")
      #expect(lines.map(\.number) == Array(1..<lines.count + 1))
    }
  }

  @Test func `a mark of the byte order begins each input, also after one that has nothing else`() {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var cutter = LineCutter(limit: 100)
    #expect(cutter.lines(in: mark).isEmpty && cutter.last() == nil)
    cutter.begin()
    #expect(cutter.lines(in: mark + "a\n".utf8).map(\.text) == ["a"])
  }
}

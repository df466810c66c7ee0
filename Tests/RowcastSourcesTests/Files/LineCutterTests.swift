import RowcastTestSupport
import Testing

@testable import RowcastSources

@Suite(.watched) struct LineCutterTests {
  @Test func `lines are the same however their bytes arrive`() {
    var random = SeededGenerator.forFuzzing("lines")
    let text = Array("one\r\n\ntwo\nthree\n\r\nlast".utf8)
    for _ in 0..<200 {
      var cutter = LineCutter(limit: 100)
      var lines: [TextLine] = []
      var rest = text[...]
      while !rest.isEmpty {
        let chunk = rest.prefix(Int.random(in: 1...rest.count, using: &random))
        rest = rest.dropFirst(chunk.count)
        lines += cutter.lines(in: chunk)
      }
      if let last = cutter.last() { lines.append(last) }
      #expect(lines.map(\.number) == [1, 2, 3, 4, 5, 6])
      #expect(lines.map(\.text) == ["one", "", "two", "three", "", "last"])
    }
  }

  @Test(arguments: [
    ("\u{FEFF}a\nb", ["a", "b"]), ("\u{FEFF}\n\u{FEFF}b", ["", "\u{FEFF}b"]), ("\u{FEFF}", []), ("\u{FEFF}a", ["a"]),
  ])
  func `a byte order mark at the beginning is no text, however its bytes arrive`(text: String, lines: [String]) {
    for size in 1...6 {
      var cutter = LineCutter(limit: 100)
      var texts: [String] = []
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        texts += cutter.lines(in: bytes[start..<min(start + size, bytes.count)]).map(\.text)
      }
      let rest = cutter.incomplete
      let last = cutter.last()
      #expect(rest?.text == last?.text && rest?.number == last?.number && rest?.isComplete != true)
      #expect(texts + [last?.text].compactMap(\.self) == lines)
    }
  }

  @Test func `a line that is too long is cut, and the next one is not`() {
    var cutter = LineCutter(limit: 4)
    let lines = cutter.lines(in: Array("12345\n1234\nlong".utf8)) + cutter.lines(in: Array("er\n\r\n".utf8))
    #expect(lines.map(\.text) == ["1234", "1234", "long", ""])
    #expect(lines.map(\.isTruncated) == [true, false, true, false])
    #expect(cutter.last() == nil)
  }

  @Test func `the end of a line does not count towards its limit, however its bytes arrive`() {
    let text = Array("1234\r\n12345\r\n123\r\r\n1234\r\r\n1234\r5\n1234\r".utf8)
    for size in 1...text.count {
      var cutter = LineCutter(limit: 4)
      var lines: [TextLine] = []
      for start in stride(from: 0, to: text.count, by: size) {
        lines += cutter.lines(in: text[start..<min(start + size, text.count)])
      }
      if let last = cutter.last() { lines.append(last) }
      #expect(lines.map(\.text) == ["1234", "1234", "123\r", "1234", "1234", "1234"])
      #expect(lines.map(\.isTruncated) == [false, true, false, true, true, false])
    }
  }

  @Test func `bytes that are no UTF-8 are replaced, and a character in two chunks is whole`() {
    var cutter = LineCutter(limit: 100)
    var lines = cutter.lines(in: Array("caf".utf8) + [0xC3])
    lines += cutter.lines(in: [0xA9, 0x0A, 0x61, 0xFF, 0xC3, 0x0A])
    #expect(lines.map(\.text) == ["café", "a\u{FFFD}\u{FFFD}"])
  }
}

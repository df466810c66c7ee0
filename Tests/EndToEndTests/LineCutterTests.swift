import TestSupport
import Testing

@testable import demo

@Suite struct LineCutterTests {
  @Test func `lines are the same however their bytes arrive`() {
    var random = SeededGenerator.forFuzzing("lines")
    let text = Array("one\r\n\ntwo\nthree\n\r\nlast".utf8)
    for _ in 0..<200 {
      var cutter = LineCutter()
      var lines: [Line] = []
      var rest = text[...]
      while !rest.isEmpty {
        let chunk = rest.prefix(Int.random(in: 1...rest.count, using: &random))
        rest = rest.dropFirst(chunk.count)
        lines += cutter.lines(in: Array(chunk))
      }
      if let last = cutter.last() { lines.append(last) }
      #expect(lines.map(\.number) == [1, 2, 3, 4, 5, 6])
      #expect(lines.map { String(decoding: $0.bytes ?? [], as: UTF8.self) } == ["one", "", "two", "three", "", "last"])
    }
  }

  @Test func `a line that is too long is given up, and the next one is not`() {
    var cutter = LineCutter(limit: 4)
    let lines = cutter.lines(in: Array("12345\n1234\nlong".utf8)) + cutter.lines(in: Array("er\n".utf8))
    #expect(lines.map { $0.bytes?.count } == [nil, 4, nil])
    #expect(cutter.last() == nil)
  }
}

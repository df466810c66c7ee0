import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTable
import RowcastTestSupport
import RowcastTesting
import RowcastViews
import Testing

@testable import RowcastConsole

/// What the mouse does in every app.
@Suite(.watched) struct ScreenMouseTests {
  @Test func `the wheel scrolls by three lines, and a click focuses the row under it`() async throws {
    try await onScreen(.rows(50)) { screen in
      try await screen.turnWheel(1)
      try await screen.expect("  A  50\n       4  row 4", fromLine: 1, count: 2)
      try await screen.turnWheel(-5)
      try await screen.expect("  A  50", fromLine: 1, count: 1)
      try await screen.click(line: 3, column: 9)
      try await screen.expect("▸      2  row 2", fromLine: 3, count: 1)
      // The header, the title and the last line are no rows.
      for line in [0, 1, 7] { try await screen.click(line: line, column: 9) }
      try await screen.expect("▸      2  row 2", fromLine: 3, count: 1)
    }
  }

  @Test func `a double click is return, two slow clicks are not`() async throws {
    try await onScreen(.rows(3)) { screen in
      try await screen.click(line: 3, column: 9)
      try await screen.advance(by: .milliseconds(400))
      try await screen.click(line: 3, column: 9)
      try await screen.expect("▸      2  row 2", fromLine: 3, count: 1)
      try await screen.click(line: 4, column: 9)
      try await screen.click(line: 3, column: 9, times: 2)
      try await screen.expect("▸*     2  row 2", fromLine: 3, count: 1)
      try await screen.click(line: 3, column: 9)
      try await screen.expect("▸*     2  row 2", fromLine: 3, count: 1)
    }
  }

  @Test func `a click on the head of a column sorts by it, another one backwards`() async throws {
    let store = TestStore(
      try TestSnapshot([ListSection(TestSection("a", "A"), rows: [TestRow(2, "b"), TestRow(3, "a"), TestRow(1, "c")])]))
    try await onScreen(store, lines: 10) { screen in
      try await screen.expect("      ID  TEXT\n  A  3\n       2  b", fromLine: 1, count: 3)
      try await screen.click(line: 1, column: 10)
      try await screen.expect("sorted rows") {
        $0[1] == "      ID  TEXT▴" && $0[3].contains("  a") && $0[5].contains("  c")
      }
      try await screen.click(line: 1, column: 10)
      try await screen.expect("rows sorted backwards") { $0[1] == "      ID  TEXT▾" && $0[3].contains("  c") }
      try await screen.click(line: 1, column: 4)
      try await screen.expect("numbers, the largest first") { $0[1] == "     ID▾  TEXT" && $0[3].contains("3  a") }
      try await screen.press("s")
      try await screen.expect("the next order") { $0[1] == "      ID  TEXT▴" }
    }
  }

  @Test func `reports of the mouse are parsed wherever they are cut`() {
    let sent =
      "\u{1B}[<0;10;20M\u{1B}[<0;10;20m\u{1B}[<65;1;1M\u{1B}[<64;3;4Mj\u{1B}[<35;1;1M\u{1B}[<16;2;2M\u{1B}[<0;0;1M"
    let expected: [TerminalInput] = [
      .mouse(MouseEvent(.press, column: 9, line: 19)), .mouse(MouseEvent(.wheel(1), column: 0, line: 0)),
      .mouse(MouseEvent(.wheel(-1), column: 2, line: 3)), .key("j"), .mouse(MouseEvent(.press, column: 1, line: 1)),
    ]
    let bytes = Array(sent.utf8)
    for border in 0...bytes.count {
      var parser = KeyParser()
      #expect(parser.take(bytes[..<border]) + parser.take(bytes[border...]) == expected)
    }
  }

  @Test func `the header of the first section stays above its rows, unless the app wants it otherwise`() async throws {
    let store = TestStore(
      try TestSnapshot([
        ListSection(TestSection("a", "A"), rows: (1...9).map { TestRow($0, "row \($0)") }),
        ListSection(TestSection("b", "B"), rows: (10...30).map { TestRow($0, "row \($0)") }),
      ]))
    for (pinsHeaders, first) in [(true, "  A  9"), (false, "       3  row 3")] {
      try await onScreen(store, { $0.pinsHeaders = pinsHeaders }) { screen in
        try await screen.turnWheel(1)
        #expect(await screen.lines[1] == first)
        #expect(await screen.lines[2] == "       4  row 4")
        try await screen.press("G")
        #expect(await screen.lines[1] == (pinsHeaders ? "  B  21" : "      25  row 25"))
        try await screen.press("g", "j", .pageDown, .pageUp, .pageDown)
        // The focus is never under the header.
        #expect(await screen.lines.contains { $0.hasPrefix("▸") })
      }
    }
  }
}

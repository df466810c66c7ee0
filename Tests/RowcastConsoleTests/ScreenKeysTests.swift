import Testing

@testable import RowcastConsole

/// What keys and the mouse do in every app, from the bytes of a terminal to the lines of the screen.
@Suite(.watched) struct ScreenKeysTests {
  /// Shows rows on a screen of 80 columns and 24 lines.
  private func show(
    rows: Int, _ body: @escaping @Sendable (ConsoleScreen, TestStore) async throws -> Void
  ) async throws {
    let store = try TestStore.rows(rows)
    try await onScreen(store, in: [], columns: 80, lines: 24) { try await body($0, store) }
  }

  @Test func `pages move the focus with the lines, and to the outermost row where no page follows`() async throws {
    try await show(rows: 200) { screen, _ in
      // They overlap by a line, and the title names the lines.
      for (key, lines) in [(" ", "22–43"), ("b", "1–22"), (.pageDown, "22–43"), (.pageUp, "1–22")] as [(Key, String)] {
        try await screen.press(key)
        let title = await screen.lines[0]
        #expect(title.hasSuffix("lines \(lines) of 201") && title.count == 80)
      }
      for (key, row) in [
        ("j", 1), ("b", 1), (" ", 22), (.pageDown, 43), ("b", 22), (.pageUp, 1), ("G", 200), ("k", 199), (" ", 200),
        ("b", 179), ("g", 1),
      ] as [(Key, Int)] {
        try await screen.press(key)
        #expect(await screen.focused?.dropFirst(4) == "row \(row)", "\(key)")
      }
      try await screen.press(.escape)
      try await screen.resize(columns: 80, lines: 10)
      try await screen.press("G")
      #expect(await screen.lines[8] == "    row 200")
      #expect(await screen.lines[9].hasPrefix("q quit"))
    }
  }

  @Test func `the end is followed until that is switched off`() async throws {
    try await show(rows: 50) { screen, store in
      try await screen.press("f")
      try await store.edit { try $0.append(TestRow(51, "newest"), to: "a") }
      try await screen.expect("the newest row") { $0[22] == "  + newest" && $0[0].contains("following") }
      try await screen.press("f")
      try await store.edit { try $0.append(TestRow(52, "never seen"), to: "a") }
      try await screen.expect("the count") { $0[0].contains("52 rows") && !$0[0].contains("following") }
      #expect(await !screen.lines.contains { $0.contains("never seen") })
    }
  }

  @Test(arguments: [":", "?", "/", .control("f")] as [Key])
  func `a list that ends stays until q while something is typed or read in front of it`(key: Key) async throws {
    try await show(rows: 3) { screen, store in
      try await screen.press(key)
      await store.finish()
      try await screen.expect("the end") { $0[0].hasPrefix("test  ENDED  ") }
      if key != "?" { try await screen.type("row 3") }
      try await screen.press(key == .control("f") || key == "/" ? .enter : .escape)
      try await screen.expect("the list has ended: q quits", fromLine: 23)
      if key == .control("f") { #expect(await screen.focused == "▸   row 3") }
      if key == "/" {
        try await screen.expect("the filtered list") { $0[0].contains("ENDED") && $0[0].contains("1 row") }
      }
      // It is read once more after a pause, and when it is filtered.
      for _ in 0..<2 { try await screen.press("p") }
      for row in ["row 2", "row 1"] {
        try await screen.press("/")
        try await screen.press(.control("u"))
        try await screen.type(row)
        try await screen.press(.enter)
        try await screen.expect(row) { lines in
          lines[0].contains("ENDED") && lines[0].contains("1 row") && lines.contains { $0.hasSuffix(row) }
        }
      }
      #expect(await screen.ending == nil)
      try await screen.press("q")
      #expect(await screen.ending == .finished)
    }
  }

  @Test func `control-L draws the screen again also while something is typed or read`() async throws {
    try await show(rows: 3) { screen, _ in
      for key in ["?", ":", .control("f")] as [Key] {
        try await screen.press(key)
        let (count, lines) = (await screen.frames.count, await screen.lines)
        try await screen.press(.control("l"))
        #expect(await screen.frames[count...].joined().contains("\u{1B}[2J"))
        #expect(await screen.lines == lines)
        try await screen.press(.escape)
      }
    }
  }

  @Test func `a list that stands still goes on with one net update, also if it is what it was`() async throws {
    try await show(rows: 3) { screen, store in
      try await screen.press("p")
      try await screen.expect("a sign") { $0[0].contains("PAUSED") }
      for text in ["other", "row 1"] { try await store.edit { try $0.update(1) { $0.text = text } } }
      // An unchanged list is not waited for: an immediate pause may precede its arrival.
      try await screen.press("p")
      try await screen.expect("the net update") { $0[0].contains("revision 2") }
      try await screen.press("p")
      try await store.edit {
        try $0.append(contentsOf: [TestRow(4, "while paused"), TestRow(5, "came and went")], to: "a")
      }
      try await store.edit { _ = try $0.remove(5) }
      try await screen.advance(by: .seconds(1))
      #expect(await screen.lines[0].contains("revision 2"))
      try await screen.press("p")
      try await screen.expect("the new row, and no ghost") { lines in
        lines[0].contains("revision 4") && lines[5] == "  + while paused"
          && !lines.contains { $0.contains("came and went") }
      }
    }
  }

  @Test func `orders and filters count once in the revision, with the next change of the list`() async throws {
    let store = try TestStore.rows(3)
    try await onScreen(store, in: .text, columns: 80) { screen in
      func expectRevision(_ revision: Int) async throws {
        try await screen.expect("revision \(revision)") { ($0[0] + " ").contains("revision \(revision) ") }
      }
      // The filter and the order change nothing: all rows have the text. The second `s` restores the list's own order.
      try await screen.filter("row")
      try await screen.press("s", "s")
      try await expectRevision(0)
      for revision in [2, 3] {
        try await store.edit { try $0.append(TestRow(2 + revision, "row \(2 + revision)"), to: "a") }
        try await expectRevision(revision)
      }
      try await screen.filter("row 1")
      try await expectRevision(4)
    }
  }

  @Test func `the end of the time ends an app, paused or not`() async throws {
    for keys in [[], ["p"]] as [[Key]] {
      try await onScreen(.rows(3), { $0.timeLimit = .seconds(2) }) { screen in
        for key in keys { try await screen.press(key) }
        try await screen.advance(by: .milliseconds(1_900))
        #expect(await screen.ending == nil)
        try await screen.advance(by: .milliseconds(100))
        #expect(await screen.untilEnd() == .limitReached)
      }
    }
  }

  @Test func `the help names every key, any key goes on to its next page, and q, ? and Esc leave it`() async throws {
    try await onScreen(.rows(3), lines: 12) { screen in
      try await screen.press("?")
      var (page, all) = (1, await screen.lines)
      while await screen.lines[11].hasPrefix("\(page) of ") {
        // Another key would pause the list.
        try await screen.press("p")
        page += 1
        all += await screen.lines
      }
      for word in ["q ", "p ", "f ", "PgUp", "Enter", "Esc", "+ new", "~ changed", "> moved", "- gone"] {
        #expect(all.contains { $0.contains(word) }, "\(word)")
      }
      #expect(page > 1)
      #expect(await screen.lines[11].hasPrefix("any key: back"))
      for keys in [["p"], ["?", "?"], ["?", .escape]] as [[Key]] {
        for key in keys { try await screen.press(key) }
        let lines = await screen.lines
        #expect(lines.contains { $0.contains("row 3") } && !lines[0].contains("PAUSED"))
      }
      try await screen.press("?", "q")
      #expect(await screen.ending == .quit)
    }
  }

  // MARK: - The mouse

  @Test func `a double click is return, two slow clicks are not, nor is a third one`() async throws {
    let (plain, selected) = ("▸      2  row 2", "▸*     2  row 2")
    try await onScreen(.rows(3)) { screen in
      for (pause, times, row) in [(0, 1, plain), (400, 1, plain), (400, 2, selected), (0, 1, selected)] {
        try await screen.advance(by: .milliseconds(pause))
        try await screen.click(line: 3, column: 9, times: times)
        try await screen.expect(row, fromLine: 3, count: 1)
      }
    }
  }

  @Test func `the wheel scrolls by three lines below the header of a section, unless the app lets headers scroll, too`()
    async throws
  {
    let rows = (1...30).map { $0 == 10 ? "| b 10" : "\($0)" }.joined(separator: " ")
    for (pinsHeaders, first) in [(true, "  A  9"), (false, "       3  row 3")] {
      try await onScreen(.spelled("a \(rows)"), { $0.pinsHeaders = pinsHeaders }) { screen in
        try await screen.turnWheel(1)
        #expect(await screen.lines[1] == first)
        #expect(await screen.lines[2] == "       4  row 4")
        // The title, the header and the last line are not rows.
        for line in [0, pinsHeaders ? 1 : 7, 7] { try await screen.click(line: line, column: 9) }
        #expect(await screen.focused == nil)
        try await screen.click(line: 2, column: 9)
        #expect(await screen.focused == "▸      4  row 4")
        try await screen.press("G")
        #expect(await screen.lines[1] == (pinsHeaders ? "  B  21" : "      25  row 25"))
        try await screen.press("g", .pageDown, .pageUp, .pageDown)
        #expect(await screen.focused != nil, "the focus is never under the header")
      }
    }
  }
}

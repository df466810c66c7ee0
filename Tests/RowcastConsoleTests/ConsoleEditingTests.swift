import Testing

@testable import RowcastConsole

/// Edits that a person makes with keys: shown at once, and taken back if the app refuses.
@Suite(.watched) struct ConsoleEditingTests {
  /// A server that answers when a test says so, in the order of the requests.
  private actor Server {
    private var answers: AsyncStream<Bool>.Iterator
    nonisolated let give: AsyncStream<Bool>.Continuation

    init() {
      let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
      (answers, give) = (stream.makeAsyncIterator(), continuation)
    }

    func answer() async throws {
      var answers = answers
      if await answers.next(isolation: self) == false { throw Mismatch("the server says no") }
    }
  }

  /// Shows a list whose edits a server confirms.
  private func show(
    _ store: TestStore, _ server: Server,
    _ body: @escaping @Sendable (ConsoleScreen, OptimisticList<TestSection, TestRow>) async throws -> Void
  ) async throws {
    let shown = OptimisticList(store)
    var app = testApp(shown, in: .text)
    app.pending = shown.pending
    app.onMove = { id, next, section in
      try await shown.edit(
        { try $0.moveRows([id], before: next, in: section) }, confirming: { try await server.answer() })
    }
    app.onDelete = { id in
      try await shown.edit({ try $0.remove(id) }, confirming: { try await server.answer() })
    }
    try await ConsoleScreen.show(app, columns: 40, lines: 8) { try await body($0, shown) }
    withExtendedLifetime(store) {}
  }

  @Test func `a row that is moved moves at once, looks unconfirmed, and stays where it is once it is confirmed`()
    async throws
  {
    let (store, server) = (try TestStore.rows(4), Server())
    try await show(store, server) { screen, _ in
      try await screen.press("j", "j", .shiftDown, .shiftDown, shows: "▸ … row 2                    from [0, 2]", at: 5)
      try await screen.advance(by: .seconds(1))
      try await screen.expect("    row 1\n    row 3\n    row 4\n▸ … row 2", fromLine: 2, count: 4)
      // Answers that arrive together are confirmed in any order: an older move would be the last one.
      server.give.yield(true)
      await eventually { await store.snapshot.allRows.map(\.id) == [1, 3, 2, 4] }
      server.give.yield(true)
      try await screen.expect("▸   row 2", fromLine: 5, count: 1)
      #expect(await store.snapshot.allRows.map(\.id) == [1, 3, 4, 2])
      // At the end of its section a row moves no further.
      try await screen.press(.shiftDown, .shiftUp, shows: "▸ … row 2", at: 4)
    }
  }

  @Test(arguments: [false, true])
  func `a row and its mark change in one frame`(isRefused: Bool) async throws {
    let frames = CallCount()
    for _ in 0..<20 {
      let server = Server()
      try await show(.rows(1), server) { screen, shown in
        let edit = Task {
          try await shown.edit(
            { try $0.update(1) { $0.text = "edited" } }, confirming: { try await server.answer() })
        }
        let line: @Sendable ([String]) -> String = { lines in
          frames.note(())
          let line = lines.first { $0.contains("row 1") || $0.contains("edited") } ?? "none"
          #expect(!(line.contains("row 1") && line.contains("…")), "\(line)")
          if isRefused { #expect(line.contains("edited") == line.contains("…"), "\(line)") }
          return line
        }
        try await screen.expect("the edit") { line($0).contains("… edited") }
        server.give.yield(!isRefused)
        try await screen.expect("the answer") { !line($0).contains("…") }
        _ = await edit.result
      }
    }
    #expect(frames.value >= 20 * 3)
  }

  @Test func `a row whose deletion is refused comes back, with the reason, and nothing else is lost`() async throws {
    let (store, server) = (try TestStore.rows(4), Server())
    try await show(store, server) { screen, _ in
      try await screen.press("j", "j", .delete, shows: "  - row 2", at: 3)
      try await screen.advance(by: .seconds(1))
      try await screen.expect("▸   row 3", fromLine: 3, count: 1)
      try await store.edit { try $0.update(3) { $0.text = "new" } }
      try await screen.expect("▸ ~ new", fromLine: 3, count: 1)
      server.give.yield(false)
      try await screen.expect("delete: the server says no", fromLine: 7, count: 1)
      try await screen.expect("  + row 2", fromLine: 3, count: 1)
      try await screen.advance(by: .seconds(1))
      try await screen.expect("    row 1\n    row 2\n▸   new\n    row 4", fromLine: 2, count: 4)
    }
  }

  @Test func `without a focused row, among sorted rows and in other apps there is nothing to move`() async throws {
    try await show(.rows(4), Server()) { screen, _ in
      try await screen.press(.shiftDown, shows: "no row is focused: ↓ chooses the one to…", at: 7)
      try await screen.press("j", "s", shows: "sorted: by TEXT", at: 7)
      try await screen.press(.shiftDown, shows: "sorted rows cannot be moved: press s un…", at: 7)
      try await screen.press("s", shows: "sorted: as it comes", at: 7)
    }
    try await onScreen(.rows(4), in: .text, columns: 40) { screen in
      try await screen.press("j", .shiftDown, .delete, shows: "▸   row 1", at: 2)
    }
  }

  @Test func `a row that is out of sight is shown, and not deleted`() async throws {
    let store = try TestStore.rows(20)
    try await show(store, Server()) { screen, _ in
      try await screen.press("j")
      try await screen.turnWheel(8)
      try await screen.press(.delete, shows: "the focused row was out of sight: nothi…", at: 7)
      #expect(await screen.focused == "▸   row 1")
      #expect(await store.snapshot.rowCount == 20)
    }
  }

  @Test func `a list that has ended can be sorted`() async throws {
    let store = try TestStore.spelled("a 3 1 2")
    try await onScreen(store, in: .text, columns: 40) { screen in
      try await screen.press("?")
      await store.finish()
      try await screen.expect("the end") { $0[0].contains("ENDED") }
      try await screen.press(.escape, "s", shows: "sorted: by TEXT", at: 7)
      try await screen.expect("    row 1\n    row 2\n  > row 3                    from [0, 0]", fromLine: 2, count: 3)
    }
  }

  @Test func `a text is sent with Enter, and not with Escape or without a text`() async throws {
    let (texts, text) = AsyncStream.makeStream(of: String.self)
    let write = KeyCommand<Int>("w", label: "write", help: "write a message", sending: "you: ") {
      text.yield($0)
      return "sent \($0)"
    }
    try await onScreen(.rows(4), in: .text, columns: 40, { $0.keys = [write] }) { screen in
      try await screen.press("w", "n", "o", .escape, "w", .enter, "w", "h", "i")
      try await screen.expect("you: hi_        Enter sends  Esc cancels", fromLine: 7, count: 1)
      try await screen.press(.enter, shows: "sent hi", at: 7)
    }
    text.finish()
    #expect(await texts.reduce(into: []) { $0.append($1) } == ["hi"])
  }

  @Test func `a message that comes while a prompt is open is shown after it, and one that is not there covers none`()
    async throws
  {
    let (store, server) = (try TestStore.rows(4), Server())
    let write = KeyCommand<Int>("w", label: "write", help: "write a message", sending: "you: ") { text in
      do { try await server.answer() } catch { return "\(text): \(error)" }
      return nil
    }
    try await onScreen(store, in: .text, columns: 40, { $0.keys = [write] }) { screen in
      try await screen.press("w", "a", .enter, "w", "b")
      server.give.yield(false)
      try await screen.expect("you: b_         Enter sends  Esc cancels", fromLine: 7, count: 1)
      try await screen.press(.enter, shows: "a: the server says no", at: 7)
      server.give.yield(true)
      try await store.edit { try $0.update(1) { $0.text = "new" } }
      try await screen.expect("  ~ new", fromLine: 2, count: 1)
      try await screen.expect("a: the server says no", fromLine: 7, count: 1)
    }
  }
}

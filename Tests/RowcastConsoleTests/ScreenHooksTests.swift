import Testing

@testable import RowcastConsole

/// The code of an app that is called while its list is shown, however slow it is.
@Suite(.watched) struct ScreenHooksTests {
  private func show(
    _ store: TestStore, _ change: (inout TestApp) -> Void,
    _ body: @escaping @Sendable (ConsoleScreen) async throws -> Void
  ) async throws {
    try await onScreen(store, in: [], columns: 60, lines: 12, change, body)
  }

  @Test func `return tells the app which row was selected`() async throws {
    let store = try TestStore.rows(30)
    try await show(store) {
      $0.onSelect = { row in try? await store.edit { try $0.update(row.id) { $0.text = "marked" } } }
    } _: { screen in
      try await screen.press("j", "j", .enter, shows: "▸*~ marked", at: 3)
      #expect(await screen.lines.count { $0.contains("marked") } == 1)
    }
  }

  @Test func `the table is told the columns of its rows, in which they may have other heights`() async throws {
    let (work, give) = AsyncStream.makeStream(of: TestApp.TableWork.self)
    let (widths, tell) = AsyncStream.makeStream(of: Int?.self)
    try await show(.rows(3), { $0.tableWork = work }) { screen in
      var told = widths.makeAsyncIterator()
      for columns in [60, 31] {
        try await screen.resize(columns: columns, lines: 12)
        try await screen.expect("rows") { $0[0].contains("3 rows") }
        give.yield { tell.yield($0.width) }
        #expect(await told.next() == columns)
      }
    }
  }

  @Test func `messages that arrive during a search are shown beside what it says, those of work and of the app`()
    async throws
  {
    let (work, searched, arrived, calls) = (Gate(), Gate(), Gate(), CallCount())
    let slow = KeyCommand<Int>("w", label: "work", help: "") { _ in
      await work.pass()
      return "locked"
    }
    let messages = AsyncStream<String> {
      calls.note(())
      if calls.value == 1 {
        await searched.pass()
        return "synced"
      }
      await arrived.open()
      return nil
    }
    try await show(
      .rows(3),
      {
        $0.messages = messages
        $0.keys.append(slow)
      }
    ) { screen in
      try await screen.press("j", "w", .control("f"), "z")
      await work.open()
      await searched.open()
      await arrived.pass()
      try await screen.press("z", "z")
      #expect(await screen.lines[11].hasPrefix("search: zzz_"))
      try await screen.press(.enter)
      try await screen.expect("all three") { lines in
        ["locked", "synced", "no row has \"zzz\""].allSatisfy { lines[11].contains($0) }
      }
    }
  }

  @Test func `an action waits for no other, and is cancelled when the app ends`() async throws {
    let (cancelled, cancel) = AsyncStream.makeStream(of: Void.self)
    let wait = KeyCommand<Int>("w", label: "wait", help: "") { _ in
      // Ends when its task is cancelled.
      for await _ in AsyncStream<Void>(Void.self, { _ in }) {}
      cancel.yield()
      return nil
    }
    let other = KeyCommand<Int>("u", label: "other", help: "") { _ in "not held up" }
    try await show(.rows(3), { $0.keys = [wait, other] }) { screen in
      try await screen.press("w", "u", shows: "not held up", at: 11)
      try await screen.press("q")
    }
    for await _ in cancelled { break }
  }

  @Test func `an action that computes does so before the next one begins, and the end of the app cancels both`()
    async throws
  {
    let (notes, note) = AsyncStream.makeStream(of: String.self)
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let compute = KeyCommand<Int>("c", label: "compute", help: "") { _ in
      // Long enough for any other task to overtake it.
      var hasher = Hasher()
      for number in 0..<200_000 { hasher.combine(number) }
      note.yield(hasher.finalize() == 0 ? "computed nothing" : "computed")
      return nil
    }
    let spin = KeyCommand<Int>("s", label: "spin", help: "") { _ in
      begin.finish()
      while !Task.isCancelled {}
      note.yield("cancelled")
      return nil
    }
    let next = KeyCommand<Int>("n", label: "next", help: "") { _ in
      note.yield(Task.isCancelled ? "next, cancelled" : "next")
      return nil
    }
    try await show(.rows(3), { $0.keys = [compute, spin, next] }) { screen in
      try await screen.press("c", "n", "s", "n")
      for await _ in begun {}
      try await screen.press("q")
    }
    let names = await notes.prefix(4).reduce(into: [String]()) { $0.append($1) }
    #expect(names == ["computed", "next", "cancelled", "next, cancelled"])
  }

  @Test func `of texts that wait for a slow command, only the newest is taken`() async throws {
    let gate = Gate()
    let (texts, taken) = AsyncStream.makeStream(of: String.self)
    let slow = KeyCommand<Int>("/", label: "slow", help: "", prompt: "text: ") { text in
      taken.yield(text)
      await gate.pass()
      return nil
    }
    try await show(.rows(3), { $0.keys = [slow] }) { screen in
      var iterator = texts.makeAsyncIterator()
      try await screen.press("/", "a")
      #expect(await iterator.next() == "a")
      try await screen.type("bcd")
      try await screen.press(.enter)
      await gate.open()
      #expect(await iterator.next() == "abcd")
    }
  }
}

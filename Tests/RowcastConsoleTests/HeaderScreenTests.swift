import Testing

@testable import RowcastConsole

/// The headers of sections on the screen of an app.
@Suite(.watched) struct HeaderScreenTests {
  @Test func `a row that leaves from under a header leaves no sign that it was seen`() async throws {
    let store = try TestStore.spelled("a 1 2 3 4 5 6 7 8 9 | b 10 11 12")
    try await onScreen(store) { screen in
      try await screen.turnWheel(1)
      try await screen.expect("  A  9\n       4  row 4\n", fromLine: 1, count: 2)
      try await store.edit { _ = try $0.remove(3) }
      try await screen.expect("  A  8\n       4  row 4\n       5  row 5", fromLine: 1, count: 3)
      try await screen.turnWheel(-1)
      #expect(await !screen.lines.contains { $0.contains("row 3") })
      // What is seen leaves a sign for a second.
      try await store.edit { _ = try $0.remove(5) }
      try await screen.expect("the sign of row 5") { $0.contains("  -    5  row 5") }
    }
  }

  @Test func `a section without a title has no header, until it has something to say`() async throws {
    let store = try TestStore.spelled("a 1 2 | b 3 4")
    try await store.edit { try $0.updateSection("a") { $0.content.title = "" } }
    try await onScreen(store) { screen in
      try await screen.expect(
        "       1  row 1\n       2  row 2\n  B  2\n       3  row 3\n       4  row 4", fromLine: 1, count: 5)
      try await store.edit { try $0.updateSection("a") { $0.content.title = "A" } }
      try await screen.expect("~ A  2\n       1  row 1", fromLine: 1, count: 2)
      try await store.edit { try $0.updateSection("b") { $0.content.title = "" } }
      try await screen.expect("no header") { $0[4] == "       3  row 3" }
      // The sign of a row that is gone stands behind the row above it, not behind a header that is not there.
      try await store.edit { _ = try $0.remove(3) }
      try await screen.expect("the sign of row 3") { $0[3] == "       2  row 2" && $0[4] == "  -    3  row 3" }
    }
  }
}

import Testing

private struct Lists: Codable, Sendable {
  var list: WireMessage<TestSection, TestRow>?
}

private typealias Table = RetainedTable<TestSection, TestRow>

private func table(height: Int = 3, estimatedRowHeight: Int? = nil, poolCap: Int = 1) -> Table {
  Table(cells: CellRegistry<TestRow>(), height: height, estimatedRowHeight: estimatedRowHeight, poolCap: poolCap)
}

private func store(_ history: ListHistory = .last(1)) -> TestStore { TestStore(TestSnapshot(), history: history) }

/// What callers get wrong, and the beginning of the message.
private let mistakes: [(message: String, make: @Sendable () throws -> Void)] = [
  (
    "1 and 0 sections, but rows of 0 and 0",
    { _ = ListChanges(from: [TestSection("a")], rows: [[TestRow]](), to: [], rows: []) }
  ),
  ("There is no keyframe after every 0 updates", { _ = KeyframePolicy(everyUpdates: 0) }),
  ("A list cannot be sent every -1.0 seconds", { _ = EncodedList(store(), every: .seconds(-1)) { _ in 1 } }),
  ("There is no heartbeat every 0.0 seconds", { _ = EncodedList(store()) { _ in 1 }.lines(heartbeat: .zero) }),
  ("There is no heartbeat every 0.0 seconds", { _ = EncodedSpace(Lists()) { _ in 1 }.lines(heartbeat: .zero) }),
  ("A history cannot have -1 versions", { _ = store(.last(-1)) }),
  ("A history cannot be -1.0 seconds long", { _ = store(.within(.seconds(-1))) }),
  ("A store cannot follow a list every -1.0 seconds", { _ = TestStore(following: store(), every: .seconds(-1)) }),
  ("A table cannot have -1 lines; use 0 or more", { _ = table(height: -1) }),
  ("A table cannot have -1 lines; use 0 or more", { try table().resize(toHeight: -1) }),
  ("A row cannot have 0 lines; use 1 or more", { _ = table(estimatedRowHeight: 0) }),
  ("A table cannot keep -1 rows ready; use 0 or more", { table().workingRange = -1 }),
  ("A pool cannot hold -1 cells; use 0 or more", { _ = table(poolCap: -1) }),
  ("The list has no row at 0-7", { try table().scroll(to: RowPath(section: 0, row: 7)) }),
  (
    "The number of last lines must not be negative, got -1",
    { _ = FollowedFile("log", from: .lastLines(-1)).makeAsyncIterator() }
  ),
  ("A line must be limited to at least 1 byte, got 0", { _ = FollowedFile("log", lineLimit: 0).makeAsyncIterator() }),
  ("`interval` must not be negative, got -1.0 seconds", { _ = Polling(every: .seconds(-1)) { _ in 1 } }),
  ("ROWCAST_SEED is a number from 0 to 18446744073709551615, not \"0x2A\"", { fuzz("ROWCAST_SEED", "0x2A") }),
  ("not \"18446744073709551616\"", { fuzz("ROWCAST_SEED", "18446744073709551616") }),
  ("not \"4 2\"", { fuzz("ROWCAST_SEED", "4 2") }),
  ("ROWCAST_ROUNDS is a number above 0 such as 5 or 0.2, not \"5,0\"", { fuzz("ROWCAST_ROUNDS", "5,0") }),
  ("such as 5 or 0.2, not \"-3\"", { fuzz("ROWCAST_ROUNDS", "-3") }),
  ("ROWCAST_LONG is 1 or 0, not \"yes\"", { fuzz("ROWCAST_LONG", "yes") }),
]

/// Begins a fuzz test in an environment.
private func fuzz(_ variable: String, _ value: String) {
  _ = unsafe setenv(variable, value, 1)
  _ = (SeededGenerator.forFuzzing("mistakes"), SeededGenerator.rounds(1, long: 2))
}

/// What a caller gets wrong stops the program, in every room.
@Suite(.watched) struct CallerMistakeTests {
  @Test(arguments: mistakes.indices)
  func `a mistake stops the program, and the message has the value`(_ number: Int) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [number] in
      try mistakes[number].make()
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(mistakes[number].message))
  }
}

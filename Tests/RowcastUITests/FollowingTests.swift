import Testing

/// A model takes any update, and uses the changes only of updates that start from its list.
@MainActor @Suite(.watched) struct FollowingTests {
  /// A list whose updates a test sends.
  private struct SentList: LiveList {
    let stream: AsyncStream<TestUpdate>
    var snapshot: TestSnapshot { get async { TestSnapshot() } }
    var revision: Int { get async { 0 } }
    func updates() -> AsyncStream<TestUpdate> { stream }
  }

  @Test func `of two interleaved streams a model shows whatever came last`() async throws {
    var random = SeededGenerator.forFuzzing("interleaved streams, models")
    for round in 0..<SeededGenerator.rounds(8, long: 4_000) {
      let identity = InterleavedStreams.Identity.allCases[round % 4]
      var streams = InterleavedStreams(identity)
      let (stream, continuation) = AsyncStream.makeStream(of: TestUpdate.self)
      let model = TestModel(SentList(stream: stream))
      let start = model.base.version
      for step in 1...40 {
        let update = try streams.next(using: &random)
        continuation.yield(update)
        await eventually { model.base.version == start + step }
        try #require(
          NaiveList(model.snapshot) == NaiveList(update.snapshot),
          "seed \(random.seed), round \(round), step \(step), \(identity)")
        for id in 0..<6 { try #require(model.row(id) == update.snapshot.allRows.first { $0.id == id }) }
      }
    }
  }
}

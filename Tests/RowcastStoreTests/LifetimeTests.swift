/// Streams, iterators and stores that are dropped at every point of a schedule leave nothing behind.
@Suite(.watched) struct LifetimeTests {
  private final class Tag: Sendable {}

  private struct Tagged: RowViewModel {
    let id: Int
    let tag: Tag
    static func == (lhs: Tagged, rhs: Tagged) -> Bool { lhs.id == rhs.id && lhs.tag === rhs.tag }
  }

  private struct WeakTag: Sendable { weak let tag: Tag? }

  private typealias TaggedStore = ListStore<TestSection, Tagged>

  @Test func `memory does not grow with the transactions that nobody has seen`() async throws {
    let store = TaggedStore()
    try await store.edit { try $0.append(TestSection("a")) }
    var stream = store.updates().makeAsyncIterator()
    _ = await stream.next()
    var tags: [WeakTag] = []
    for number in 0..<2_000 {
      let row = Tagged(id: number % 10, tag: Tag())
      tags.append(WeakTag(tag: row.tag))
      try await store.edit { try $0.upsert(row, to: "a") }
    }
    // The ten rows of the newest list; the subscriber retains a list without rows.
    #expect(tags.count { $0.tag != nil } == 10)
    _ = await stream.next()
    #expect(tags.count { $0.tag != nil } == 10)
  }

  @Test func `whatever is dropped, and whenever, no row outlives it`() async throws {
    for seed in 0..<UInt64(SeededGenerator.rounds(100, long: 20_000)) {
      let (rows, log) = AsyncStream.makeStream(of: WeakTag.self)
      let result = await Schedule.run(seed: seed) {
        var random = SeededGenerator(seed: seed)
        let patience = (0..<3).map { _ in Int.random(in: 0..<20, using: &random) }
        await Self.useStore(patience: patience, log)
        return true
      }
      log.finish()
      #expect(result.value == true, "seed \(seed): somebody waits for a store that is gone")
      // The store ends its streams in a task of its own; then nothing retains a row.
      for await row in rows { await eventually { row.tag == nil } }
    }
  }

  /// Edits a store with subscribers that give up, each after a while; then drops it.
  private static func useStore(patience: [Int], _ log: AsyncStream<WeakTag>.Continuation) async {
    let store = TaggedStore()
    await withTaskGroup(of: Void.self) { group in
      for limit in patience {
        group.addTask {
          var seen = 0
          for await _ in store.updates() {
            seen += 1
            if seen > limit % 4 { break }
          }
        }
      }
      group.addTask {
        try? await store.edit { try $0.append(TestSection("a")) }
        for id in 0..<4 {
          let tag = Tag()
          log.yield(WeakTag(tag: tag))
          try? await store.edit { try $0.append(Tagged(id: id, tag: tag), to: "a") }
          if id == patience[0] % 4 { try? await store.edit { _ = try $0.remove(id) } }
        }
        await store.finish()
      }
    }
  }
}

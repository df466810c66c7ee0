@testable import RowcastStore

@Suite(.watched) struct StreamTests {
  @Test func `the empty list is an update too`() async throws {
    var stream = TestStore().updates().makeAsyncIterator()
    let first = try #require(await stream.next())
    #expect(first.revision == 0 && first.changes.isEmpty)
  }

  @Test func `what was undone while a subscriber slept is no update`() async throws {
    let store = try TestStore.with([1])
    var stream = store.updates().makeAsyncIterator()
    _ = await stream.next()
    for text in ["new", ""] { try await store.edit { try $0.update(1) { $0.text = text } } }
    await store.finish()
    #expect(await stream.next() == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a list whose rows were changed and changed back costs comparisons once`() async throws {
    let calls = CallCount()
    let store = try ListStore((0..<1_000).map { CountedRow(id: $0, key: 0, comparisons: calls) })
    let stream = store.updates()
    _ = await stream.first { _ in true }
    for key in [1, 0] { try await store.edit { for id in 0..<1_000 { try $0.update(id) { $0.key = key } } } }
    async let update = stream.first { _ in true }
    await eventually { await store.waiterCount == 1 }
    let before = calls.value
    try await store.edit { try $0.update(500) { $0.key = 2 } }
    #expect(await update?.changes.rows.updates.count == 1)
    #expect(calls.value - before < 100, "\(calls.value - before) comparisons")
  }

  @Test func `under any schedule readers of a stream take turns, and who is cancelled holds nobody up`() async throws {
    var random = SeededGenerator.forFuzzing("turns")
    for _ in 0..<SeededGenerator.rounds(200, long: 20_000) {
      let seed = random.next()
      let result = await Schedule.run(seed: seed) { await Self.turns(cancelsOne: seed % 2 == 0) }
      let updates = try #require(result.value, "seed \(random.seed), schedule \(seed): stuck")
      #expect(Set(updates.map(\.revision)).count == updates.count)
      // Who is cancelled may have taken an update with him, and ends the stream that they share.
      if seed % 2 == 0 { continue }
      var follower = Follower()
      for update in updates.sorted(by: { $0.revision < $1.revision }) { try follower.take(update) }
      #expect(follower.revision == 6, "seed \(random.seed), schedule \(seed)")
    }
  }

  /// What three readers of one stream got together.
  private static func turns(cancelsOne: Bool) async -> [TestUpdate] {
    let store = TestStore()
    let stream = store.updates()
    @Sendable func read() async -> [TestUpdate] {
      var updates: [TestUpdate] = []
      for await update in stream { updates.append(update) }
      return updates
    }
    return await withTaskGroup(of: [TestUpdate].self) { group in
      for _ in 0..<2 { group.addTask { await read() } }
      group.addTask {
        await withTaskGroup(of: [TestUpdate].self) { third in
          third.addTask { await read() }
          for _ in 0..<5 { await Task.yield() }
          if cancelsOne { third.cancelAll() }
          return await third.next() ?? []
        }
      }
      group.addTask {
        for number in 1...6 { try? await store.edit { try $0.append(TestSection("\(number)")) } }
        await store.finish()
        return []
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }
}

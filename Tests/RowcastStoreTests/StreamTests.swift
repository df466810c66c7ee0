import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastStore

@Suite(.watched) struct StreamTests {
  @Test func `eight who ask get a new state at once, the others stand in line, at each revision`() async throws {
    let store = try TestStore.with([1])
    for text in ["a", "b"] {
      try await store.edit { try $0.update(1) { $0.text = text } }
      #expect(await store.core.freeTurns(of: 20) == 8)
    }
  }

  @Test func `the empty list is an update too`() async throws {
    var stream = TestStore().updates().makeAsyncIterator()
    let first = try #require(await stream.next())
    #expect(first.revision == 0 && first.changes.isEmpty)
  }

  @Test func `what was undone while a subscriber slept is no update`() async throws {
    let store = try TestStore.with([1])
    var stream = store.updates().makeAsyncIterator()
    _ = await stream.next()
    try await store.edit { try $0.append(TestRow(2), to: "a") }
    try await store.edit { try $0.remove(2) }
    await store.finish()
    #expect(await stream.next() == nil)
  }

  @Test func `the chain has no gap where nothing was delivered`() async throws {
    let store = try TestStore.with([1])
    let core = store.core
    let follower = Task { try await Follower.following(store.updates()) }
    await eventually { await core.waiterCount == 1 }
    // The subscriber may wake up to a list that is what it was.
    try await store.edit { try $0.append(TestRow(2), to: "a") }
    try await store.edit { try $0.remove(2) }
    try await store.edit { try $0.append(TestRow(3), to: "a") }
    await store.finish()
    #expect(try await follower.value.revision == 3)
  }

  @Test func `dropping the store ends a subscriber that waits`() async throws {
    var store: TestStore? = try TestStore.with([1])
    let core = try #require(store?.core)
    let stream = try #require(store?.updates())
    let follower = Task { try await Follower.following(stream) }
    await eventually { await core.waiterCount == 1 }
    store = nil
    #expect(try await follower.value.updates == 1)
  }

  @Test func `under any schedule readers of one stream take turns, and who is cancelled holds nobody up`() async throws
  {
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

extension StoreCore {
  /// How many of those who ask get the newest state at once.
  fileprivate func freeTurns(of count: Int) -> Int { (0..<count).count { _ in hasFreeTurn() } }
}

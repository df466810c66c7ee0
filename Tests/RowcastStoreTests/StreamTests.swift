import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import Testing

@testable import RowcastStore

@Suite(.watched) struct StreamTests {
  @Test func `the empty list is an update too`() async throws {
    var stream = TestStore().updates().makeAsyncIterator()
    let first = try #require(await stream.next())
    #expect(first.revision == 0 && first.changes.isEmpty)
  }

  @Test func `a slow subscriber gets one update, net of all that it missed`() async throws {
    let store = try TestStore.with([1])
    var stream = store.updates().makeAsyncIterator()
    _ = await stream.next()
    for id in 2...1_000 {
      try await store.edit { list in
        try list.append(TestRow(id), to: "a")
        if id > 3 { try list.remove(id - 1) }
      }
    }
    let update = try #require(await stream.next())
    #expect(update.previous == 0 && update.revision == 999)
    #expect(update.changes.rows.inserts.count == 2 && update.changes.count == 2)
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

  @Test func `a stream outlives its store, delivers the last state and ends`() async throws {
    var store: TestStore? = try TestStore.with([1])
    let stream = try #require(store?.updates())
    try await store?.edit { try $0.append(TestRow(2), to: "a") }
    weak let gone = store
    store = nil
    #expect(gone == nil)
    let follower = try await Follower.following(stream)
    #expect(follower.list.parts[0].rows.count == 2)
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

  private final class Tracer: Sendable {}

  private struct TracedRow: RowViewModel {
    let id: Int
    let tracer: Tracer
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id && lhs.tracer === rhs.tracer }
  }

  /// Adds a row. Returns whether it is gone for good.
  @inline(never)
  private func fill(_ store: ListStore<TestSection, TracedRow>) async throws -> () -> Bool {
    let tracer = Tracer()
    try await store.edit { list in
      try list.append(TestSection("a"))
      try list.append(TracedRow(id: 1, tracer: tracer), to: "a")
    }
    return { [weak tracer] in tracer == nil }
  }

  /// Removes the row while a stream holds it. Optimised code keeps the stream until this returns, whatever becomes of its variables.
  @inline(never)
  private func readAndRemove(_ store: ListStore<TestSection, TracedRow>, _ isGone: () -> Bool) async throws {
    var iterator = store.updates().makeAsyncIterator()
    _ = await iterator.next()
    try await store.edit { try $0.remove(1) }
    #expect(!isGone())
    _ = iterator
  }

  @Test func `dropping a stream frees the snapshot that it held`() async throws {
    let store = ListStore<TestSection, TracedRow>()
    let isGone = try await fill(store)
    try await readAndRemove(store, isGone)
    await eventually { isGone() }
  }

  @Test func `two tasks that read one stream share it without breaking the chain`() async throws {
    let store = try TestStore.with([])
    let stream = store.updates()
    let readers = (0..<2).map { _ in
      Task {
        var updates: [TestUpdate] = []
        for await update in stream { updates.append(update) }
        return updates
      }
    }
    for id in 0..<200 { try await store.edit { try $0.append(TestRow(id), to: "a") } }
    await store.finish()
    var all: [TestUpdate] = []
    for reader in readers { all += await reader.value }
    var follower = Follower()
    for update in all.sorted(by: { $0.revision < $1.revision }) { try follower.take(update) }
    #expect(follower.revision == 200)
  }

  @Test func `under any schedule readers of one stream take turns, and who is cancelled holds nobody up`() async throws
  {
    var random = SeededGenerator.forFuzzing("turns")
    for _ in 0..<SeededGenerator.rounds(1_000, long: 20_000) {
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

@testable import RowcastStore

/// Stores that follow another list.
@Suite(.watched) struct FollowingStoreTests {
  @Test func `all changes of an interval are one revision, and time is measured after a change alone`() async throws {
    let (store, clock) = (try TestStore.with([]), ManualClock())
    let copy = TestStore(following: store, every: .seconds(1), clock: clock)
    await clock.waitForSleepers(1)
    for id in 0..<20 { try await store.edit { try $0.append(TestRow(id), to: "a") } }
    #expect(await copy.snapshot.rowCount == 0)
    let before = await copy.revision
    await clock.advance(by: .seconds(1))
    await eventually { await copy.snapshot == store.snapshot }
    #expect(await copy.revision == before + 1)
    await clock.waitForSleepers(1)
    await clock.advance(by: .milliseconds(1_500))
    await eventually { await clock.sleeperCount == 0 }
    // Nothing changes: no task waits for the clock.
    await Task.yield()
    #expect(await clock.sleeperCount == 0)
  }

  @Test func `a store that is released lets its source go`() async throws {
    let store = try TestStore.with([1])
    var copy: TestStore? = TestStore(following: store)
    if let copy { await eventually { await copy.snapshot == store.snapshot } }
    await eventually { await store.core.waiterCount == 1 }
    copy = nil
    await eventually { await store.core.waiterCount == 0 }
  }

  @Test func `a store that follows a list of another type ends with the store that this one has`() async throws {
    var store: TestStore? = try TestStore.with([1])
    let copy = try #require(store.map { TestStore(following: PlainList(store: $0)) })
    if let store { await eventually { await copy.snapshot == store.snapshot } }
    store = nil
    for await _ in copy.updates() {}
  }

  @Test func `a store that begins to follow a mirror has its list and its position at once`() async throws {
    let (list, position) = (try TestSnapshot.of(("a", [1, 2])), ListPosition(epoch: "e", revision: 7))
    for seed in 0..<UInt64(20) {
      let found = await Schedule.run(seed: seed) {
        let (store, mirror) = (TestStore(), MirroredList(list, at: position))
        await store.core.follow(mirror)
        return await store.core.newestOfOrigin
      }.value
      #expect(found?.state.snapshot == list && found?.origin?.position == position, "seed \(seed)")
    }
  }

  @Test func `an edit of a store that follows a mirror is undone by the next message`() async throws {
    let (mirror, copy) = (TestMirror(), TestStore())
    var list = try TestSnapshot.of(("a", [1, 2, 3]))
    try await mirror.receive(.initial(revision: 1, snapshot: list, epoch: "e"))
    await copy.core.follow(mirror)
    #expect(await copy.snapshot == list)
    try await copy.edit { try $0.append(TestRow(9), to: "a") }
    for rows in [[1, 2, 3, 4], [1, 2, 4]] {
      let next = try TestSnapshot.of(("a", rows))
      let revision = try #require(await mirror.position).revision
      let update = TestUpdate(
        revision: revision + 1, previous: revision, changes: list.changes(to: next), snapshot: next, epoch: "e")
      try await mirror.receive(TestMessage(update))
      await eventually { await copy.snapshot == next }
      list = next
    }
  }

  @Test(arguments: [Duration.nanoseconds(1), .seconds(Int64.max)])
  func `a pace may be any duration`(_ pace: Duration) async throws {
    let store = try TestStore.with([1])
    let copy = TestStore(following: store, every: pace)
    await eventually { await copy.snapshot == store.snapshot }
    await store.finish()
  }
}

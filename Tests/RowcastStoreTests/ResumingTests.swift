@testable import RowcastStore

/// Subscribers and mirrors that reconnect to a store with a history.
@Suite(.watched) struct ResumingTests {
  @Test func `updates and messages since a position begin there if it is known, or with the whole list`() async throws {
    let store = TestStore(try .of(("a", [])), epoch: "e", history: .last(3))
    for id in 0..<12 { try await store.edit { try $0.append(TestRow(id), to: "a") } }
    for position in [nil, .at(8), .at(13), .at(-1), .at(11, "other")] as [ListPosition?] {
      var updates = store.updates(since: position).makeAsyncIterator()
      let first = try #require(await updates.next())
      #expect(first.previous == nil && first.revision == 12, "\(String(describing: position))")
      #expect(await store.message(since: position)?.kind == "initial", "\(String(describing: position))")
    }
    for revision in 9...12 {
      var updates = store.updates(since: .at(revision)).makeAsyncIterator()
      let message = await store.message(since: .at(revision))
      if case .changes(let changes) = message {
        #expect(changes.previous == revision && changes.insertedRows.map(\.id) == Array(revision..<12))
        #expect(changes.position == .at(12))
      } else {
        #expect(revision == 12 && message == nil)
        try await store.edit { try $0.remove(0) }
      }
      #expect(await updates.next()?.previous == revision)
    }
  }

  @Test func `a history by count keeps that many versions, which share what did not change`() async throws {
    let store = TestStore(EditorSharingTests.snapshot(2_000), epoch: "e", history: .last(100))
    for step in 0..<400 { try await store.edit { try $0.update(step) { $0.text = "new" } } }
    #expect(await store.core.historyCount == 100)
    var versions: [TestSnapshot] = [await store.snapshot]
    for revision in 300..<400 { versions.append(try #require(await store.core.state(at: .at(revision))).snapshot) }
    #expect(await store.core.state(at: .at(299)) == nil)
    let alone = TestSnapshot.nodeCount(of: [versions[0]])
    #expect(TestSnapshot.nodeCount(of: versions) <= alone + 100 * 5)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a history by age keeps what was the newest list within that time`() async throws {
    let clock = ManualClock()
    let store = TestStore(try .of(("a", [])), epoch: "e", history: .within(.seconds(10)), clock: clock)
    for id in 0..<20 {
      try await store.edit { try $0.append(TestRow(id), to: "a") }
      await clock.advance(by: .seconds(1))
    }
    // Revision 9 was the newest one up to the tenth second, when 10 took its place.
    #expect(await store.message(since: .at(9))?.kind == "initial")
    #expect(await store.message(since: .at(10))?.kind == "changes")
    await clock.advance(by: .seconds(100))
    #expect(await store.message(since: .at(19))?.kind == "initial")
    #expect(await store.message(since: .at(20)) == nil)
  }

  @Test func `two stores have two epochs`() {
    #expect(TestStore().epoch != TestStore().epoch && !TestStore().epoch.isEmpty && TestStore().epoch.utf8.count <= 64)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a history by age is given up after that time, also if nothing happens any more`() async throws {
    let clock = ManualClock()
    let store = TestStore(try .of(("a", [])), epoch: "e", history: .within(.seconds(10)), clock: clock)
    func expectHistory(_ count: Int) async { await eventually { await store.core.historyCount == count } }
    for round in 0..<2 {
      for id in 0..<2 {
        try await store.edit { try $0.append(TestRow(2 * round + id), to: "a") }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(6))
      }
      await expectHistory(1)
      await clock.waitForSleepers(1)
      await clock.advance(by: .seconds(5))
      await expectHistory(0)
    }
  }

  @Test func `a state is dropped at a time, however late the task that waits for it begins`() async throws {
    let (times, time) = AsyncStream.makeStream(of: Duration.self)
    // The state is replaced three seconds after the store was made.
    let core = StoreCore<TestSection, TestRow>(
      ListDraft(try .of(("a", []))), history: .within(.seconds(10)),
      clock: AnyClock {
        .seconds(3)
      } sleep: {
        time.yield($0)
        throw CancellationError()
      })
    try await core.edit { try $0.append(TestRow(1), to: "a") }
    #expect(await times.first { _ in true } == .seconds(13) + .nanoseconds(1))
  }

  @Test func `a store whose history waits for its end is freed`() async throws {
    weak var core: StoreCore<TestSection, TestRow>?
    do {
      let store = TestStore(try .of(("a", [])), history: .within(.seconds(1_000)))
      core = store.core
      try await store.edit { try $0.append(TestRow(1), to: "a") }
    }
    await eventually { core == nil }
  }
}

extension StoreCore {
  /// The number of former states that are kept.
  fileprivate var historyCount: Int { history?.count ?? 0 }
}

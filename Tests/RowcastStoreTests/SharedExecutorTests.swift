@testable import RowcastStore

/// Tasks with an executor of their own, which may be busy for good, block no other task.
@Suite(.watched) struct SharedExecutorTests {
  private typealias Updates = AsyncStream<TestUpdate>

  /// Subscribers on an executor; each tells the revision of each update that it gets.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func subscribers(
    _ count: Int, of list: some LiveList<TestSection, TestRow>, on executor: QueueExecutor
  ) async -> (tasks: [Task<Void, Never>], revisions: AsyncStream<Int>.Iterator) {
    let (revisions, log) = AsyncStream.makeStream(of: Int.self)
    let tasks = (0..<count).map { _ in
      Task(executorPreference: executor) { for await update in list.updates() { log.yield(update.revision) } }
    }
    var iterator = revisions.makeAsyncIterator()
    for _ in tasks { #expect(await iterator.next() == 0) }
    return (tasks, iterator)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [1, 3, 40])
  func `subscribers whose executor is busy for good hold up neither writers nor others`(count: Int) async throws {
    let store = try TestStore.with([])
    let executor = QueueExecutor()
    var (tasks, revisions) = await Self.subscribers(count, of: store, on: executor)
    await eventually { await store.core.waiterCount == count }
    var ordinary = store.updates().makeAsyncIterator()
    _ = await ordinary.next()
    executor.suspend()
    for id in 1...200 {
      async let update = ordinary.next()
      // At first all wait. The stalled ones are woken once, and do not return.
      await eventually { await store.core.waiterCount == (id == 1 ? count + 1 : 1) }
      try await store.edit { try $0.append(TestRow(id), to: "a") }
      #expect(await update?.revision == id)
    }
    executor.resume()
    // Each gets what it missed as one update, or as two if it was woken before the last edits.
    var reached = 0
    while reached < count, let revision = await revisions.next() { if revision == 200 { reached += 1 } }
    for task in tasks { task.cancel() }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [false, true])
  func `writers and readers whose executor is busy for good hold up no other, nor do transactions over two stores`(
    _ isOverTwo: Bool
  ) async throws {
    let (space, executor) = (ListSpace(), QueueExecutor())
    let (store, other) = (space.store(try TestSnapshot.of(("a", []))), space.store(of: TestRow.self))
    // Many calls at a time, so that some find the store taken and have to be resumed by it.
    let callers = (0..<50).map { id in
      Task(executorPreference: executor) {
        let toggle: @Sendable (inout TestEditor) throws -> Void = { list in
          if list.path(ofRow: id) == nil { try list.append(TestRow(id), to: "a") } else { try list.remove(id) }
        }
        while !Task.isCancelled {
          _ = await store.snapshot
          _ = await store.revision
          if isOverTwo {
            try? await space.edit(store, other) {
              try toggle(&$0)
              try $1.upsert(TestRow(id, "\($0.snapshot.rowCount)"))
            }
          } else {
            try? await store.edit(toggle)
          }
        }
      }
    }
    await eventually { await store.revision > 100 }
    // It takes two calls at the same moment.
    for round in 0..<300 {
      executor.suspend()
      for id in 0..<20 {
        try await store.edit { try $0.append(TestRow(1_000 + 20 * round + id), to: "a") }
        if isOverTwo { try await other.edit { try $0.upsert(TestRow(1_000, "\(round) \(id)")) } }
      }
      executor.resume()
      await Task.yield()
    }
    for caller in callers {
      caller.cancel()
      await caller.value
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.ownThread) func `who is cancelled while making a difference holds up no other, nor an edit`() async throws {
    let (store, barrier) = (try TestStore.with(Array(0..<100)), Barrier())
    let cancelled = await barrier.subscriber(of: store) { await [$0.next()?.revision] }
    let ordinary = store.updates()
    _ = await ordinary.first { _ in true }
    try await store.edit { try $0.update(3) { $0.text = "new" } }
    await barrier.isEdited.open()
    await eventually { barrier.arrivals.value > 0 }
    cancelled.cancel()
    // The other one makes a difference of its own, and is blocked at the same row, by itself.
    let other = barrier.task { await ordinary.first { _ in true }?.revision }
    await eventually { barrier.arrivals.value > 1 }
    try await store.edit { try $0.remove(50) }
    barrier.releases.note(())
    #expect(await other.value == 1)
    #expect(await cancelled.value == [nil])
    #expect(barrier.losses.value == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a subscriber with an executor of its own compares rows there, and holds no other thread`() async throws {
    let (comparisons, elsewhere) = (CallCount(), CallCount())
    let (store, edits) = (try TestStore.with(Array(0..<20)), 200)
    let (followers, beginning) = AsyncStream.makeStream(of: Void.self)
    let subscribers = (0..<3).map { _ in
      let executor = QueueExecutor()
      let note: @Sendable () -> Void = {
        comparisons.note(())
        if !executor.isCurrent { elsewhere.note(()) }
      }
      return TestRow.$onComparison.withValue(note) {
        Task(executorPreference: executor) {
          for await update in store.updates() {
            if update.previous == nil { beginning.yield() }
            if update.revision == edits { return }
          }
        }
      }
    }
    // A subscriber after the last edit compares nothing.
    var following = followers.makeAsyncIterator()
    for _ in subscribers { await following.next() }
    for edit in 1...edits {
      try await store.edit { try $0.update(3) { $0.text = "\(edit)" } }
      await Task.yield()
    }
    for subscriber in subscribers { await subscriber.value }
    #expect(comparisons.value > 0)
    #expect(elsewhere.value == 0, "of \(comparisons.value) comparisons")
  }
}

/// Holds up whoever waits, until it is released.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct Barrier: Sendable {
  let arrivals = CallCount()
  let releases = CallCount()
  let losses = CallCount()
  /// Lets a subscriber with the first update continue.
  fileprivate let isEdited = Gate()

  /// Waits, but not for ever: two tasks that wait for each other show as a loss.
  func wait() {
    if releases.value > 0 { return }
    arrivals.note(())
    let start = ContinuousClock.now
    while start.duration(to: .now) < .seconds(120) { if releases.value > 0 { return } }
    losses.note(())
  }

  /// A task with a thread of its own, whose comparisons of rows wait.
  fileprivate func task<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
    TestRow.$onComparison.withValue({ wait() }) { Task(executorPreference: QueueExecutor()) { await body() } }
  }

  /// Such a task that has the first update of a store.
  fileprivate func subscriber<Value: Sendable>(
    of store: TestStore, _ body: @escaping @Sendable (inout AsyncStream<TestUpdate>.Iterator) async -> Value
  ) async -> Task<Value, Never> {
    let isSubscribed = Gate()
    let subscriber = task {
      var updates = store.updates().makeAsyncIterator()
      _ = await updates.next()
      await isSubscribed.open()
      await isEdited.pass()
      return await body(&updates)
    }
    await isSubscribed.pass()
    return subscriber
  }
}

/// Where the difference is made, and how often: on the side of the subscribers, and not again if it exists.
@Suite(.watched) struct SubscriberSideTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.ownThread) func `an edit gets through while a subscriber that is alone makes its difference`() async throws {
    let (store, barrier) = (try TestStore.with(Array(0..<100)), Barrier())
    let subscriber = await barrier.subscriber(of: store) { await [$0.next()?.revision, $0.next()?.revision] }
    try await store.edit { try $0.update(3) { $0.text = "new" } }
    // Both have threads of their own: other tests delay neither.
    let editor = Task(executorPreference: QueueExecutor()) {
      await eventually { barrier.arrivals.value > 0 }
      try await store.edit { try $0.remove(50) }
      barrier.releases.note(())
    }
    await barrier.isEdited.open()
    #expect(await subscriber.value == [1, 2])
    try await editor.value
    #expect(barrier.losses.value == 0, "the edit waited for the difference")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `fifty subscribers that come one after the other compare no more rows than two`() async throws {
    let none = try await Self.comparisons(of: 0)
    let few = try await Self.comparisons(of: 2)
    let many = try await Self.comparisons(of: 50)
    #expect(few > none && many == few, "\(none), \(few), \(many)")
  }

  /// The number of comparisons of rows for five edits with some subscribers, which take each edit one after the other.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func comparisons(of subscribers: Int) async throws -> Int {
    let calls = CallCount()
    let rows = (0..<1_000).map { CountedRow(id: $0, key: 0, comparisons: calls) }
    let store = ListStore(try ListSnapshot([ListSection(TestSection("a"), rows: rows)]))
    var streams = (0..<subscribers).map { _ in store.updates().makeAsyncIterator() }
    for index in streams.indices { _ = await streams[index].next() }
    for edit in 1...5 {
      try await store.edit { list in
        for id in 500..<510 { try list.update(id) { $0.key = edit } }
        try list.move(505, to: 20, in: "a")
      }
      for index in streams.indices { #expect(await streams[index].next()?.revision == edit) }
    }
    return calls.value
  }
}

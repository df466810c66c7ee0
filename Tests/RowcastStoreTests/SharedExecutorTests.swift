import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

/// Tasks with an executor of their own, which may be busy for good, hold up no other task.
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
  func `subscribers whose executor is busy for good hold up neither writers nor other subscribers`(count: Int)
    async throws
  {
    let store = try TestStore.with([])
    let executor = QueueExecutor()
    var (tasks, revisions) = await Self.subscribers(count, of: store, on: executor)
    await eventually { await store.core.waiterCount == count }
    var ordinary = store.updates().makeAsyncIterator()
    _ = await ordinary.next()
    executor.suspend()
    for id in 1...200 {
      async let update = ordinary.next()
      // At first all wait. The stalled ones are woken once, and do not come back.
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
  @Test func `writers and readers whose executor is busy for good hold up no other`() async throws {
    let store = try TestStore.with([])
    let executor = QueueExecutor()
    // Many calls at a time, so that some find the store taken and have to be resumed by it.
    let callers = (0..<50).map { id in
      Task(executorPreference: executor) {
        while !Task.isCancelled {
          _ = await store.snapshot
          _ = await store.revision
          try? await store.edit { list in
            if list.path(ofRow: id) == nil { try list.append(TestRow(id), to: "a") } else { try list.remove(id) }
          }
        }
      }
    }
    await eventually { await store.revision > 100 }
    // It takes two that come at the same moment.
    for round in 0..<300 {
      executor.suspend()
      for id in 0..<20 { try await store.edit { try $0.append(TestRow(1_000 + 20 * round + id), to: "a") } }
      executor.resume()
      await Task.yield()
    }
    for caller in callers { caller.cancel() }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.ownThread) func `a subscriber that is cancelled while it makes a difference holds up no other`() async throws {
    typealias SlowRow = SubscriberSideTests.SlowRow
    let store = ListStore(try ListSnapshot([ListSection(TestSection("a"), rows: (0..<100).map { SlowRow(id: $0) })]))
    let barrier = SubscriberSideTests.Barrier()
    let (isSubscribed, isEdited) = (Gate(), Gate())
    let cancelled = Task(executorPreference: QueueExecutor()) {
      var stream = store.updates().makeAsyncIterator()
      _ = await stream.next()
      await isSubscribed.open()
      await isEdited.pass()
      return await stream.next()?.revision
    }
    await isSubscribed.pass()
    var ordinary = store.updates().makeAsyncIterator()
    _ = await ordinary.next()
    try await store.edit { list in
      try list.update(3) { row in
        row.text = "slow"
        row.barrier = barrier
      }
    }
    // Not before: the store compares rows, too, as part of its transactions.
    barrier.armings.note(())
    await isEdited.open()
    await eventually { barrier.arrivals.value > 0 }
    cancelled.cancel()
    // The other one makes a difference of its own, and is held up at the same row, by itself.
    let other = Task(executorPreference: QueueExecutor()) { [ordinary] in
      var ordinary = ordinary
      return await ordinary.next()?.revision
    }
    await eventually { barrier.arrivals.value > 1 }
    try await store.edit { try $0.remove(50) }
    barrier.releases.note(())
    #expect(await other.value == 1)
    #expect(await cancelled.value == nil)
    #expect(barrier.losses.value == 0)
  }

  /// A row that tells on which executor a task compares it.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct PlacedRow: RowViewModel {
    /// The executor that the calling task has for itself.
    @TaskLocal static var own: QueueExecutor?

    let id: Int
    var version = 0
    let comparisons: CallCount
    let elsewhere: CallCount

    static func == (lhs: PlacedRow, rhs: PlacedRow) -> Bool {
      if let own {
        lhs.comparisons.note(())
        if !own.isCurrent { lhs.elsewhere.note(()) }
      }
      return lhs.id == rhs.id && lhs.version == rhs.version
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a subscriber with an executor of its own compares rows there, and holds no other thread`() async throws {
    let (comparisons, elsewhere) = (CallCount(), CallCount())
    let rows = (0..<20).map { PlacedRow(id: $0, comparisons: comparisons, elsewhere: elsewhere) }
    let store = ListStore(try ListSnapshot([ListSection(TestSection("a"), rows: rows)]))
    let edits = 200
    let (followers, beginning) = AsyncStream.makeStream(of: Void.self)
    let subscribers = (0..<3).map { _ in
      let executor = QueueExecutor()
      return PlacedRow.$own.withValue(executor) {
        Task(executorPreference: executor) {
          for await update in store.updates() {
            if update.previous == nil { beginning.yield() }
            if update.revision == edits { return }
          }
        }
      }
    }
    // Who comes after the last edit compares nothing.
    var following = followers.makeAsyncIterator()
    for _ in subscribers { await following.next() }
    for edit in 1...edits {
      try await store.edit { try $0.update(3) { $0.version = edit } }
      await Task.yield()
    }
    for subscriber in subscribers { await subscriber.value }
    #expect(comparisons.value > 0)
    #expect(elsewhere.value == 0, "of \(comparisons.value) comparisons")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a subscriber of high priority is woken before a thousand in the background`() async throws {
    let core = StoreCore<TestSection, TestRow>(ListDraft(try TestSnapshot.of(("a", []))))
    func check(_ core: isolated StoreCore<TestSection, TestRow>) throws {
      let background = (0..<1_000).map { _ in Signal() }
      for signal in background { _ = core.contents.waiters.add(signal, priority: .background) }
      let urgent = Signal()
      _ = core.contents.waiters.add(urgent, priority: .high)
      try core.edit { try $0.append(TestRow(1), to: "a") }
      #expect(!urgent.send(), "the urgent subscriber was not woken by the writer itself")
      #expect(background.count { !$0.send() } == 7)
    }
    try await check(core)
  }
}

import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

@Suite(.watched) struct ConcurrencyTests {
  @Test func `a writer wakes few of ten thousand waiting subscribers, and a task wakes the others`() async throws {
    let core = StoreCore<TestSection, TestRow>(ListDraft(try TestSnapshot.of(("a", []))))
    let waiting = (0..<10_000).map { _ in Task { await core.delivery(after: 0)?.state.revision } }
    await eventually { await core.waiterCount == 10_000 }
    /// Edits, and looks around before any other task can enter.
    func edit(_ core: isolated StoreCore<TestSection, TestRow>) throws {
      for id in 1...2 {
        try core.edit { try $0.append(TestRow(id), to: "a") }
        #expect(core.waiterCount == 10_000 - 8 * id && core.contents.waiters.dueCount == core.waiterCount)
      }
    }
    try await edit(core)
    for task in waiting { #expect(await task.value == 2) }
    #expect(await core.waiterCount == 0)
  }

  @Test func `the task that wakes subscribers ends when all are woken, and keeps no store`() async throws {
    weak var former: StoreCore<TestSection, TestRow>?
    do {
      let core = StoreCore<TestSection, TestRow>(ListDraft(try TestSnapshot.of(("a", []))))
      former = core
      let waiting = (0..<100).map { _ in Task { await core.delivery(after: 0)?.state.revision } }
      await eventually { await core.waiterCount == 100 }
      try await core.edit { try $0.append(TestRow(1), to: "a") }
      for task in waiting { #expect(await task.value == 1) }
    }
    await eventually { former == nil }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `an edit does not wait until all subscribers of its own priority are woken`() async throws {
    let (count, store) = (4_000, try TestStore.with([0]))
    let updates = CallCount()
    let subscribers = (0..<count).map { _ in Task { for await update in store.updates() { _ = updates.note(update) } } }
    await eventually { await store.waiterCount == count }
    // Those that had their turn during an edit. All have it where the system takes the writer's thread away for a while.
    var turns: [Int] = []
    for edit in 1...20 {
      let before = updates.value
      try await store.edit { try $0.update(0) { $0.text = "\(edit)" } }
      turns.append(updates.value - before)
    }
    #expect(turns.count { $0 >= count / 4 } <= 4, "\(turns)")
    await store.finish()
    for subscriber in subscribers { await subscriber.value }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `who waits for a turn wakes none of those who have the newest list`() async throws {
    let core = StoreCore<TestSection, TestRow>(ListDraft(try TestSnapshot.of(("a", []))))
    func poll(_ core: isolated StoreCore<TestSection, TestRow>, _ revision: Int) -> Signal? {
      if case .waiting(let signal, _, _) = core.poll(after: revision, isCalled: false) { signal } else { nil }
    }
    try await core.edit { try $0.append(TestRow(1), to: "a") }
    var current: [Signal] = []
    for _ in 0..<100 { current.append(try #require(await poll(core, 1))) }
    // Few get the list at once; the next one waits, and has a turn.
    var turns = 0
    var late = await poll(core, 0)
    while late == nil {
      turns += 1
      late = await poll(core, 0)
    }
    #expect(turns == 8)
    #expect(await late?.wait() == true)
    await eventually { await core.waiterCount == 100 }
    #expect(current.allSatisfy { $0.send() })
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a store that is finished wakes those who wait for their turn`() async throws {
    let core = StoreCore<TestSection, TestRow>(ListDraft(try TestSnapshot.of(("a", []))))
    /// Finishes before a task that wakes can enter.
    func finish(_ core: isolated StoreCore<TestSection, TestRow>) throws -> [Signal] {
      try core.edit { try $0.append(TestRow(1), to: "a") }
      let polls = (0..<20).map { _ in core.poll(after: 0, isCalled: false) }
      let signals = polls.compactMap { if case .waiting(let signal, _, _) = $0 { signal } else { nil } }
      core.finish()
      return signals
    }
    let signals = try await finish(core)
    #expect(signals.count == 12 && signals.allSatisfy { !$0.send() })
    #expect(await core.waiterCount == 0)
  }

  @Test func `memory does not grow with the transactions that nobody has seen`() async throws {
    final class Tag: Sendable {}
    struct Tagged: RowViewModel {
      let id: Int
      let tag: Tag
      static func == (lhs: Tagged, rhs: Tagged) -> Bool { lhs.id == rhs.id && lhs.tag === rhs.tag }
    }
    struct WeakTag { weak var tag: Tag? }
    let store = ListStore<TestSection, Tagged>()
    try await store.edit { try $0.append(TestSection("a")) }
    var stream = store.updates().makeAsyncIterator()
    _ = await stream.next()
    var tags: [WeakTag] = []
    for number in 0..<2_000 {
      let row = Tagged(id: number % 10, tag: Tag())
      tags.append(WeakTag(tag: row.tag))
      try await store.edit { try $0.upsert(row, to: "a") }
    }
    // The ten rows of the newest list; the subscriber holds one that has none.
    #expect(tags.count { $0.tag != nil } == 10)
    _ = await stream.next()
    #expect(tags.count { $0.tag != nil } == 10)
  }
}

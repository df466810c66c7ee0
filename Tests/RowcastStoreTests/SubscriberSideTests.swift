import RowcastDiff
import RowcastModel
import RowcastTestSupport
import Testing

@testable import RowcastStore

/// Where the difference is made, and how often: on the side of the subscribers, and not again if it is there.
@Suite(.watched) struct SubscriberSideTests {
  /// Holds up comparisons, once it is armed, until it is released.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Barrier: Sendable {
    let armings = CallCount()
    let arrivals = CallCount()
    let releases = CallCount()
    let losses = CallCount()

    /// Waits, but not for ever: two tasks that wait for each other show as a loss.
    func wait() {
      if armings.value == 0 || releases.value > 0 { return }
      arrivals.note(())
      let start = ContinuousClock.now
      while start.duration(to: .now) < .seconds(120) { if releases.value > 0 { return } }
      losses.note(())
    }
  }

  /// A row that may take long to compare.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct SlowRow: RowViewModel {
    let id: Int
    var text = ""
    var barrier: Barrier?

    static func == (lhs: SlowRow, rhs: SlowRow) -> Bool {
      rhs.barrier?.wait()
      return lhs.id == rhs.id && lhs.text == rhs.text
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(.ownThread, arguments: [0, 1])
  func `an edit gets through while a subscriber makes its difference`(others: Int) async throws {
    let store = ListStore(
      try ListSnapshot([ListSection(TestSection("a"), rows: (0..<100).map { SlowRow(id: $0) })]))
    let barrier = Barrier()
    let (isSubscribed, isEdited) = (Gate(), Gate())
    // Who is alone takes another way than who has company.
    var company = (0..<others).map { _ in store.updates().makeAsyncIterator() }
    for index in company.indices { _ = await company[index].next() }
    let subscriber = Task(executorPreference: QueueExecutor()) {
      var stream = store.updates().makeAsyncIterator()
      _ = await stream.next()
      await isSubscribed.open()
      await isEdited.pass()
      return [await stream.next()?.revision, await stream.next()?.revision]
    }
    await isSubscribed.pass()
    try await store.edit { list in
      try list.update(3) { row in
        row.text = "slow"
        row.barrier = barrier
      }
    }
    // Not before: the store compares rows, too, as part of its transactions.
    barrier.armings.note(())
    // Both have threads of their own: what else is tested meanwhile holds up neither.
    let editor = Task(executorPreference: QueueExecutor()) {
      await eventually { barrier.arrivals.value > 0 }
      try await store.edit { try $0.remove(50) }
      barrier.releases.note(())
    }
    await isEdited.open()
    #expect(await subscriber.value == [1, 2])
    try await editor.value
    #expect(barrier.losses.value == 0, "the edit waited for the difference")
    withExtendedLifetime(company) {}
  }

  @Test func `a subscriber that is further behind gets its own difference, not the one that others share`() async throws
  {
    let store = try TestStore.with([])
    var behind = store.updates().makeAsyncIterator()
    _ = await behind.next()
    try await store.edit { try $0.append(TestRow(1), to: "a") }
    var others = (0..<3).map { _ in store.updates().makeAsyncIterator() }
    for index in others.indices { _ = await others[index].next() }
    try await store.edit { try $0.append(TestRow(2), to: "a") }
    for index in others.indices { #expect(await others[index].next()?.changes.rows.inserts.count == 1) }
    #expect(await store.core.differences.newest?.value.span == 1..<2)
    let update = await behind.next()
    #expect(update?.previous == 0 && update?.changes.rows.inserts.count == 2)
    withExtendedLifetime(others) {}
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `fifty subscribers that come one after the other compare no more rows than two`() async throws {
    let none = try await Self.comparisons(of: 0)
    let few = try await Self.comparisons(of: 2)
    let many = try await Self.comparisons(of: 50)
    #expect(few > none && many == few, "\(none), \(few), \(many)")
  }

  /// How many comparisons of rows five edits take with some subscribers, which come for each edit one after the other.
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

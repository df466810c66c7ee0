import RowcastDiff
import RowcastModel
import RowcastStore
import RowcastTestSupport
import RowcastViews
import Testing

/// Rows of the last while, which leave a list as time passes.
@Suite(.watched) struct RecentRowTests {
  private struct Reading: RowViewModel {
    let id: Int
    var time: Double
  }
  private typealias Store = ListStore<SoleSection, Reading>
  private typealias List = ArrangedList<SoleSection, Reading>

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func recent(
    _ store: Store, _ clock: ManualClock, within interval: Duration = .seconds(10), calls: CallCount = CallCount()
  ) -> List {
    let start = clock.now
    return store.arranged {
      $0.recent(
        { calls.note($0.time) }, within: interval, now: { start.duration(to: clock.now) / .seconds(1) }, clock: clock)
    }
  }

  private static func ids(_ list: List) async -> [Int] { await list.snapshot.allRows.map(\.id) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `each row leaves at its time, and one timer waits for all of them while anybody does`() async throws {
    let clock = ManualClock()
    let store = try ListStore([Reading(id: 1, time: -4), Reading(id: 2, time: 0), Reading(id: 3, time: -20)])
    let list = Self.recent(store, clock)
    let streams = (0..<3).map { _ in list.updates() }
    var first = streams[0].makeAsyncIterator()
    #expect(await first.next()?.snapshot.allRows.map(\.id) == [1, 2])
    // A row that was updated expires later.
    try await store.edit { try $0.upsert(Reading(id: 2, time: 1)) }
    #expect(await first.next()?.changes.count == 1)
    #expect(await clock.sleeperCount == 0)
    let watchers = streams[1...].map { stream in
      Task {
        var lists: [[Int]] = []
        for await update in stream { lists.append(update.snapshot.allRows.map(\.id)) }
        return lists
      }
    }
    async let next = first.next()
    await clock.waitForSleepers(1)
    await eventually { await store.waiterCount == 3 }
    #expect(await clock.sleeperCount == 1)
    await clock.advance(by: .seconds(5))
    #expect(await clock.sleeperCount == 1)
    await clock.advance(by: .seconds(1))
    #expect(await next?.snapshot.allRows.map(\.id) == [2])
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(5))
    #expect(await first.next()?.snapshot.rowCount == 0)
    await eventually { await clock.sleeperCount == 0 }
    await store.finish()
    #expect(await first.next() == nil)
    for watcher in watchers {
      let lists = await watcher.value
      #expect(lists.first == [1, 2] && lists.last == [], "\(lists)")
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a list ends when its source has ended and the last row has expired`() async throws {
    let clock = ManualClock()
    let store = try ListStore([Reading(id: 1, time: 0), Reading(id: 2, time: .infinity)])
    var updates = Self.recent(store, clock).arranged { $0.reversed() }.updates().makeAsyncIterator()
    #expect(await updates.next()?.snapshot.rowCount == 2)
    await store.finish()
    async let next = updates.next()
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(10))
    #expect(await next?.snapshot.allRows.map(\.id) == [2])
    #expect(await updates.next() == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `under any schedule every reader sees each row expire, whoever reads besides`() async throws {
    await Schedule.explore("recent rows", 20, long: 75_000) { _ in
      let clock = ManualClock()
      let rows = [Reading(id: 0, time: 0), Reading(id: 1, time: 1), Reading(id: 9, time: 1_000)]
      let store = try ListStore(rows)
      let list = Self.recent(store, clock)
      let last = list.arranged { $0.window(.last(2)) }
      let readers = [list, list, list, last].map { list in
        // The last row does not expire: a reader that has missed one before waits for ever.
        Task { await list.updates().contains { $0.snapshot.allRows.map(\.id) == [9] } }
      }
      for second in 0..<13 {
        await clock.advance(by: .seconds(1))
        if second % 4 == 3 { _ = await list.snapshot }
      }
      for reader in readers { if await !reader.value { return "a reader ended" } }
      return nil
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `under any schedule a list waits for no time that its newest arrangement does not read`() async throws {
    typealias Plan = Arrangement<SoleSection, Reading, SoleSection, Reading>
    await Schedule.explore("a plan without recent rows", 60, long: 30_000) { _ in
      let clock = ManualClock()
      let store = try ListStore([Reading(id: 1, time: 0)])
      let recent = Plan().recent(\.time, within: .seconds(10), now: { 0 }, clock: clock)
      let plan = Parameter(recent)
      let list = store.arranged(by: plan)
      let readers = (0..<3).map { _ in Task { await list.updates().contains { _ in false } } }
      for next in [Plan(), recent, Plan()] {
        _ = await list.snapshot
        await plan.set(next)
      }
      _ = await list.snapshot
      await store.finish()
      plan.finish()
      // A reader that waits for the time does not end.
      for reader in readers { if await reader.value { return "a reader found an update" } }
      // Timers end once they have noticed that they are cancelled.
      while await clock.sleeperCount > 0 { await Task.yield() }
      return nil
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `rows follow a time that is set forward within a minute`() async throws {
    let (clock, leaps) = (ManualClock(), CallCount())
    let (store, start) = (try ListStore([Reading(id: 1, time: 0)]), clock.now)
    let list = store.arranged {
      $0.recent(
        \.time, within: .seconds(300),
        now: { start.duration(to: clock.now) / .seconds(1) + Double(leaps.value) * 3_600 }, clock: clock)
    }
    var updates = list.updates().makeAsyncIterator()
    _ = await updates.next()
    async let next = updates.next()
    await clock.waitForSleepers(1)
    leaps.note(())
    await clock.advance(by: .seconds(60))
    #expect(await next?.snapshot.rowCount == 0)
  }

  /// A clock that calls a function before it sleeps, and on which each piece of work takes a second.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct CallingClock: Clock {
    let clock = ManualClock()
    let work = CallCount()
    let willSleep: @Sendable (ManualClock.Instant) throws -> Void

    var now: ManualClock.Instant { clock.now.advanced(by: .seconds(work.value)) }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      try willSleep(deadline)
      try await clock.sleep(until: deadline, tolerance: tolerance)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a row leaves at its time also if the list takes long to make`() async throws {
    let (deadlines, told) = AsyncStream.makeStream(of: ManualClock.Instant.self)
    let clock = CallingClock { told.yield($0) }
    let (store, start) = (try ListStore([Reading(id: 1, time: 0), Reading(id: 2, time: 20)]), clock.now)
    let list = store.arranged {
      $0.recent(
        { reading in
          clock.work.note(())
          return reading.time
        }, within: .seconds(50), now: { Double(clock.work.value) }, clock: clock)
    }
    let reader = Task { for await _ in list.updates() {} }
    var waits = deadlines.makeAsyncIterator()
    #expect(await waits.next() == start.advanced(by: .seconds(50)))
    // Work on rows that no reader sees: the list is not read again before the reader waits.
    let before = clock.work.value
    try await store.edit { list in for id in 3...6 { try list.append(Reading(id: id, time: -1_000)) } }
    #expect(await waits.next() == start.advanced(by: .seconds(50)))
    #expect(clock.work.value >= before + 4)
    reader.cancel()
  }

  private enum Reader {
    @TaskLocal static var isRunning = false
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `the timer has nothing of the task that waits first, and goes on after an error of its clock`()
    async throws
  {
    struct Trouble: Error {}
    let (sleeps, inherited) = (CallCount(), CallCount())
    let calling = CallingClock { _ in
      if Reader.isRunning { inherited.note(()) }
      sleeps.note(())
      if sleeps.value == 1 { throw Trouble() }
    }
    let (store, clock, start) = (try ListStore([Reading(id: 1, time: 0)]), calling.clock, calling.now)
    let list = store.arranged {
      $0.recent(
        \.time, within: .seconds(10), now: { start.duration(to: clock.now) / .seconds(1) }, clock: calling)
    }
    // It wakes no reader later.
    await store.finish()
    let counts = Reader.$isRunning.withValue(true) {
      Task {
        var counts: [Int] = []
        for await update in list.updates() { counts.append(update.snapshot.rowCount) }
        return counts
      }
    }
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(10))
    #expect(await counts.value == [1, 0])
    #expect(sleeps.value == 2 && inherited.value == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `times that are no times never trap, and a cancelled watcher leaves no timer`() async throws {
    let times = [.nan, .infinity, -.infinity, 1e300, -1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0]
    for interval in [Duration.zero, .seconds(-1), .seconds(Int64.max), .seconds(Int64.min), .seconds(1)] {
      let clock = ManualClock()
      let store = try ListStore(times.enumerated().map { Reading(id: $0, time: $1) })
      let list = Self.recent(store, clock, within: interval)
      let expected = times.indices.filter { 0 - times[$0] < interval / .seconds(1) }
      #expect(await Self.ids(list) == expected, "\(interval)")
      let task = Task { for await _ in list.updates() {} }
      await clock.waitForSleepers(1)
      task.cancel()
      await task.value
      await eventually { await clock.sleeperCount == 0 }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [500, 20_000])
  func `an expiry looks at the rows that expire, and no others`(_ count: Int) async throws {
    let (clock, calls) = (ManualClock(), CallCount())
    let store = try ListStore((0..<count).map { Reading(id: $0, time: Double($0 * 7_919 % count)) })
    let list = Self.recent(store, clock, within: .seconds(10), calls: calls)
    #expect(await list.snapshot.rowCount == count)
    for second in 10..<20 {
      await clock.advance(by: .seconds(second == 10 ? 10 : 1))
      let before = calls.value
      #expect(await list.snapshot.rowCount == count - second + 9)
      #expect(calls.value == before)
      try await store.edit { try $0.upsert(Reading(id: 3, time: Double(count + second))) }
      _ = await list.snapshot
      #expect(calls.value - before <= 3)
    }
  }
}

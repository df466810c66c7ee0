import RowcastSchedules
import RowcastTestSupport
import Testing

/// The promises on every platform, with hooks of the runtime and without: see the step `portable` of the gate.
@Suite(.watched) struct PortableSchedulesTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: ["group", "async let", "time"])
  func `child tasks run in every order, which the seed decides`(_ kind: String) async throws {
    @Sendable func body(_ orders: Collector<[Int]>) -> @Sendable (ScheduleRun) async throws -> Void {
      { run in
        let notes = Notes()
        switch kind {
        case "group":
          await withTaskGroup { group in
            for note in 1...3 { group.addTask { await notes.add([note]) } }
          }
        case "async let":
          async let first: Void = notes.add([1, 2])
          async let second: Void = notes.add([3])
          _ = await (first, second)
        default:
          try await withThrowingTaskGroup { group in
            for note in 1...3 {
              group.addTask {
                try await run.clock.sleep(for: .seconds(4 - note))
                await notes.add([note])
              }
            }
            try await group.waitForAll()
          }
        }
        await orders.add(await notes.all)
      }
    }
    let all = Collector<[Int]>()
    let exploration = try await Schedules.explore(400, seed: 1, body(all))
    #expect(await Set(all.values).count == (kind == "async let" ? 3 : 6))
    #expect(exploration.unordered == 0)
    for seed in 0..<20 as Range<UInt64> {
      let two = Collector<[Int]>()
      for _ in 0..<2 { try await Schedules.replay(SchedulePath(integerLiteral: seed), body(two)) }
      #expect(await Set(two.values).count == 1, "seed \(seed)")
    }
    let orders = Collector<[Int]>()
    let complete = try await Schedules.explore(100_000, strategy: .enumeration(preemptions: 1), body(orders))
    #expect(complete.isComplete && complete.distinct == complete.schedules)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `timers that nothing overtakes fire in their order, and a cancelled one at once`() async throws {
    try await Schedules.explore(100, timers: .whenIdle) { run in
      let notes = Notes()
      let start = run.clock.now
      await withTaskGroup { group in
        for note in 1...3 {
          group.addTask {
            try? await run.clock.sleep(for: .seconds(4 - note))
            await notes.add(note)
          }
        }
        await group.waitForAll()
        for isLate in [false, true] {
          if isLate {
            // Some of the first ones sleep when they are cancelled.
            await Task.yield()
            group.cancelAll()
          }
          group.addTask {
            do {
              try await run.clock.sleep(for: .seconds(60))
              await notes.add(4)
            } catch {}
          }
        }
      }
      let (order, took) = (await notes.all, start.duration(to: run.clock.now))
      try run.expect(order == [3, 2, 1] && took == .seconds(3), "\(order) took \(took)")
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `a lost update is found, and repeats on the shortest schedule`() async throws {
    @Sendable func body(_ run: ScheduleRun) async throws {
      let notes = Notes()
      await withTaskGroup { group in
        for note in 1...2 {
          group.addTask { if await notes.all.isEmpty { await notes.add([note]) } }
        }
      }
      let all = await notes.all
      try run.expect(all.count == 1, "\(all)")
    }
    let failure = try await #require(throws: ScheduleFailure.self) { try await Schedules.explore(1_000, body) }
    #expect(failure.isRepeatable)
    let again = try await #require(throws: ScheduleFailure.self) {
      try await Schedules.replay(failure.shortest, body)
    }
    #expect(again.shortest == failure.shortest)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [0, 1, 3])
  func `a wait that nobody ends is a deadlock, also after others that were ended`(_ waits: Int) async throws {
    let ended = CallCount()
    let failure = try await #require(throws: ScheduleFailure.self) {
      try await Schedules.explore(10) { _ in
        for _ in 0..<waits {
          // Without hooks, a thread outside the schedule ends the wait.
          let (signals, signal) = AsyncStream.makeStream(of: Void.self)
          await withTaskGroup(of: Void.self) { group in
            group.addTask { Task.detached { signal.finish() } }
            for await _ in signals {}
          }
          ended.note(())
        }
        let (silence, _) = AsyncStream.makeStream(of: Int.self)
        for await _ in silence {}
      }
    }
    guard case .deadlock = failure.kind else { throw failure }
    // Each run has had all of them.
    #expect(ended.value >= waits && ended.value.isMultiple(of: waits), "\(ended.value)")
  }

  #if !ROWCAST_HOOKS
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `jobs from elsewhere are counted, and cancellation is refused`() async throws {
      let exploration = try await Schedules.explore(10) { _ in
        // The child runs when the body waits, so that the thread of the detached task always resumes a job of the schedule.
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { group in
          group.addTask { Task.detached { signal.finish() } }
          for await _ in signals {}
        }
      }
      #expect(exploration.unordered == 10, "\(exploration)")
      #expect(exploration.description.contains("from other threads"))
      let failure = try await #require(throws: ScheduleFailure.self) {
        try await Schedules.explore(10, cancels: .ofBody) { _ in }
      }
      guard case .unsupported = failure.kind else { throw failure }
    }
  #endif
}

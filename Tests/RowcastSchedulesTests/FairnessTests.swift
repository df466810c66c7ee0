#if ROWCAST_HOOKS
  import RowcastSchedules
  import RowcastTestSupport
  import Testing

  /// No strategy keeps a task waiting for ever, and no failure keeps a person waiting.
  @Suite(.watched) struct FairnessTests {
    @Test(arguments: [Schedules.Strategy.mixed, .random, .priorities(depth: 3)])
    func `a timer that begins anew does not keep others from running`(_ strategy: Schedules.Strategy) async throws {
      try await Schedules.explore(60, strategy: strategy, seed: 1, stepLimit: 20_000) { run in
        let isDone = Shared(false)
        let poll = Task { while !isDone.value { try await run.clock.sleep(for: .seconds(1)) } }
        for _ in 0..<5 { await Task.yield() }
        isDone.update { $0 = true }
        try await poll.value
      }
    }

    @Test(arguments: [
      Schedules.Strategy.mixed, .random, .priorities(depth: 3), .enumeration(preemptions: 1),
    ])
    func `time passes while a task waits for it in a loop, also if timers fire when all else waits`(
      _ strategy: Schedules.Strategy
    ) async throws {
      for timers: Schedules.Timers in [.anytime, .whenIdle] {
        try await Schedules.explore(20, strategy: strategy, timers: timers, seed: 1, stepLimit: 10_000) { run in
          let isDone = Shared(false)
          let other = Task {
            try await run.clock.sleep(for: .seconds(1))
            isDone.update { $0 = true }
          }
          await withDiscardingTaskGroup { group in
            for _ in 0..<4 { group.addTask { while !isDone.value { await Task.yield() } } }
          }
          try await other.value
        }
      }
    }

    @Test func `an enumeration is complete though a task waits in a loop`() async throws {
      let all = try await Schedules.explore(20_000, strategy: .enumeration(preemptions: 1), stepLimit: 5_000) { _ in
        let isDone = Shared(false)
        let waiter = Task { while !isDone.value { await Task.yield() } }
        let other = Task { isDone.update { $0 = true } }
        await waiter.value
        await other.value
      }
      #expect(all.isComplete)
    }

    @Test func `a body that never ends is still told from one that waits for its turn`() async throws {
      for strategy: Schedules.Strategy in [.mixed, .random, .priorities(depth: 3), .enumeration(preemptions: 1)] {
        let failure = try await SchedulesTests.failure {
          try await Schedules.explore(5, strategy: strategy, stepLimit: 500) { _ in
            while true { await Task.yield() }
          }
        }
        guard case .tooLong(jobs: 500) = failure.kind else { throw failure }
      }
    }

    @Test func `a task that takes turns until it is cancelled ends with the schedule`() async throws {
      for strategy: Schedules.Strategy in [.mixed, .random, .priorities(depth: 3), .enumeration(preemptions: 1)] {
        let ended = CallCount()
        // With some seeds the body has the lowest of all priorities until it counts as starved.
        let all = try await Schedules.explore(5, strategy: strategy, stepLimit: 5_000) { _ in
          Task {
            while !Task.isCancelled { await Task.yield() }
            ended.note(())
          }
          await Task.yield()
        }
        // An enumeration may run a schedule again, to see that it repeats.
        #expect(
          all.schedules == 5 && ended.value >= 5,
          "\(strategy): \(all.schedules), \(ended.value)")
      }
    }

    @Test func `numbers without a meaning explore as the nearest ones that have one`() async throws {
      let none = try await Schedules.explore(100, strategy: .enumeration(preemptions: -1, inside: .min)) { _ in
        async let one: Void = Task.yield()
        _ = await (Task.yield(), one)
      }
      #expect(none.isComplete)
      for depth in [Int.min, 0, .max] {
        let all = try await Schedules.explore(10, strategy: .priorities(depth: depth)) { _ in await Task.yield() }
        #expect(all.schedules == 10)
      }
    }

    private actor Turns {
      func take(_ body: @Sendable () -> Void) { body() }
    }

    @Test func `a failure that needs many switches is reduced in a bounded number of jobs`() async throws {
      let jobs = CallCount()
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(2, strategy: .random, seed: 1) { run in
          let state = Shared((last: 0, switches: 0))
          await withTaskGroup { group in
            for task in 1...2 {
              let turns = Turns()
              group.addTask {
                for _ in 0..<200 {
                  await turns.take {
                    jobs.note(())
                    state.update { $0 = (task, $0.switches + ($0.last == task ? 0 : 1)) }
                  }
                }
              }
            }
          }
          let switches = state.value.switches
          try run.expect(switches < 100, "the tasks took turns")
        }
      }
      #expect(failure.shortest.length >= 98)
      // Each turn is two jobs: one on the actor, and one on the way there.
      #expect(jobs.value < 110_000, "\(jobs.value) turns")
    }
  }
#endif

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

    @Test func `bounds at their ends explore`() async throws {
      let none = try await Schedules.explore(100, strategy: .enumeration(preemptions: 0, inside: 0)) { _ in
        async let one: Void = Task.yield()
        _ = await (Task.yield(), one)
      }
      #expect(none.isComplete)
      for depth in [1, .max] {
        let all = try await Schedules.explore(10, strategy: .priorities(depth: depth)) { _ in await Task.yield() }
        #expect(all.schedules == 10)
      }
      #expect(try await Schedules.explore(1, stepLimit: 1) { _ in }.schedules == 1)
    }

    /// Calls with a number that means nothing, and what the process says.
    enum Mistake: Int, CaseIterable, Sendable {
      case count, depth, preemptions, inside, stepLimit, nested, nestedReplay, nestedChild

      func message(_ number: Int) -> String {
        switch self {
        case .count: "An exploration cannot have \(number) schedules"
        case .depth: "Priorities cannot have a depth of \(number)"
        case .preemptions: "An enumeration cannot have \(number - 1) preemptions, and 0 inside of jobs"
        case .inside: "An enumeration cannot have 0 preemptions, and \(number - 1) inside of jobs"
        case .stepLimit: "A run cannot count as endless after \(number) jobs"
        case .nested, .nestedReplay, .nestedChild: "An exploration inside of an exploration"
        }
      }

      func make(_ number: Int) async throws {
        switch self {
        case .count: try await Schedules.explore(number) { _ in }
        case .depth: try await Schedules.explore(1, strategy: .priorities(depth: number)) { _ in }
        case .preemptions: try await Schedules.explore(1, strategy: .enumeration(preemptions: number - 1)) { _ in }
        case .inside:
          try await Schedules.explore(1, strategy: .enumeration(preemptions: 0, inside: number - 1)) { _ in }
        case .stepLimit: try await Schedules.replay(1, stepLimit: number) { _ in }
        case .nested:
          try await Schedules.explore(1) { _ in
            _ = try await Task.detached { try await Schedules.explore(5) { _ in await Task.yield() } }.value
          }
        case .nestedReplay: try await Schedules.explore(1) { _ in try await Schedules.replay(1) { _ in } }
        case .nestedChild:
          try await Schedules.explore(1) { _ in
            async let other = Schedules.explore(5) { _ in }
            _ = try await other
          }
        }
      }
    }

    @Test(arguments: Mistake.allCases, [0, -1])
    func `calls that mean nothing stop the process, with the number`(_ mistake: Mistake, number: Int) async throws {
      let kind = mistake.rawValue
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [kind = kind as Int, number = number as Int] in
        try await Mistake(rawValue: kind)?.make(number)
      }
      let said = try words(of: result)
      #expect(said.contains(mistake.message(number)), "\(said)")
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

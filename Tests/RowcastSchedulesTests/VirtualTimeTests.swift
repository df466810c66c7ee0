#if ROWCAST_HOOKS
  import Foundation
  import RowcastSchedules
  import RowcastTestSupport
  import Testing

  @Suite(.watched) struct VirtualTimeTests {
    /// Takes the processor from this process for two of each three milliseconds that it has, wherever it is then.
    static func interruptOften() {
      signal(SIGPROF) { _ in
        let end = clock() + 2_000
        while clock() < end {}
      }
      let moment = timeval(tv_sec: 0, tv_usec: 10_000)
      var timer = itimerval(it_interval: moment, it_value: moment)
      _ = unsafe setitimer(__itimer_which_t(2), &timer, nil)
    }

    /// Eight tasks that wake in the opposite order, 100 µs after each other.
    static func wake(_ run: ScheduleRun) async throws -> [Int] {
      let notes = Notes()
      try await withThrowingTaskGroup { group in
        for note in 0..<8 {
          group.addTask {
            let delay = Duration.microseconds(800 - 100 * note)
            switch note % 4 {
            case 0: try await ContinuousClock().sleep(for: delay)
            case 1: try await ContinuousClock().sleep(until: .now + delay)
            case 2: try await SuspendingClock().sleep(for: delay)
            default: try await run.clock.sleep(for: delay)
            }
            await notes.add(note)
          }
        }
        try await group.waitForAll()
      }
      return await notes.all
    }

    @Test func `deadlines do not depend on real time, however often the process is interrupted`() async throws {
      await #expect(processExitsWith: .success) {
        VirtualTimeTests.interruptOften()
        try await Schedules.explore(200, timers: .whenIdle) { run in
          let order = try await VirtualTimeTests.wake(run)
          try run.expect(order == [7, 6, 5, 4, 3, 2, 1, 0], "\(order)")
        }
        for seed in 0..<6 as Range<UInt64> {
          let orders = Notes()
          for _ in 0..<3 {
            try await Schedules.replay(SchedulePath(integerLiteral: seed)) { run in
              let order = try await VirtualTimeTests.wake(run)
              await orders.add(order.reduce(0) { $0 * 8 + $1 })
            }
          }
          let all = await orders.all
          precondition(Set(all).count == 1, "seed \(seed): \(all)")
        }
      }
    }

    @Test func `the clocks of Swift show virtual time on a schedule, and real time elsewhere`() async throws {
      let before = ContinuousClock.now
      try await Schedules.explore(50) { run in
        let start = run.clock.now
        let (continuous, suspending) = (ContinuousClock.now, SuspendingClock.now)
        try await ContinuousClock().sleep(for: .seconds(3_600))
        let took = [
          ContinuousClock.now - continuous, SuspendingClock.now - suspending, start.duration(to: run.clock.now),
        ]
        try run.expect(took == Array(repeating: .seconds(3_600), count: 3), "\(took)")
      }
      #expect(ContinuousClock.now - before < .seconds(3_600))
    }
  }
#endif

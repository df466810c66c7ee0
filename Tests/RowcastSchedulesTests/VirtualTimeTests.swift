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

    @Test(arguments: [Schedules.Timers.anytime, .whenIdle])
    func `a deadline within a nanosecond has passed when the wait for it ends`(_ timers: Schedules.Timers) async throws
    {
      try await Schedules.explore(20, timers: timers) { run in
        let (end, last) = (ContinuousClock.now + .seconds(1) / 3, run.clock.now.advanced(by: .seconds(2) / 3))
        try await ContinuousClock().sleep(until: end)
        try run.expect(ContinuousClock.now >= end, "\(ContinuousClock.now - end)")
        try await run.clock.sleep(until: last)
        try run.expect(run.clock.now >= last, "\(run.clock.now)")
      }
    }

    @Test func `instants at the ends of the clock keep their order`() async throws {
      try await Schedules.explore(1) { run in
        let far = Duration.seconds(Int64.max)
        let (first, last) = (run.clock.now.advanced(by: .zero - far), run.clock.now.advanced(by: far))
        try run.expect(first < last && first.duration(to: last) > .zero, "\(first.duration(to: last))")
        try run.expect(first.advanced(by: .zero - far) == first && last.advanced(by: far) == last, "\(last)")
        try await run.clock.sleep(until: first)
      }
    }
  }
#endif

#if ROWCAST_HOOKS
  import RowcastSchedules
  import RowcastTestSupport
  import Testing

  /// Known faults of other projects, found by name; and the same code without them, which passes.
  @Suite(.watched) struct ConcurrencyFaultTests {
    @Test(arguments: ConcurrencyFault.all)
    func `a planted fault is found within 2,000 schedules`(_ fault: ConcurrencyFault) async throws {
      for strategy in [Schedules.Strategy.random, .priorities(depth: 3)] {
        await #expect(throws: ScheduleFailure.self) {
          try await Schedules.explore(2_000, strategy: strategy) { try await fault.body($0, false) }
        }
      }
    }

    @Test(arguments: ConcurrencyFault.all)
    func `its mended twin passes every schedule`(_ fault: ConcurrencyFault) async throws {
      let count = SeededGenerator.rounds(250, long: 20_000)
      try await Schedules.explore(count) { try await fault.body($0, true) }
      try await Schedules.explore(count, strategy: .priorities(depth: 3)) { try await fault.body($0, true) }
    }
  }
#endif

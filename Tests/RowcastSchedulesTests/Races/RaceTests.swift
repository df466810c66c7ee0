#if ROWCAST_HOOKS
  import Dispatch
  import Foundation
  import RowcastSchedules
  import RowcastTestSupport
  import Testing

  /// The bench of races: what schedules find in twins of faults.
  @Suite(.watched) struct RaceTests {
    static let strategies: [Schedules.Strategy] = [.random, .priorities(depth: 3), .enumeration(preemptions: 2)]

    /// The number of schedules up to the one that fails; `nil` if none does.
    static func schedulesNeeded(_ race: Race, _ strategy: Schedules.Strategy, seed: UInt64, limit: Int = 2_000)
      async throws -> Int?
    {
      do {
        try await Schedules.explore(limit, strategy: strategy, seed: seed) { _ in try await race.body(false) }
        return nil
      } catch let failure as ScheduleFailure {
        return failure.schedulesBefore + 1
      }
    }

    @Test(arguments: Race.all + Race.patterns)
    func `the fault is found`(_ race: Race) async throws {
      for strategy in Self.strategies {
        #expect(try await Self.schedulesNeeded(race, strategy, seed: 1) != nil, "\(strategy)")
      }
    }

    @Test(arguments: Race.all + Race.patterns)
    func `the fixed form passes`(_ race: Race) async throws {
      let count = SeededGenerator.rounds(100, long: 5_000)
      for strategy in Self.strategies {
        try await Schedules.explore(count, strategy: strategy) { _ in try await race.body(true) }
      }
    }
  }
#endif

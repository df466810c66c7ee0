#if ROWCAST_HOOKS
  import Dispatch
  import Foundation
  import RowcastTestSupport
  import Testing

  @testable import RowcastSchedules

  /// The bench of races: what schedules find in twins of faults.
  @Suite(.watched) struct RaceTests {
    static let strategies: [Schedules.Strategy] = [
      .mixed, .random, .priorities(depth: 3), .enumeration(preemptions: 2),
    ]

    /// The number of schedules up to the failing one; `nil` if none fails.
    static func schedulesNeeded(_ race: Race, _ strategy: Schedules.Strategy, seed: UInt64, limit: Int = 2_000)
      async throws -> Int?
    {
      do {
        // No thread outside resumes a task, so a schedule on which nothing can run waits for none.
        let options = ScheduleOptions(place: "\(race)", patience: .zero)
        let explorer = ScheduleExplorer(strategy: strategy, options: options) { _ in try await race.body(false) }
        _ = try await explorer.onThread { try $0.explore(limit, seed: seed) }
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

    @Test func `a fault that needs one task far ahead is found from every seed`() async throws {
      for seed in 1...20 as ClosedRange<UInt64> {
        for strategy: Schedules.Strategy in [.mixed, .priorities(depth: 3)] {
          let needed = try await Self.schedulesNeeded(.distant, strategy, seed: seed)
          #expect(needed.map { $0 < 500 } == true, "\(strategy), seed \(seed): \(needed ?? 0)")
        }
      }
    }

    @Test func `a uniform walk lets a short task come after all of a long one as often as anywhere else`() async throws
    {
      var late = 0
      for seed in 1...150 {
        // As many jobs as the body, the short task and the long one have in the usual schedule.
        let path = SchedulePath(stringLiteral: "\(seed)~3.3.27")
        do {
          try await Schedules.replay(path) { _ in try await Race.distant.body(false) }
        } catch is ScheduleFailure {
          late += 1
        }
      }
      #expect(late > 3)
    }

    @Test(arguments: Race.all + Race.patterns + [.distant])
    func `the fixed form passes`(_ race: Race) async throws {
      let count = SeededGenerator.rounds(20, long: 5_000)
      for strategy in Self.strategies {
        try await Schedules.explore(count, strategy: strategy) { _ in try await race.body(true) }
      }
    }
  }
#endif

#if ROWCAST_HOOKS
  import Dispatch
  import Foundation
  import RowcastSchedules
  import Testing

  /// Prints the rows of the table of the article “Finding races” whose races are still in this package: `ROWCAST_RACES=1 swift
  /// test --filter RaceTable`.
  @Suite(.enabled(if: ProcessInfo.processInfo.environment["ROWCAST_RACES"] == "1"), .serialized) struct RaceTable {
    static let seeds = 1...50 as ClosedRange<UInt64>

    @Test(arguments: Race.all + [.distant]) func `what finds a race`(_ race: Race) async throws {
      let mixed = try await Self.median(race, .mixed)
      let random = try await Self.median(race, .random)
      let priorities = try await Self.median(race, .priorities(depth: 3))
      let enumeration = try await RaceTests.schedulesNeeded(race, .enumeration(preemptions: 2), seed: 1)
      let (runs, failures) = await Self.runOrdinarily(race, for: .seconds(1))
      let found = [mixed, random, priorities, enumeration].map { $0.map(String.init) ?? "none" }.joined(
        separator: " | ")
      print("| \(race.name) | \(race.origin) | \(found) | \(failures) of \(runs) |")
    }

    @Test(arguments: [
      Schedules.Strategy.mixed, .random, .enumeration(preemptions: 2), .enumeration(preemptions: 2, inside: 1),
    ])
    func `how many schedules run in a second`(_ strategy: Schedules.Strategy) async throws {
      var (total, jobs) = (0, 0)
      let time = try await ContinuousClock().measure {
        for race in Race.all {
          let all = try await Schedules.explore(2_000, strategy: strategy) { _ in try await race.body(true) }
          (total, jobs) = (total + all.schedules, jobs + all.jobs)
        }
      }
      print("\(strategy): \(total) schedules of the fixed forms, none of which fails, \(jobs) jobs in \(time)")
    }

    private static func median(_ race: Race, _ strategy: Schedules.Strategy) async throws -> Int? {
      let needed = try await withThrowingTaskGroup { group in
        for seed in seeds {
          group.addTask { try await RaceTests.schedulesNeeded(race, strategy, seed: seed) ?? .max }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let median = needed.sorted()[needed.count / 2]
      return median == .max ? nil : median
    }

    /// Runs the faulty form as a program does. A run that has not ended after a quarter of a second counts as a failure.
    private static func runOrdinarily(_ race: Race, for time: Duration) async -> (runs: Int, failures: Int) {
      let end = ContinuousClock.now + time
      var (runs, failures) = (0, 0)
      while .now < end {
        runs += 1
        if await !passes(race) { failures += 1 }
      }
      return (runs, failures)
    }

    private static func passes(_ race: Race) async -> Bool {
      let (results, result) = AsyncStream<Bool>.makeStream()
      Task {
        result.yield((try? await race.body(false)) != nil)
        result.finish()
      }
      let limit = DispatchWorkItem { result.finish() }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(250), execute: limit)
      defer { limit.cancel() }
      for await passed in results { return passed }
      return false
    }
  }
#endif

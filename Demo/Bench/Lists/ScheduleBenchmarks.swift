import DemoBench
import Foundation
import RowcastTesting

#if os(Linux) && compiler(>=6.3)
  /// What a schedule costs.
  enum ScheduleBenchmarks {
    static let all: [EventBenchmark] = [
      EventBenchmark(name: "schedules/random-50") { await explore(.random) },
      EventBenchmark(name: "schedules/priorities-50") { await explore(.priorities(depth: 3)) },
    ]

    private actor Counter {
      private var value = 0
      func read() -> Int { value }
      func write(_ new: Int) { value = new }
    }

    /// A body of about fifty jobs: eight tasks that read and write what an actor guards.
    private static func explore(_ strategy: Schedules.Strategy) async -> EventReport {
      let start = ContinuousClock.now
      let exploration: Exploration
      do {
        exploration = try await Schedules.explore(20_000, strategy: strategy, seed: 1) { _ in
          let counter = Counter()
          await withTaskGroup { group in
            for _ in 0..<8 {
              group.addTask { for _ in 0..<2 { await counter.write(await counter.read() + 1) } }
            }
          }
        }
      } catch {
        Bench.stop(at: error)
      }
      let count = exploration.schedules
      let time = start.duration(to: .now).nanoseconds / Double(count)
      return EventReport([
        ("schedules", .count(count)),
        ("distinct", .count(exploration.distinct)),
        ("jobs_each", .count(exploration.jobs / count)),
        ("per_schedule_ns", .nanoseconds(time)),
        ("per_second", .count(Int(1e9 / time))),
      ])
    }
  }
#else
  /// What a schedule costs, where there are none.
  enum ScheduleBenchmarks {
    static let all: [EventBenchmark] = []
  }
#endif

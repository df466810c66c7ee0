import RowcastSchedules
import RowcastStore

/// Runs tasks one job at a time, in an order drawn from a seed: one run of `Schedules`, with its result.
public enum Schedule {
  /// Runs an operation to its end under a seed; where the runtime has no hooks, in an order of its own.
  ///
  /// - Parameters:
  ///   - seed: Decides the order of jobs.
  ///   - settles: True if timers fire when nothing else can run, as ``settle()`` needs it.
  ///   - operation: What to run. It may start tasks of any kind.
  /// - Returns: What the operation returns, and how many jobs ran; no value if everything waits for something that
  ///   nothing is left to do: a deadlock, or a lost wake-up.
  public static func run<Value: Sendable>(
    seed: UInt64, settles: Bool = false, _ operation: @escaping @Sendable () async -> Value
  ) async -> (value: Value?, jobs: Int) {
    #if ROWCAST_HOOKS
      let (results, result) = AsyncStream.makeStream(of: Value.self)
      let path = SchedulePath(integerLiteral: seed)
      let timers: Schedules.Timers = settles ? .whenIdle : .anytime
      let run = try? await Schedules.replay(path, strategy: .random, timers: timers) { _ in
        result.yield(await SharedExecutor.$followsCaller.withValue(true, operation: operation))
      }
      result.finish()
      var value: Value?
      for await found in results { value = found }
      // What is stuck is cancelled in the end, and may give something back then.
      return (run == nil ? nil : value, run?.jobs ?? 0)
    #else
      return (await SharedExecutor.$followsCaller.withValue(true, operation: operation), 0)
    #endif
  }
}

extension Schedule {
  /// True if there can be schedules that settle: the runtime has hooks.
  public static var canSettle: Bool {
    #if ROWCAST_HOOKS
      true
    #else
      false
    #endif
  }

  /// Waits until nothing else can run, on a schedule that settles.
  public static func settle() async throws { try await ContinuousClock().sleep(for: .nanoseconds(1)) }
}

/// A library that starts a task for itself, which no other code can reach.
public enum LibraryTask {
  /// Returns `true` if the task was not cancelled.
  public static func ends() async -> Bool {
    await Task {
      await Task.yield()
      return !Task.isCancelled
    }.value
  }
}

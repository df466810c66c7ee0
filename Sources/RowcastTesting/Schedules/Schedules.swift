#if os(Linux) && compiler(>=6.3)
  /// Runs concurrent code under many interleavings, each decided by a seed, and shows the shortest one that fails.
  ///
  ///     @Test func `two readers load a page once`() async throws {
  ///       try await Schedules.explore(10_000) { run in
  ///         let cache = Cache()
  ///         async let first = cache.page(1)
  ///         async let second = cache.page(1)
  ///         _ = await (first, second)
  ///         let loads = await cache.loads
  ///         try run.expect(loads == 1, "the page was loaded \(loads) times")
  ///       }
  ///     }
  ///
  /// Concurrent code is a set of jobs: what runs between two suspensions. On a schedule they run one at a time, and each
  /// time the seed decides which of those that are ready comes next. Child tasks, unstructured and detached tasks,
  /// default actors, the main actor, continuations, async streams and `Task.sleep` are on the schedule. Time is virtual:
  /// it stands still while anything can run.
  ///
  /// What is outside: threads and queues, actors and tasks with an executor of their own, and
  /// `ContinuousClock.now`, which stays real (``ScheduleRun/clock`` does not). A task that runs on a foreign executor, or that another
  /// thread resumes, makes the run fail with its name. A job that blocks its thread blocks the run.
  ///
  /// The order must depend on the schedule alone: a body that draws random numbers, or walks a `Set`, whose order changes
  /// from process to process, is not repeatable by its seed; a failure that does not repeat says so.
  ///
  /// Available on Linux with Swift 6.3: it uses hooks of the runtime, and what tasks look like in memory.
  public enum Schedules {
    /// How the next job is chosen.
    public enum Strategy: Sendable {
      /// Every job that is ready is as likely as every other.
      case random
      /// Random priorities that change at `depth - 1` moments: finds an order of `depth` events with a known probability
      /// (S. Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", 2010).
      case priorities(depth: Int)
      /// All schedules with at most a number of switches away from a task that could go on, those with fewer of them first;
      /// suspensions do not count.
      case enumeration(preemptions: Int)
    }

    /// Whether tasks are cancelled from outside.
    public enum Cancellation: Sendable {
      /// No task is cancelled but by the body. The default.
      case never
      /// In each run, at most one task is cancelled before some job. A `CancellationError` of the body is no failure then.
      ///
      /// That may be any task of the schedule: the body, and tasks that a library started for itself and that nothing else
      /// can reach. The trace names it; a failure is a fault if something in the program may cancel that task.
      case anywhere
    }

    /// Whether the priority of a task counts.
    public enum Priorities: Sendable {
      /// Any job may run.
      case ignored
      /// Only jobs of the highest priority that is ready.
      case obeyed
    }

    /// When a timer may fire.
    public enum Timers: Sendable {
      /// At any moment: other tasks may be slow.
      case anytime
      /// When nothing else can run.
      case whenIdle
    }

    /// Runs a body under many schedules.
    ///
    /// The environment variable `ROWCAST_SCHEDULE` makes this run one schedule instead: the one that a failure printed.
    /// `ROWCAST_SEED` sets the seed of the exploration.
    ///
    /// - Parameters:
    ///   - count: How many schedules; an enumeration may end sooner.
    ///   - strategy: How jobs are chosen.
    ///   - cancels: Whether tasks are cancelled.
    ///   - priorities: Whether priorities count.
    ///   - timers: When timers may fire.
    ///   - seed: Where the seeds of the schedules come from; `nil` for a new one.
    ///   - stepLimit: How many jobs a run may have before it counts as one that does not end.
    ///   - lanes: How many threads run schedules side by side. An enumeration has one.
    ///   - isolation: The actor of the caller.
    ///   - file: The file of the call, for the report.
    ///   - line: The line of the call, for the report.
    ///   - record: Takes a failure that is not to be thrown: `{ Issue.record($0) }` makes it an issue of Swift Testing at
    ///     that line, `{ XCTFail("\($0)") }` one of XCTest.
    ///   - body: What to run. It starts from nothing each time.
    /// - Returns: How many schedules ran, and how many different ones. If nearly all of a thousand or more repeat others, a
    ///   line on standard error says so.
    /// - Throws: ``ScheduleFailure`` for the first that fails, if `record` does not take it; `CancellationError`.
    @discardableResult
    public static func explore(
      _ count: Int = 1_000, strategy: Strategy = .random, cancels: Cancellation = .never,
      priorities: Priorities = .ignored, timers: Timers = .anytime, seed: UInt64? = nil, stepLimit: Int = 100_000,
      lanes: Int = 1, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
      record: ((ScheduleFailure) -> Void)? = nil,
      _ body: @escaping @Sendable (ScheduleRun) async throws -> Void
    ) async throws -> Exploration {
      let seed = seed ?? ScheduleEnvironment.seed ?? UInt64.random(in: 0...UInt64.max)
      let explorer = ScheduleExplorer(
        strategy: strategy,
        options: ScheduleOptions(cancels: cancels, priorities: priorities, timers: timers, stepLimit: stepLimit),
        place: "\(file):\(line)", body: body)
      do {
        if let path = ScheduleEnvironment.path { return try await explorer.onThread { try $0.replay(path) } }
        let first = try await explorer.onThread { try $0.first(seed: seed) }
        if first.part.failure != nil { return try first.part.exploration(at: explorer.place, strategy) }
        if case .enumeration(let preemptions) = strategy {
          let all = try await explorer.onThread { $0.enumerate(count, preemptions: preemptions, seed: seed) }
          try Task.checkCancellation()
          return try all.exploration(at: explorer.place, strategy)
        }
        return try await withThrowingTaskGroup(of: ScheduleExplorer.Part.self) { group in
          let lanes = max(1, lanes)
          for lane in 0..<lanes {
            let numbers = stride(from: 1 + lane, to: count, by: lanes)
            group.addTask { try await explorer.onThread { $0.draw(numbers, seed: seed, steps: first.steps) } }
          }
          var all = first.part
          for try await part in group {
            all = all + part
            if part.failure != nil { group.cancelAll() }
          }
          try Task.checkCancellation()
          return try all.exploration(at: explorer.place, strategy)
        }
      } catch let failure as ScheduleFailure {
        guard let record else { throw failure }
        record(failure)
        return Exploration(schedules: failure.schedulesBefore + 1, distinct: 0, jobs: 0, isComplete: false)
      }
    }

    /// Runs a body under one schedule that a failure printed: a seed, or the short form.
    ///
    /// - Parameters:
    ///   - path: The schedule.
    ///   - strategy: As it was explored.
    ///   - cancels: As it was explored.
    ///   - priorities: As it was explored.
    ///   - timers: As it was explored.
    ///   - stepLimit: As it was explored.
    ///   - file: The file of the call, for the report.
    ///   - line: The line of the call, for the report.
    ///   - body: What to run.
    /// - Returns: One schedule.
    /// - Throws: ``ScheduleFailure`` if it fails.
    @discardableResult
    public static func replay(
      _ path: SchedulePath, strategy: Strategy = .random, cancels: Cancellation = .never,
      priorities: Priorities = .ignored, timers: Timers = .anytime, stepLimit: Int = 100_000,
      file: StaticString = #fileID, line: UInt = #line,
      _ body: @escaping @Sendable (ScheduleRun) async throws -> Void
    ) async throws -> Exploration {
      try await ScheduleExplorer(
        strategy: strategy,
        options: ScheduleOptions(cancels: cancels, priorities: priorities, timers: timers, stepLimit: stepLimit),
        place: "\(file):\(line)", body: body
      ).onThread { try $0.replay(path) }
    }

    /// Runs a body once, in an order drawn from a seed. Returns whether it ended, and how many jobs ran.
    ///
    /// - Throws: ``ScheduleExpectation`` if a task left the schedule.
    package static func run(
      seed: UInt64, _ body: @escaping @Sendable () async -> Void
    ) async throws -> (hasEnded: Bool, jobs: Int) {
      try await ScheduleExplorer(
        strategy: .random, options: ScheduleOptions(patience: .zero), place: "", body: { _ in await body() }
      ).onThread {
        let record = try $0.runOnce(seed: seed)
        if case .leftSchedule(let task) = record.failure {
          throw ScheduleExpectation(description: "\(task) left", place: "")
        }
        return (record.failure == nil, record.steps)
      }
    }
  }
#endif

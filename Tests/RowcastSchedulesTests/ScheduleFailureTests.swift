#if ROWCAST_HOOKS
  import Dispatch
  import RowcastSchedules
  import RowcastTestSupport
  import Testing

  /// The failures of a schedule are distinguished, and named.
  @Suite(.watched) struct ScheduleFailureTests {
    @Test func `a deadlock says who waits for what`() async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(10) { _ in
          let (silence, _) = AsyncStream.makeStream(of: Int.self)
          await Task(name: "listener") { for await _ in silence {} }.value
        }
      }
      guard case .deadlock = failure.kind else { throw failure }
      #expect(failure.waiting.contains { $0.hasPrefix("body waits for the end of task 1 \"listener\"") })
      #expect(
        failure.waiting.contains { $0.hasPrefix("task 1 \"listener\" waits for a continuation that nobody resumes") })
    }

    @Test func `a trace tells where a task gives up its turn`() async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(1) { run in
          await Task(name: "polite") { await Task.yield() }.value
          try run.expect(false, "as intended")
        }
      }
      #expect(failure.trace.split(separator: "\n").count { $0.hasSuffix(", yields") } == 1, "\(failure)")
    }

    @Test func `an invariant is checked after every job`() async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(1_000) { run in
          let count = CallCount()
          run.invariant("the count is even between jobs") { count.value % 2 == 0 }
          await withTaskGroup { group in
            for _ in 0..<2 {
              group.addTask {
                _ = count.note(0)
                await Task.yield()
                _ = count.note(0)
              }
            }
          }
        }
      }
      guard case .invariant("the count is even between jobs") = failure.kind else { throw failure }
    }

    @Test func `cancellation anywhere finds what does not end when it is cancelled`() async throws {
      @Sendable func body(_ run: ScheduleRun) async throws {
        let clock = run.clock
        let rest = Task {
          try? await clock.sleep(for: .seconds(1))
          return clock.now
        }
        let took = run.clock.now.duration(to: await rest.value)
        try run.expect(took == .seconds(1), "it took \(took)")
      }
      try await Schedules.explore(500, timers: .whenIdle, body)
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(500, cancels: .anywhere, timers: .whenIdle, body)
      }
      #expect(failure.trace.contains("cancellation of task 1"))
      #expect(failure.shortest.description.contains("!"))
    }

    @Test func `cancellation of the body spares the tasks that a library made for itself`() async throws {
      @Sendable func body(_ run: ScheduleRun) async throws {
        try run.expect(await LibraryTask.ends(), "the library's task was cancelled")
      }
      // Some schedules cancel this task, but not these.
      _ = try await SchedulesTests.failure { try await Schedules.explore(500, cancels: .anywhere, body) }
      for strategy: Schedules.Strategy in [.mixed, .random, .priorities(depth: 2), .enumeration(preemptions: 1)] {
        try await Schedules.explore(2_000, strategy: strategy, cancels: .ofBody, body)
      }
    }

    @Test(arguments: 0..<3)
    func `cancellation of the body reaches each kind of task that it made`(_ kind: Int) async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(500, cancels: .ofBody) { run in
          @Sendable func ends() async -> Bool {
            await Task.yield()
            return !Task.isCancelled
          }
          var hasEnded = true
          switch kind {
          case 0: hasEnded = await Task { await ends() }.value
          case 1: hasEnded = await Task.detached { await ends() }.value
          default:
            hasEnded = await withTaskGroup { group in
              group.addTask { await ends() }
              return await group.next() ?? true
            }
          }
          if !Task.isCancelled { try run.expect(hasEnded, "a task was cancelled") }
        }
      }
      #expect(failure.trace.contains("cancellation of task 1"), "\(failure)")
      #expect(failure.description.contains(failure.trace))
    }

    @Test func `a task on an executor of its own is reported with its name`() async throws {
      let executor = QueueExecutor()
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(10) { _ in
          await Task(name: "stray", executorPreference: executor) {}.value
        }
      }
      guard case .leftSchedule(let task) = failure.kind else { throw failure }
      #expect(task.contains("stray"))
    }

    /// A thread outside of the schedule, which begins once it is told to.
    private final class SerialQueue: SerialExecutor {
      private let queue = DispatchQueue(label: "outside")
      let begin = DispatchSemaphore(value: 0)
      func enqueue(_ job: UnownedJob) {
        queue.async { [self, begin] in
          begin.wait()
          begin.signal()
          unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        }
      }
    }

    private actor Outside {
      let executor = SerialQueue()
      nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
      func enter() {}
    }

    @Test(arguments: [false, true])
    func `an immediate task that leaves in its first part is reported with its name`(isAwaited: Bool) async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(10) { _ in
          let outside = Outside()
          // Later than the job that makes the task.
          Task { outside.executor.begin.signal() }
          let task = Task.immediate(name: "hasty") { await outside.enter() }
          if isAwaited { await task.value }
        }
      }
      guard case .leftSchedule(let task) = failure.kind else { throw failure }
      #expect(task.contains("hasty"))
    }

    /// Resumes from a thread outside the schedule, and maybe waits for that.
    private static func resume(_ continuation: CheckedContinuation<Void, Never>, on queue: DispatchQueue, waits: Bool) {
      let work = DispatchWorkItem { continuation.resume() }
      queue.async(execute: work)
      if waits { work.wait() }
    }

    @Test(arguments: [true, false])
    func `a task that another thread resumes is reported with its name`(comesBeforeIdle: Bool) async throws {
      let queue = DispatchQueue(label: "outside")
      // From now on the queue has a thread: one that is yet to be made may be too late on a busy machine.
      await withCheckedContinuation { made in queue.async { made.resume() } }
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(10) { _ in
          let (continuations, sink) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
          let task = Task(name: "outsider") {
            await withCheckedContinuation { _ = sink.yield($0) }
          }
          // The task is suspended by then: if it were resumed earlier, it would continue at once, on the schedule.
          for await continuation in continuations {
            Self.resume(continuation, on: queue, waits: comesBeforeIdle)
            break
          }
          await task.value
        }
      }
      guard case .leftSchedule(let task) = failure.kind else { throw failure }
      #expect(task.contains("outsider"))
    }

    @Test func `a failure is reported as it was found, though the run for its trace ends otherwise`() async throws {
      struct LastRunError: Error {}
      let (executor, runs) = (QueueExecutor(), CallCount())
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(10) { _ in
          runs.note(())
          // One run finds the failure, one repeats it, one traces it.
          if runs.value == 3 { throw LastRunError() }
          await Task(name: "stray", executorPreference: executor) {}.value
        }
      }
      guard case .leftSchedule = failure.kind else { throw failure }
      #expect(runs.value == 3)
    }
  }
#endif

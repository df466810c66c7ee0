#if ROWCAST_HOOKS
  import RowcastSchedules
  import RowcastTestSupport
  import Testing

  /// Immediate tasks begin in the job that creates them, and go on as jobs of their own.
  @Suite(.watched) struct ImmediateTaskTests {
    /// Two immediate tasks that each note a number, wait, and note another one.
    private static func noteTwice(
      _ kind: Int, _ notes: Shared<[Int]>, _ wait: @escaping @Sendable () async -> Void
    ) async {
      @Sendable func task(_ number: Int) async {
        notes.update { $0.append(number) }
        await wait()
        notes.update { $0.append(number + 2) }
      }
      switch kind {
      case 0:
        let tasks = (0..<2).map { number in Task.immediate { await task(number) } }
        notes.update { $0.append(9) }
        for task in tasks { await task.value }
      case 1:
        await withTaskGroup { group in
          for number in 0..<2 { group.addImmediateTask { await task(number) } }
          notes.update { $0.append(9) }
        }
      case 2:
        let tasks = (0..<2).map { number in Task.immediate(name: "number \(number)") { await task(number) } }
        notes.update { $0.append(9) }
        for task in tasks { await task.value }
      default:
        await withDiscardingTaskGroup { group in
          for number in 0..<2 { group.addImmediateTask { await task(number) } }
          notes.update { $0.append(9) }
        }
      }
    }

    @Test(arguments: 0..<4)
    func `immediate tasks on no actor wait for their turns on the schedule`(_ kind: Int) async throws {
      for strategy: Schedules.Strategy in [
        .mixed, .random, .priorities(depth: 2), .enumeration(preemptions: 2),
        .enumeration(preemptions: 2, isReduced: true),
      ] {
        let orders = Shared<Set<[Int]>>([])
        try await Schedules.explore(500, strategy: strategy, seed: 1) { _ in
          let notes = Shared<[Int]>([])
          await Self.noteTwice(kind, notes) { await Task.yield() }
          orders.update { _ = $0.insert(notes.value) }
        }
        // A random schedule may leave the job that creates them, at the moment when one of them waits.
        #expect(orders.value.isSuperset(of: [[0, 1, 9, 2, 3], [0, 1, 9, 3, 2]]), "\(strategy): \(orders.value)")
        #expect(orders.value.allSatisfy { Set($0).count == 5 && $0[0] == 0 }, "\(strategy): \(orders.value)")
      }
    }

    @Test(arguments: 0..<4)
    func `immediate tasks on no actor wait in virtual time`(_ kind: Int) async throws {
      try await Schedules.explore(500, timers: .whenIdle) { run in
        let (notes, start) = (Shared<[Int]>([]), run.clock.now)
        await Self.noteTwice(kind, notes) { try? await run.clock.sleep(for: .seconds(1_000)) }
        let took = start.duration(to: run.clock.now)
        try run.expect(took == .seconds(1_000), "it took \(took)")
        try run.expect(notes.value.count == 5, "\(notes.value)")
      }
    }

    @Test(arguments: 0..<4)
    func `a failure of immediate tasks is repeated, reduced and told`(_ kind: Int) async throws {
      @Sendable func body(_ run: ScheduleRun) async throws {
        let notes = Shared<[Int]>([])
        await Self.noteTwice(kind, notes) {
          await Task.yield()
          try? await run.clock.sleep(for: .seconds(1))
        }
        try run.expect(notes.value.suffix(2) != [3, 2], "the second was first")
      }
      let failure = try await SchedulesTests.failure { try await Schedules.explore(1_000, seed: 1, body) }
      #expect(failure.isRepeatable)
      #expect(failure.trace.contains("task 2\(kind == 2 ? " \"number 1\"" : "") takes its turn again"))
      #expect(failure.trace.contains("timer of task 2"), "\(failure)")
      let again = try await SchedulesTests.failure { try await Schedules.replay(failure.shortest, body) }
      #expect(again.trace == failure.trace)
    }

    @Test func `the trace shows where an immediate task goes on, and not that it starts`() async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(1) { run in
          let notes = Notes()
          await Task.immediate { await notes.add(1) }.value
          try run.expect(false, "as intended")
        }
      }
      #expect(failure.trace.contains("task 1 enters actor Notes"), "\(failure)")
      #expect(failure.trace.split(separator: "\n").count { $0.contains("starts -> ") } == 1, "\(failure)")
    }

    @Test func `an immediate task that never ends is named among those that wait`() async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(10) { _ in
          let task = Task.immediate(name: "hasty") {
            let (silence, _) = AsyncStream.makeStream(of: Int.self)
            for await _ in silence {}
          }
          await task.value
        }
      }
      guard case .deadlock = failure.kind else { throw failure }
      let end = "waits for a continuation that nobody resumes"
      #expect(failure.waiting.contains { $0.hasPrefix("task 1 \"hasty\" \(end)") }, "\(failure)")
    }
  }
#endif

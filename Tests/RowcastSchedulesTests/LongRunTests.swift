#if ROWCAST_HOOKS
  import RowcastTestSupport
  import Testing

  @testable import RowcastSchedules

  /// Runs of many jobs are reported in a time that grows with their number, and in a text that a person can read. What would take
  /// much longer ends by the watch.
  @Suite(.watched) struct LongRunTests {
    @Test func `a body that never ends is reported at the limit that is the default`() async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(10) { _ in while true { await Task.yield() } }
      }
      guard case .tooLong(jobs: 100_000) = failure.kind else { throw failure }
      #expect(failure.trace.split(separator: "\n").count < 20, "\(failure)")
    }

    @Test func `child tasks without an end are reported at the limit, too`() async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(1, stepLimit: 200_000) { run in
          while true {
            async let turn: Void = run.clock.sleep(for: .seconds(1))
            try await turn
          }
        }
      }
      guard case .tooLong = failure.kind else { throw failure }
      #expect(failure.trace.contains("times more"))
      // The body, its last child, and a timer: the memory of a child is that of the one before.
      #expect(failure.waiting.count <= 3, "\(failure.waiting.prefix(9))")
    }

    @Test func `many tasks that fail together are reported by the first and the last of their jobs`() async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(1) { run in
          let notes = Notes()
          await withTaskGroup { group in
            for number in 0..<2_500 { group.addTask { await notes.add(number) } }
          }
          try run.expect(false, "as intended")
        }
      }
      let text = failure.description.split(separator: "\n")
      #expect(failure.trace.split(separator: "\n").count > 5_000)
      #expect(text.count < 420 && text.contains { $0.contains(/^   \.\.\. \d+ lines are left out$/) })
      #expect(text.allSatisfy { $0.count < 1_100 })
      #expect(text.contains { $0.hasSuffix("characters more") })
      #expect(text[3].hasPrefix("   1   body") && failure.trace.hasSuffix(text.suffix(2).joined(separator: "\n")))
    }

    @Test func `many tasks that wait are reported by the first and the last of them`() async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(1) { _ in
          await withTaskGroup { group in
            for _ in 0..<2_500 {
              group.addTask {
                let (silence, _) = AsyncStream.makeStream(of: Int.self)
                for await _ in silence {}
              }
            }
          }
        }
      }
      #expect(failure.waiting.count == 2_501)
      let text = failure.description
      #expect(text.split(separator: "\n").count < 820)
      #expect(text.contains("  body waits for the tasks of its group") && text.contains("  task 2500 waits for"))
    }

    @Test func `a message of any length is cut`() async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(1) { run in
          try run.expect(false, String(repeating: "line\n", count: 100_000) + String(repeating: "x", count: 100_000))
        }
      }
      #expect(failure.description.count < 10_000 && failure.description.contains("(expected at "))
    }

    @Test func `a story of many actors takes no longer for each of them`() {
      let lines = (0..<60_000).map { index in
        var line = ScheduleTraceLine(subject: "task", isSwitch: index == 30_000, ran: [index], touched: [index])
        line.actor = (UInt(1 + index % 30_000), "Cache")
        return line
      }
      #expect(!lines.story.contains("<--"))
    }

    @Test func `a reduced enumeration of thousands of jobs goes on`() async throws {
      let all = try await Schedules.explore(2, strategy: .enumeration(preemptions: 1, isReduced: true)) { _ in
        let notes = Notes()
        for _ in 0..<10 {
          await withTaskGroup { group in
            for number in 0..<300 { group.addTask { await notes.add(number) } }
          }
        }
      }
      #expect(all.schedules == 2 && !all.isComplete)
    }

    @Test func `a task that a body leaves, and that does not end, is told of once`() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        try await Schedules.explore(20, stepLimit: 1_000) { _ in
          Task(name: "left") { while true { await Task.yield() } }
        }
        try await Schedules.explore(20, stepLimit: 1_000) { _ in
          Task { while !Task.isCancelled { await Task.yield() } }
        }
        // Others end after one job each, when it is their turn.
        try await Schedules.explore(2, stepLimit: 1_000) { run in
          for _ in 0..<20 { Task { try await run.clock.sleep(for: .seconds(9)) } }
          Task(name: "right") { while true { await Task.yield() } }
          for _ in 0..<20 { Task { try await run.clock.sleep(for: .seconds(9)) } }
        }
        // A chain of tasks, each of which starts the next.
        try await Schedules.explore(2, stepLimit: 1_000) { _ in
          @Sendable func again() { Task { again() } }
          again()
        }
      }
      let lines = try words(of: result).split(separator: "\n").filter { $0.contains("goes on though it is cancelled") }
      #expect(lines.count == 3 && lines[0].contains("task 1 \"left\"") && lines[1].contains("\"right\""), "\(lines)")
    }

    @Test func `a schedule of many switches is replayed`() async throws {
      @Sendable func body(_ run: ScheduleRun) async {
        await withTaskGroup { group in
          for _ in 0..<2 { group.addTask { for _ in 0..<50_000 { await Task.yield() } } }
        }
      }
      let explorer = ScheduleExplorer(strategy: .random, options: ScheduleOptions(stepLimit: 1_000_000), body: body)
      let switches = try await explorer.onThread {
        try $0.prepare()
        return $0.run(RandomChooser(seed: 1, steps: 1), seed: 1, ScheduleThreads()).switches
      }
      #expect(switches.count > 40_000)
      let path = SchedulePath(seed: 1, switches: switches)
      #expect(try await Schedules.replay(path, stepLimit: 1_000_000, body).schedules == 1)
    }
  }
#endif

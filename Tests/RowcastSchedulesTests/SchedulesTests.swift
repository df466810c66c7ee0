#if ROWCAST_HOOKS
  import Foundation
  import RowcastSchedules
  import RowcastTestSupport
  import Testing

  @Suite(.watched) struct SchedulesTests {
    /// Two tasks that each write twice.
    private static func write(_ order: Collector<[Int]>?) async {
      let notes = Notes()
      async let first: Void = notes.add([1, 2])
      async let second: Void = notes.add([3, 4])
      _ = await (first, second)
      await order?.add(await notes.all)
    }

    static func failure(_ body: @Sendable () async throws -> Exploration) async throws -> ScheduleFailure {
      try await #require(throws: ScheduleFailure.self) { try await body() }
    }

    @Test func `a task that still waits at the end of a schedule is cancelled, and goes on to its end`() async throws {
      let ended = CallCount()
      let all = try await Schedules.explore(20) { _ in
        let (stream, input) = AsyncStream<Void>.makeStream()
        Task {
          for await _ in stream {}
          withExtendedLifetime(input) { ended.note(()) }
        }
      }
      #expect(ended.value == all.schedules)
    }

    @MainActor private final class Screen {
      let ended: CallCount

      nonisolated init(_ ended: CallCount) { self.ended = ended }
      isolated deinit { ended.note(()) }
    }

    private actor Room {
      let ended: CallCount

      init(_ ended: CallCount) { self.ended = ended }
      isolated deinit { ended.note(()) }
    }

    @Test func `a deinit that is isolated to an actor is a job of its own`() async throws {
      let ended = CallCount()
      let all = try await Schedules.explore(100) { _ in
        for _ in 0..<3 { (_, _) = (Screen(ended), Room(ended)) }
        await Task.yield()
        await MainActor.run {}
        for _ in 0..<5 { await Task.yield() }
      }
      #expect(ended.value == 6 * all.schedules)
      let failure = try await Self.failure {
        try await Schedules.explore(100) { run in
          let last = CallCount()
          _ = Screen(last)
          await Task.yield()
          try run.expect(last.value == 1, "nobody waits for the deinit")
        }
      }
      #expect(failure.isRepeatable && "\(failure)".contains("an isolated deinit on the main actor"), "\(failure)")
    }

    /// Two tasks make two notes each: in two orders no task is left before its end, in two more once, in the others twice.
    @Test(arguments: [(0, 2), (1, 4), (2, 6), (.max, 6)])
    func `an enumeration sees every order with so many preemptions, and says that it did`(
      preemptions: Int, count: Int
    ) async throws {
      let orders = Collector<[Int]>()
      let all = try await Schedules.explore(100_000, strategy: .enumeration(preemptions: preemptions)) { _ in
        await Self.write(orders)
      }
      #expect(all.isComplete)
      #expect(await Set(orders.values).count == count)
    }

    @Test func `calls of one actor in a row are one job, in builds of every kind`() async throws {
      let orders = Collector<[Int]>()
      let all = try await Schedules.explore(100_000, strategy: .enumeration(preemptions: .max)) { _ in
        let notes = Notes()
        async let first: Void = {
          await notes.add(1)
          await notes.add(2)
        }()
        async let second: Void = {
          await notes.add(3)
          await notes.add(4)
        }()
        _ = await (first, second)
        await orders.add(await notes.all)
      }
      #expect(all.isComplete)
      #expect(await Set(orders.values) == [[1, 2, 3, 4], [3, 4, 1, 2]])
    }

    // MARK: Repetitions

    @Test(arguments: [0, 1])
    func `an enumeration that cancels tries every moment and task, and repeats nothing`(preemptions: Int) async throws {
      let all = try await Schedules.explore(
        20_000, strategy: .enumeration(preemptions: preemptions), cancels: .anywhere
      ) { run in
        let notes = Notes()
        let writers = [[1, 2], [3, 4]].map { list in Task { await notes.add(list) } }
        for writer in writers { await writer.value }
      }
      #expect(all.isComplete)
      #expect(all.schedules > 20)
      #expect(all.distinct == all.schedules)
    }

    /// Two tasks that each look for a note, then write it; and much that follows.
    private static func race(_ run: ScheduleRun) async throws {
      let notes = Notes()
      let writers = (0..<2).map { _ in
        Task {
          if await notes.all.isEmpty { await notes.add([1]) }
          await notes.add([2, 3, 4, 5, 6, 7])
        }
      }
      for writer in writers { await writer.value }
      let all = await notes.all
      try run.expect(all.count { $0 == 1 } == 1, "\(all)")
    }

    /// Two tasks: one waits for an early step of the other, unless it is cancelled at that moment.
    private static func handOver(_ run: ScheduleRun) async throws {
      let notes = Notes()
      let (answers, answer) = AsyncStream.makeStream(of: Void.self)
      let worker = Task(name: "worker") {
        await notes.add([1])
        if !Task.isCancelled { answer.yield() }
        await notes.add([2, 3, 4, 5, 6, 7])
      }
      let waiter = Task(name: "waiter") {
        for await _ in answers { break }
        await notes.add([8, 9, 10, 11])
      }
      await worker.value
      await waiter.value
    }

    @Test func `an enumeration finds what goes wrong at the beginning of much, with few preemptions`() async throws {
      let race = try await Self.failure {
        try await Schedules.explore(300, strategy: .enumeration(preemptions: 2), Self.race)
      }
      #expect(race.shortest.length == 1)
      let handOver = try await Self.failure {
        try await Schedules.explore(300, strategy: .enumeration(preemptions: 2), cancels: .anywhere, Self.handOver)
      }
      guard case .deadlock = handOver.kind else { throw handOver }
      #expect(handOver.trace.contains("cancellation of task 1 \"worker\""))
    }

    @Test func `an exploration that repeats itself says so`() async throws {
      let few = try await Schedules.explore(1_000, seed: 1) { _ in await Task {}.value }
      #expect(few.distinct < 5)
      #expect(few.description.hasPrefix("1000 schedules, \(few.distinct) of them different"))
      #expect(few.unseen < 0.01 && few.description.hasSuffix("% of further ones would be new"), "\(few)")
      let one = try await Schedules.explore(1, seed: 1) { _ in await Task {}.value }
      #expect(one.unseen == 1)
      let all = try await Schedules.explore(1_000, strategy: .enumeration(preemptions: 1)) { _ in
        await Self.write(nil)
      }
      let bound = "with 1 preemption between jobs"
      #expect(all.description == "\(all.schedules) schedules, all different, and there are no more \(bound)")
      #expect(all.unseen == 0)
    }

    @Test func `what was not seen is the share of orders that ran once`() async throws {
      let (orders, order) = AsyncStream.makeStream(of: [Int].self)
      let some = try await Schedules.explore(300, strategy: .random, seed: 5) { _ in
        let notes = Notes()
        await withTaskGroup { group in
          for note in 0..<4 { group.addTask { await notes.add(note) } }
        }
        order.yield(await notes.all)
      }
      order.finish()
      let counts = await orders.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      // Schedules that differ may have one order of notes: no fewer of them ran once.
      let least = Double(counts.values.count { $0 == 1 }) / 300
      #expect(some.unseen >= least && some.unseen > 0 && some.unseen < 1, "\(some.unseen), \(least)")
      #expect(some.unseen <= Double(some.distinct) / 300)
    }

    @Test func `a person is told when nearly all runs repeat others`() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        try await Schedules.explore(2_000) { _ in await Task {}.value }
        try await Schedules.explore(20) { _ in await Task {}.value }
      }
      let lines = try words(of: result).split(separator: "\n").filter { $0.contains("of them different") }
      #expect(lines.count == 1)
      #expect(lines.first?.contains("SchedulesTests.swift:") == true)
    }

    @Test func `a failure has a schedule from which no switch can be removed`() async throws {
      @Sendable func body(_ run: ScheduleRun) async throws {
        let notes = Notes()
        async let first: Void = notes.add([1, 2])
        async let second: Void = notes.add([3, 4])
        _ = await (first, second)
        let all = await notes.all
        try run.expect(all != [3, 1, 4, 2], "\(all)")
      }
      let failure = try await Self.failure { try await Schedules.explore(2_000, body) }
      #expect(failure.isRepeatable)
      #expect(failure.shortest.length > 0)
      let halves = failure.shortest.description.split(separator: "/")
      var switches = halves[1].split(separator: ",")
      for index in switches.indices {
        let removed = switches.remove(at: index)
        try await Schedules.replay(SchedulePath(stringLiteral: halves[0] + "/" + switches.joined(separator: ",")), body)
        switches.insert(removed, at: index)
      }
      #expect(SchedulePath(failure.shortest.description) == failure.shortest)
      for schedule in [failure.found, failure.shortest] {
        let again = try await Self.failure { try await Schedules.replay(schedule, body) }
        #expect(again.shortest == failure.shortest)
      }
    }

    @Test func `a failure that is recorded is an issue at the line that records it`() async throws {
      let line = #line + 2
      try await withKnownIssue {
        try await Schedules.explore(10, record: { Issue.record($0) }) { run in try run.expect(false, "never") }
      } matching: { issue in
        issue.sourceLocation?.line == line && "\(issue)".contains("SchedulesTests.swift:\(line)")
      }
    }

    /// The order of two tasks, one of which is forbidden.
    private static func forbidOrder(_ run: ScheduleRun) async throws {
      let notes = Notes()
      let (first, second) = (Task { await notes.add(1) }, Task { await notes.add(2) })
      _ = await (first.value, second.value)
      let all = await notes.all
      try run.expect(all == [1, 2], "\(all)")
    }

    @Test func `the environment repeats one schedule in all explorations of a run`() async throws {
      let failure = try await Self.failure { try await Schedules.explore(1_000, Self.forbidOrder) }
      #expect(failure.trace.contains(" -> ") && failure.trace.allSatisfy(\.isASCII))
      let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
        [found = "\(failure.found)", shortest = "\(failure.shortest)"] in
        unsafe setenv("ROWCAST_SCHEDULE", found, 1)
        let again = try await Self.failure { try await Schedules.explore(1_000, Self.forbidOrder) }
        precondition(again.schedulesBefore == 0 && "\(again.found)" == found && "\(again.shortest)" == shortest)
        let other = try await Schedules.explore(1_000) { _ in await Self.write(nil) }
        precondition(other.schedules == 1)
      }
      #expect(
        try words(of: result).split(separator: "\n").count {
          $0.hasSuffix("ROWCAST_SCHEDULE is set: this schedule alone ran, and passed")
        } == 1)
    }

    @Test func `an environment that is no schedule fails every exploration`() async throws {
      await #expect(processExitsWith: .success) {
        unsafe setenv("ROWCAST_SCHEDULE", "1/4:x", 1)
        let failure = try await Self.failure {
          try await Schedules.explore(1_000) { _ in fatalError("the body has run") }
        }
        precondition(failure.description.contains("ROWCAST_SCHEDULE=1/4:x is no schedule: copy"), "\(failure)")
      }
    }

    @Test func `an environment without a seed stops every exploration`() async throws {
      let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        unsafe setenv("ROWCAST_SEED", "1e3", 1)
        try await Schedules.explore(1) { _ in }
      }
      #expect(try words(of: result).contains("ROWCAST_SEED is a number from 0 to 18446744073709551615, not \"1e3\""))
    }

    @Test func `a path is written as it was read, and other text is none`() {
      for text in ["0", "7/", "7~28", "7~9.12.0", "4711/4:1,9:2", "18446744073709551615~3/!4:0,5:2000002"] {
        #expect(SchedulePath(text)?.description == text)
      }
      for text in [
        "", "abc", "-1", "1/4", "1/4:2,", "1/,4:2", "1/!4", "1~/4:2", "1~.", "1~3.", "1~3..4",
        "1~99999999999999999999.1", "1~9223372036854775807.1", "1/9:99999999999999999999", "4711 ",
      ] { #expect(SchedulePath(text) == nil, "\(text)") }
    }

    @Test func `a schedule of other code says so, and its switches to what is not ready change nothing`() async throws {
      let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let orders = Collector<[Int]>()
        let unknown = (0..<30).map { "\($0):99" }.joined(separator: ",")
        for path in ["7/", "7/" + unknown] {
          try await Schedules.replay(SchedulePath(stringLiteral: path)) { _ in await Self.write(orders) }
        }
        let values = await orders.values
        precondition(values == [[1, 2, 3, 4], [1, 2, 3, 4]])
      }
      let lines = try words(of: result).split(separator: "\n").filter { $0.contains("found no such job") }
      #expect(lines.count == 1 && lines[0].contains("switches of 7/0:99,1:99,"))
    }

    @Test func `a failure that depends on more than the schedule says so`() async throws {
      let calls = CallCount()
      let failure = try await Self.failure {
        try await Schedules.explore(100) { run in
          try run.expect(calls.note(calls.value) != 5, "the sixth run")
        }
      }
      #expect(!failure.isRepeatable)
      #expect(failure.description.contains("did not repeat"))
    }

    // MARK: What is on the schedule

    @Test func `tasks that a deinit starts run in either order`() async throws {
      final class Dropped: Sendable {
        let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
      }
      let orders = Collector<[Int]>()
      try await Schedules.explore(200, seed: 1) { _ in
        let (numbers, number) = AsyncStream.makeStream(of: Int.self)
        for note in 1...2 { _ = Dropped { Task { number.yield(note) } } }
        await orders.add(await numbers.prefix(2).reduce(into: []) { $0.append($1) })
      }
      #expect(await Set(orders.values) == [[1, 2], [2, 1]])
    }

    @Test func `the main actor is isolated, and is not this process's`() async throws {
      try await Schedules.explore(50) { _ in
        await MainActor.run { MainActor.assertIsolated() }
        await Task { @MainActor in
          await Task.yield()
          MainActor.assertIsolated()
        }.value
      }
    }
  }
#endif

#if ROWCAST_HOOKS
  import RowcastTestSupport
  import Testing

  @testable import RowcastSchedules

  /// The trace of a schedule as people read it.
  @Suite(.watched) struct ScheduleStoryTests {
    private static func line(
      _ subject: String, switches isSwitch: Bool = false, _ ran: Set<Int>, wakes: Set<Int> = [], on actor: UInt = 0
    ) -> ScheduleTraceLine {
      var line = ScheduleTraceLine(subject: subject, isSwitch: isSwitch, ran: ran, touched: ran.union(wakes))
      line.woken = wakes.sorted().map { "task \($0)" }
      if actor != 0 { line.actor = (actor, "Cache") }
      return line
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `a task begins in one line, and goes on in others`() async throws {
      let failure = try await SchedulesTests.failure {
        try await Schedules.explore(1) { run in
          await Task {
            for _ in 0..<3 { await Task.yield() }
          }.value
          try run.expect(false, "as intended")
        }
      }
      #expect(failure.trace.split(separator: "\n").count { $0.contains("starts") } == 2, "\(failure)")
    }

    @Test func `each task has a lane from its beginning to its end, and the accesses that cross are marked`() {
      let lines = [
        Self.line("body", [0], wakes: [1, 2]), Self.line("task 1", [1], on: 7),
        Self.line("task 2", switches: true, [2]), Self.line("task 2", [2], on: 8), Self.line("task 2", [2], on: 7),
        Self.line("task 1", [1], on: 7), Self.line("body", [0]),
      ]
      #expect(
        lines.story == """
             1   *      body
                 | | |    wakes task 1, task 2
             2   | * |  task 1   <-- leaves actor Cache to step 5
             3 > | | *  task 2
             4   | | *  task 2
             5   | | *  task 2   <-- finds actor Cache as step 2 left it
             6   | *    task 1
             7   *      body
          """)
    }

    @Test func `an actor that a third task has entered in between is not marked, nor any without a switch`() {
      var lines = [
        Self.line("task 1", [1], on: 7), Self.line("task 3", [3], on: 7),
        Self.line("task 2", switches: true, [2], on: 7),
        Self.line("task 1", [1], on: 7),
      ]
      #expect(!lines.story.contains("<--"))
      lines.remove(at: 1)
      #expect(lines.story.contains("<-- finds actor Cache as step 1 left it"))
      // Many tasks have no lanes.
      lines = (0..<13).map { Self.line("task \($0)", [$0], on: 7) } + [Self.line("task 0", [0], on: 7)]
      #expect(lines.story.hasPrefix("   1   task 0\n   2   task 1\n"))
      #expect(!lines.story.contains("<--"))
    }

    /// Puts pieces together again.
    private static func lines(of pieces: [TracePiece], from lines: [String]) -> [String] {
      pieces.reduce(into: []) { all, piece in
        switch piece {
        case .line(let index): all.append(lines[index])
        case .turns(_, let count, let length):
          let turn = all.suffix(length)
          for _ in 0..<count { all += turn }
        }
      }
    }

    @Test func `repeated turns are one line with a count, and nothing is lost`() {
      #expect(TracePiece.pieces(of: ["a", "a"]) == [.line(0), .line(1)])
      #expect(TracePiece.pieces(of: ["a", "a", "a", "b"]) == [.line(0), .turns(1..<3, count: 2, length: 1), .line(3)])
      #expect(
        TracePiece.pieces(of: "xabababay".map { "\($0)" })
          == [.line(0), .line(1), .line(2), .turns(3..<7, count: 2, length: 2), .line(7), .line(8)])
      var random = SeededGenerator.forFuzzing("repeated turns")
      for _ in 0..<SeededGenerator.rounds(60, long: 100_000) {
        let letters = Int.random(in: 1...3, using: &random)
        var lines = (0..<Int.random(in: 0...20, using: &random)).map { _ in
          "\(Int.random(in: 0..<letters, using: &random))"
        }
        let turn = lines.suffix(Int.random(in: 1...14, using: &random))
        for _ in 0..<Int.random(in: 0...5, using: &random) { lines += turn }
        let pieces = TracePiece.pieces(of: lines)
        #expect(Self.lines(of: pieces, from: lines) == lines)
        #expect(!pieces.contains { if case .turns(_, let count, _) = $0 { count < 2 } else { false } })
      }
    }

    @Test func `a story without lanes has each step, and a count for those that the same tasks take again`() throws {
      var random = SeededGenerator.forFuzzing("stories of many tasks")
      let tasks = 0..<14
      for _ in 0..<SeededGenerator.rounds(60, long: 100_000) {
        var (steps, repeats) = (Array(tasks), false)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let turn = (0..<Int.random(in: 1...4, using: &random)).map { _ in Int.random(in: tasks, using: &random) }
          let count = Int.random(in: 1...4, using: &random)
          for _ in 0..<count { steps += turn }
          repeats = repeats || count > 2
        }
        // All live from the first steps to the last ones.
        steps += tasks
        let story = steps.map { Self.line("task \($0) takes its turn again", [$0]) }.story
        var told: [Int] = []
        for line in story.split(separator: "\n") {
          if let turns = line.firstMatch(of: /the same (?:(\d+) steps|step) (\d+) times more/) {
            let turn = told.suffix(try turns.1.map { try #require(Int($0)) } ?? 1)
            for _ in 0..<(try #require(Int(turns.2))) { told += turn }
          } else {
            told.append(try #require(line.firstMatch(of: /task (\d+) takes/).flatMap { Int($0.1) }))
          }
        }
        try #require(told == steps, "seed \(random.seed):\n\(story)")
        try #require(!repeats || story.contains("times more"), "seed \(random.seed):\n\(story)")
      }
    }

    /// The trace of a body that fails in its first order.
    private static func trace(_ body: @escaping @Sendable (ScheduleRun) async throws -> Void) async throws -> String {
      try await SchedulesTests.failure { try await Schedules.explore(1, timers: .whenIdle, seed: 1, body) }.trace
    }

    @Test func `the turns of a timer are one line, though each has its time`() async throws {
      let trace = try await Self.trace { run in
        let poll = Task { while true { try await run.clock.sleep(for: .seconds(1)) } }
        try await run.clock.sleep(for: .seconds(500))
        poll.cancel()
        try run.expect(false, "the limit was reached")
      }
      #expect(trace.split(separator: "\n").count < 40, "\(trace)")
      #expect(trace.contains(/\.\.\. steps \d+ to \d+: the same \d+ steps 49\d times more/), "\(trace)")
    }

    @Test func `a trace ends at the failed expectation`() async throws {
      let trace = try await Self.trace { run in
        let checker = Task(name: "checker") { try run.expect(false, "something is wrong") }
        for _ in 0..<20 { await Task.yield() }
        for _ in 0..<20 { try await run.clock.sleep(for: .seconds(1)) }
        try await checker.value
      }
      let last = try #require(trace.split(separator: "\n").last { $0.contains("*") })
      #expect(last.contains("task 1 \"checker\""), "\(trace)")
      #expect(!trace.contains("timer of"))
    }

    @Test func `an expectation whose failure is swallowed does not end the trace`() async throws {
      struct Other: Error {}
      let trace = try await Self.trace { run in
        try? run.expect(false, "nobody minds")
        try await run.clock.sleep(for: .seconds(1))
        throw Other()
      }
      #expect(trace.contains("timer of body"), "\(trace)")
    }

    // The example of the article “Finding races”.

    private actor Server {
      private(set) var requests = 0

      func fetch(_ number: Int) -> String {
        requests += 1
        return "page \(number)"
      }
    }

    private actor Cache {
      private let server: Server
      private var pages: [Int: String] = [:]

      init(_ server: Server) { self.server = server }

      func page(_ number: Int) async -> String {
        if let page = pages[number] { return page }
        let page = await server.fetch(number)
        pages[number] = page
        return page
      }
    }

    @Test func `a race shows where a task leaves an actor to another one, with three switches at most`() async throws {
      let failure = try await #require(throws: ScheduleFailure.self) {
        try await Schedules.explore(1_000, seed: 1) { run in
          let server = Server()
          let cache = Cache(server)
          let first = Task(name: "first") { await cache.page(1) }
          let second = Task(name: "second") { await cache.page(1) }
          _ = await (first.value, second.value)
          let requests = await server.requests
          try run.expect(requests == 1, "the page was fetched \(requests) times")
        }
      }
      #expect(failure.shortest.length <= 3)
      #expect(failure.trace.contains("\"second\" enters actor Cache"))
      #expect(failure.trace.contains(#/enters actor Cache   <-- leaves actor Cache to step \d+\n/#))
      #expect(failure.trace.contains(#/enters actor Cache   <-- finds actor Cache as step \d+ left it\n/#))
    }

    private protocol Loading: Sendable { func load(_ name: String) async -> String }

    private actor Loader: Loading { func load(_ name: String) -> String { name } }

    @Test func `a call by way of a protocol is named for the type that answers it`() async throws {
      let trace = try await Self.trace { run in
        let loader: any Loading = Loader()
        let task = Task { await loader.load("cat") }
        _ = await task.value
        try run.expect(false, "the end")
      }
      #expect(trace.contains("Loader.load, part"), "\(trace)")
      #expect(!trace.contains("> RowcastSchedulesTests,"), "\(trace)")
    }

    @Test func `a task of a library says who made it`() async throws {
      let trace = try await Self.trace { run in
        let own = Task {}
        await own.value
        try run.expect(await LibraryTask.ends() == false, "it ended")
      }
      #expect(
        trace.contains("wakes task 2, made by static LibraryTask.ends of RowcastTestSupport (new)")
          || trace.contains("wakes task 2, made by LibraryTask.ends of RowcastTestSupport (new)"),
        "\(trace)")
      #expect(trace.contains("wakes task 1 (new)"), "\(trace)")
    }
  }
#endif

#if ROWCAST_HOOKS
  import Foundation
  import RowcastSchedules
  import RowcastTestSupport
  import Testing

  /// However the process ends on a schedule, the line that repeats it is left. A sanitizer ends it with a code of its own.
  @Suite(.watched) struct DeadlySignalTests {
    /// Ends the process on the schedules on which two tasks make a counter of this value; 1 if one loses the update of the other.
    static func explore(
      _ path: SchedulePath?, _ strategy: Schedules.Strategy = .random, on values: Set<Int> = [1],
      _ end: @escaping @Sendable () -> Void
    ) async {
      @Sendable func body(_ run: ScheduleRun) async throws {
        let counter = Counter()
        await withTaskGroup { group in
          for _ in 0..<2 { group.addTask { await counter.increaseInTwoSteps() } }
        }
        if values.contains(await counter.value) { end() }
      }
      if let path {
        _ = try? await Schedules.replay(path, strategy: strategy, body)
      } else {
        _ = try? await Schedules.explore(1_000, strategy: strategy, seed: 7, body)
      }
    }

    private actor Counter {
      private(set) var value = 0

      func increaseInTwoSteps() async {
        let old = value
        await Task.yield()
        value = old + 1
      }
    }

    /// The path in the line that a process left.
    static func path(in text: String) throws -> String {
      let line = try #require(text.split(separator: "\n").first { $0.contains("the process ended on a schedule") })
      #expect(line.contains("DeadlySignalTests.swift:"))
      return String(try #require(line.split(separator: "\"").dropFirst().first))
    }

    static func write(_ variable: String, _ value: String) { _ = unsafe setenv(variable, value, 1) }

    /// What ends a process.
    enum End: String, CaseIterable, Codable, Sendable {
      case trap, trapOfEnumeration, abort, signal, overflow

      var strategy: Schedules.Strategy { self == .trapOfEnumeration ? .enumeration(preemptions: 2) : .random }

      /// The usual order, which needs no switch, loses an update.
      var values: Set<Int> { self == .trapOfEnumeration ? [2] : [1] }

      func happen() {
        @Sendable func dig(_ depth: Int) -> Int { depth < 0 ? 0 : dig(depth + 1) &+ depth }
        switch self {
        case .trap, .trapOfEnumeration: fatalError("an update was lost")
        case .abort: Foundation.abort()
        case .signal: raise(SIGSEGV)
        case .overflow: print(dig(0))
        }
      }
    }

    @Test(arguments: End.allCases)
    func `however a process ends, it leaves the line, and the line leads to the end`(_ end: End) async throws {
      let found = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [end = end as End] in
        await DeadlySignalTests.explore(nil, end.strategy, on: end.values) { end.happen() }
      }
      let path = try DeadlySignalTests.path(in: words(of: found))
      let again = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [path = path as String, end = end as End] in
        await DeadlySignalTests.explore(SchedulePath(stringLiteral: path), on: end.values) { end.happen() }
      }
      #expect(try DeadlySignalTests.path(in: words(of: again)) == path)
      // Another end of the same schedule is none.
      _ = await #expect(processExitsWith: .success) { [path = path as String] in
        await DeadlySignalTests.explore(SchedulePath(stringLiteral: path)) {}
      }
    }

    @Test(.enabled(if: Schedules.leavesJobs))
    func `a trap that is repeated shows its jobs, reduced, and says how many schedules passed before`()
      async throws
    {
      let found = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await DeadlySignalTests.explore(nil) { fatalError("an update was lost") }
      }
      #expect(try words(of: found).contains(/the process ended on a schedule after \d+ that passed;/))
      let path = try DeadlySignalTests.path(in: words(of: found))
      let again = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [path = path as String] in
        DeadlySignalTests.write("ROWCAST_SCHEDULE", path)
        await DeadlySignalTests.explore(nil) { fatalError("an update was lost") }
      }
      let text = try words(of: again)
      let reduced = try #require(text.firstMatch(of: /a reduced schedule on which it does: ROWCAST_SCHEDULE="(\S+)"/))
      // The fault shows in the usual order.
      #expect(reduced.1 == "7/", "\(text)")
      #expect(text.contains("Counter.increaseInTwoSteps, part 1"), "\(text)")
      #expect(text.contains(/1 +\* +body/) && text.contains("-> the process ends"), "\(text)")
      // What the copies said on their way is not seen.
      #expect(text.split(separator: "an update was lost").count == 2, "\(text)")
      #expect(try DeadlySignalTests.path(in: words(of: again)) == path)
    }

    @Test(.enabled(if: Schedules.leavesJobs), arguments: [SIGSEGV, SIGFPE])
    func `so does another signal, and a schedule that ends nothing tells nothing`(
      _ signal: Int32
    ) async throws {
      let again = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [signal = signal as Int32] in
        DeadlySignalTests.write("ROWCAST_SCHEDULE", "7/")
        await DeadlySignalTests.explore(nil, on: [1, 2]) { raise(signal) }
      }
      let text = try words(of: again)
      #expect(text.contains("ROWCAST_SCHEDULE=\"7/\"\n") && text.contains("-> the process ends"), "\(text)")
      let passed = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        DeadlySignalTests.write("ROWCAST_SCHEDULE", "7/")
        await DeadlySignalTests.explore(nil) {}
      }
      #expect(try !words(of: passed).contains("a signal ends"))
    }

    @Test func `a process that ends elsewhere leaves no line, and a file takes it`() async throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("schedule-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: file) }
      let elsewhere = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [file = file as String] in
        DeadlySignalTests.write("ROWCAST_SCHEDULE_FILE", file)
        await DeadlySignalTests.explore(nil) {}
        abort()
      }
      #expect(try !words(of: elsewhere).contains("ended on a schedule"))
      #expect(!FileManager.default.fileExists(atPath: file))
      _ = await #expect(processExitsWith: .failure) { [file = file as String] in
        DeadlySignalTests.write("ROWCAST_SCHEDULE_FILE", file)
        await DeadlySignalTests.explore(nil) { abort() }
      }
      _ = try DeadlySignalTests.path(in: String(contentsOfFile: file, encoding: .utf8))
    }
  }
#endif

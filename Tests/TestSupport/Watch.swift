private import Dispatch
private import Foundation
public import Testing

/// Names the tests whose code traps, or hangs, and runs as many tests at a time as there are cores.
///
/// A trap ends the process without a word of the test. A time limit of Swift Testing cancels a task, which code without an
/// `await` never notices, nor a wait that is not for the task's own end. Here the process ends when no test begins or ends
/// for a while: what still runs by then hangs.
public struct WatchTrait: TestTrait, SuiteTrait, TestScoping {
  /// Applies to each test of a suite.
  public var isRecursive: Bool { true }

  /// Runs a test while it is listed as running.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await TestTurns.all.begin()
    do { try await runWatched(test, function) } catch {
      await TestTurns.all.end()
      throw error
    }
    await TestTurns.all.end()
  }

  private func runWatched(_ test: Test, _ function: @Sendable () async throws -> Void) async throws {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), RunningTests.limit > 0 else {
      return try await function()
    }
    let number = RunningTests.enter(test)
    defer { RunningTests.leave(number) }
    try await function()
  }
}

extension Trait where Self == WatchTrait {
  /// Traps and hangs of the test's code are reported with its name.
  public static var watched: Self { WatchTrait() }
}

/// Lets as many tests run at a time as there are cores. Swift Testing begins all at once: each then waits for all others wherever it
/// suspends, and the process takes twice as much processor time.
private actor TestTurns {
  static let all = TestTurns()
  private var free = max(2, ProcessInfo.processInfo.activeProcessorCount)
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func begin() async {
    if free == 0 { return await withCheckedContinuation { waiting.append($0) } }
    free -= 1
  }

  func end() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

/// The tests that run now, by number, and when one of them began or ended last.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private actor RunningTests {
  private struct State {
    var next = 0
    var running: [Int: String] = [:]
    /// When a test began or ended last, and how much processor time the process had taken by then, in seconds.
    var latest = DispatchTime.now()
    var processorTime = RunningTests.processorTime
  }

  /// Runs on a queue with a thread of its own: code that hangs may have all others. ThreadSanitizer knows queues.
  private final class Executor: SerialExecutor {
    let queue = DispatchQueue(label: "watch")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
  }

  private static let executor = Executor()
  private static let all = RunningTests()
  private var state = State()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe Self.executor.asUnownedSerialExecutor() }

  /// Waits for the queue, which is never busy for long: a test is listed before it begins, and a signal handler cannot await.
  private static func withState<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
    executor.queue.sync { all.assumeIsolated { body(&$0.state) } }
  }

  /// How many seconds of processor time may pass without a test that begins or ends: several times what the slowest test
  /// takes, however busy the machine is. A process that only waits takes none, and has as many seconds. Long fuzz runs get
  /// more, and so do runs under ThreadSanitizer, which takes ten times as long. Zero switches the watch off.
  static let limit: Double = {
    let environment = ProcessInfo.processInfo.environment
    let usual: Double = unsafe dlsym(nil, "__tsan_init") == nil ? 80 : 1_200
    return environment["ROWCAST_PATIENCE"].flatMap(Double.init) ?? (environment["ROWCAST_LONG"] == "1" ? 7_200 : usual)
  }()

  private static let start: Void = {
    // Traps end in one of these signals; which one depends on the processor and on what trapped.
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS] {
      signal(number) { number in
        // The trapping code may hold the allocator's lock, which names need: a process that hangs here is ended by an alarm.
        alarm(20)
        // The signal is handled where it was raised, as a part of the task that trapped.
        let name = Test.current.map(RunningTests.name) ?? "one of \(RunningTests.list)"
        RunningTests.say("trapped in \(name)")
        RunningTests.killChildren(of: "self")
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    look()
  }()

  private static func look() {
    // If no thread is left to look, the system ends the process.
    alarm(UInt32(min(limit * 4, 100_000)))
    executor.queue.asyncAfter(deadline: .now() + limit / 10) {
      let hanging = all.assumeIsolated { tests -> String? in
        let state = tests.state
        let work = processorTime - state.processorTime
        let isLate = work > limit || (work < limit / 10 && state.latest + limit < .now())
        return isLate && !state.running.isEmpty ? names(in: state) : nil
      }
      if let hanging {
        say("no test has begun or ended for a long time; these still run: \(hanging)")
        killChildren(of: "self")
        exit(EXIT_FAILURE)
      }
      look()
    }
  }

  /// Ends the programs that tests have started, and their descendants: `swift test` waits for all that can still write
  /// to what it reads, for as long as they live.
  private static func killChildren(of process: String) {
    let threads = "/proc/\(process)/task"
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: threads)) ?? [] {
      let children = (try? String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8)) ?? ""
      for child in children.split(separator: " ") {
        killChildren(of: String(child))
        if let id = pid_t(child) { kill(id, SIGKILL) }
      }
    }
  }

  private static var processorTime: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

  private static func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

  static func name(of test: Test) -> String { test.displayName.map { "\($0) (\(test.id))" } ?? "\(test.id)" }

  private static var list: String { withState { names(in: $0) } }

  private static func names(in state: State) -> String { state.running.values.sorted().joined(separator: "; ") }

  static func enter(_ test: Test) -> Int {
    start
    return withState { state in
      state.next += 1
      state.running[state.next] = name(of: test)
      (state.latest, state.processorTime) = (.now(), processorTime)
      return state.next
    }
  }

  static func leave(_ number: Int) {
    withState { state in
      state.running.removeValue(forKey: number)
      (state.latest, state.processorTime) = (.now(), processorTime)
    }
  }
}

#if ROWCAST_HOOKS
  import Synchronization
  import Testing

  /// A twin of a race that an open-source project had and fixed, or of a common race: the same fault in code of our own, and
  /// the same code without it.
  ///
  /// The body knows nothing of schedules, so that the ordinary runtime can run it, too. It throws ``RaceError``, or hangs.
  struct Race: Sendable, CustomTestStringConvertible {
    /// The fault, in a few words.
    let name: String
    /// The repository, and the issue or pull request that tells of the fault; empty for a fault of many.
    let origin: String
    /// The commit before the repair, and the repair; empty for a fault of many.
    let commits: (faulty: String, fixed: String)
    let body: @Sendable (_ isFixed: Bool) async throws -> Void

    init(
      _ name: String, _ origin: String = "", _ faulty: String = "", _ fixed: String = "",
      body: @escaping @Sendable (_ isFixed: Bool) async throws -> Void
    ) {
      self.name = name
      self.origin = origin
      commits = (faulty, fixed)
      self.body = body
    }

    var testDescription: String { origin.isEmpty ? name : "\(origin): \(name)" }

    /// All twins of one project's race.
    static let all = lostSignals + overlaps + staleState
  }

  /// The fault was seen.
  struct RaceError: Error {
    let message: String
  }

  func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw RaceError(message: message()) }
  }

  /// A value that any task may change. A mutex guards it.
  final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value { update { $0 } }

    func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { state.withLock { body(&$0) } }
  }

  /// Counts resumptions where a continuation would stop the process at the second one.
  typealias Resumptions = Shared<Int>

  /// Counts the tasks inside at once.
  final class Occupancy: Sendable {
    private let counts = Shared((now: 0, most: 0))

    /// The most that were inside at once.
    var most: Int { counts.value.most }

    func enter() {
      counts.update {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    }

    func exit() { counts.update { $0.now -= 1 } }

    /// Is inside over a suspension.
    func stay() async {
      enter()
      await Task.yield()
      exit()
    }
  }

  /// Waits until its task is cancelled.
  func waitForCancellation() async {
    for await _ in AsyncStream<Never>.makeStream().stream {}
  }

  /// Lets others run: something else takes its time first.
  func pause(_ count: Int = 3) async {
    for _ in 0..<count { await Task.yield() }
  }

  /// Runs the operations side by side, to their ends.
  func together(_ operations: @Sendable () async -> Void...) async {
    await withTaskGroup { group in
      for operation in operations { group.addTask { await operation() } }
    }
  }
#endif

private import Dispatch
public import Testing

/// Runs tasks on a thread of its own, so that one which holds its thread holds up nobody else, on one processor either.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "tasks of a test")

  /// Creates an executor.
  public init() {}

  /// Runs no further job until ``resume()``: an executor that is busy with other work.
  public func suspend() { queue.suspend() }

  /// Runs the jobs that have come meanwhile, and those that come.
  public func resume() { queue.resume() }

  /// Puts a job behind the others.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Runs a test on a thread of its own, and one such test at a time: what other tests do meanwhile does not hold it up, nor do two
/// whose threads wait take all threads from each other.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct OwnThreadTrait: TestTrait, TestScoping {
  /// Runs a test with an executor that it alone has.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Turn.shared.take()
    let result: Result<Void, any Error>
    do {
      result = .success(try await withTaskExecutorPreference(QueueExecutor()) { try await function() })
    } catch {
      result = .failure(error)
    }
    await Turn.shared.pass()
    try result.get()
  }
}

/// Whose turn it is among tests that run one at a time.
private actor Turn {
  static let shared = Turn()

  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func take() async {
    if isTaken { await withCheckedContinuation { waiting.append($0) } }
    isTaken = true
  }

  func pass() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Trait where Self == OwnThreadTrait {
  /// The test, which lets threads wait for it, does not stand in line with others.
  public static var ownThread: Self { OwnThreadTrait() }
}

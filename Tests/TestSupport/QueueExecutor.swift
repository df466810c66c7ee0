private import Dispatch
public import Testing

/// Runs tasks on a thread of its own, so that a task which blocks its thread blocks no other task, even on one processor.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class QueueExecutor: TaskExecutor {
  private static let current = DispatchSpecificKey<ObjectIdentifier>()

  private let queue = DispatchQueue(label: "tasks of a test")

  /// Creates an executor.
  public init() { queue.setSpecific(key: Self.current, value: ObjectIdentifier(self)) }

  /// Whether the calling code runs on this executor.
  public var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self) }

  /// Runs no further job until ``resume()``: an executor that is busy with other work.
  public func suspend() { queue.suspend() }

  /// Runs the jobs that have arrived so far, and later ones.
  public func resume() { queue.resume() }

  /// Puts a job behind the others.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Runs a test on a thread of its own: other tests do not delay it.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct OwnThreadTrait: TestTrait, TestScoping {
  /// Runs a test with an executor that it alone has.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(QueueExecutor()) { try await function() }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Trait where Self == OwnThreadTrait {
  /// The test, which lets threads wait for it, does not queue with others.
  public static var ownThread: Self { OwnThreadTrait() }
}

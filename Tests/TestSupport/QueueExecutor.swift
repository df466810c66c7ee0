private import Dispatch

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

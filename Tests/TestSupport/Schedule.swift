import RowcastStore

/// Runs tasks one job at a time, in an order drawn from a seed.
///
/// Concurrent code is a set of jobs: what runs between two suspensions. Here they run on one thread, and each time the
/// seed decides which of those that are ready comes next. The same seed gives the same interleaving, another seed
/// another one.
///
/// All that takes part must stay on the executor: child tasks and default actors do, unstructured tasks do not.
public enum Schedule {
  /// Runs an operation to its end under a seed.
  ///
  /// - Parameters:
  ///   - seed: Decides the order of jobs.
  ///   - operation: What to run. It may start child tasks.
  /// - Returns: What the operation returns, and how many jobs ran; no value if everything waits for something that
  ///   nobody is left to do: a deadlock, or a lost wake-up.
  public static func run<Value: Sendable>(
    seed: UInt64, _ operation: @escaping @Sendable () async -> Value
  ) async -> (value: Value?, jobs: Int) {
    let (steps, queue) = AsyncStream.makeStream(of: Step.self)
    let executor = SeededExecutor(queue: queue)
    let (results, result) = AsyncStream.makeStream(of: Value.self)
    let task = Task(executorPreference: executor) {
      result.yield(await SharedExecutor.$followsCaller.withValue(true, operation: operation))
      result.finish()
    }
    var random = SeededGenerator(seed: seed)
    var ready: [UnownedJob] = []
    var incoming = steps.makeAsyncIterator()
    var jobs = 0
    while true {
      // All that the last job enqueued stands before this mark: jobs run here, one after the other.
      queue.yield(.mark)
      while case .job(let job) = await incoming.next() { ready.append(job) }
      guard !ready.isEmpty else { break }
      let chosen = ready.remove(at: Int.random(in: 0..<ready.count, using: &random))
      chosen.runSynchronously(on: executor.asUnownedTaskExecutor())
      jobs += 1
    }
    result.finish()
    var value: Value?
    for await found in results { value = found }
    // A task that is stuck is let go; it holds nothing that others need.
    task.cancel()
    return (value, jobs)
  }
}

private enum Step: Sendable {
  case job(UnownedJob)
  case mark
}

/// Puts jobs into a queue instead of running them.
private final class SeededExecutor: TaskExecutor {
  let queue: AsyncStream<Step>.Continuation

  init(queue: AsyncStream<Step>.Continuation) {
    self.queue = queue
  }

  func enqueue(_ job: consuming ExecutorJob) {
    queue.yield(.job(UnownedJob(job)))
  }
}

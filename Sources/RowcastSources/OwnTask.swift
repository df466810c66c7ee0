import RowcastDiff

/// A task that an object has made and waits for: the load of a page, the run of a source.
///
/// Code that runs in the task, and waits for the same object, would wait for itself. Task-local values list these tasks, and the
/// identity of the current task shows whether it is one of them: a task that it starts inherits the values, too, but may wait
/// for the object, as the object does not wait for it.
struct OwnTask: Sendable {
  /// The object that waits.
  let owner: ObjectIdentifier
  /// The number that the object has given to the task.
  let number: Int
  /// Tells the running task from others; `nil` outside of tasks.
  private let task: Int?

  /// The tasks that wait for the current one, the innermost last.
  @TaskLocal private static var chain: [OwnTask] = []

  /// The tasks that wait for each other: each for the next, the last being the current one. Empty if that is not one of them.
  static var current: [OwnTask] {
    guard let last = chain.last?.task, last == runningTask else { return [] }
    return chain
  }

  /// The hash of the running task: the task is not kept, and the hash is compared while it still runs.
  private static var runningTask: Int? { unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue } }

  /// Runs a function as the task of an object. The given tasks wait for its result.
  static func run<Result>(
    _ owner: ObjectIdentifier, _ number: Int = 0, under waiting: [OwnTask] = [],
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let own = OwnTask(owner: owner, number: number, task: runningTask)
    return try await $chain.withValue(waiting + [own], operation: body)
  }
}

import RowcastDiff

/// A task that an object has made and waits for: the load of a page, the run of a source.
///
/// What runs in the task, and waits for the same object, would wait for itself. Task-local values tell which tasks there are, and
/// the identity of the current task tells that it is one of them: a task that was started by it has these values, too, and nobody
/// need wait for that one.
struct OwnTask: Sendable {
  /// The object that waits.
  let owner: ObjectIdentifier
  /// The number that the object has given to the task.
  let number: Int
  /// Tells the running task from others; `nil` outside of tasks.
  private let task: Int?

  /// The tasks that wait for the current one, the innermost last.
  @TaskLocal private static var chain: [OwnTask] = []

  /// The tasks of which each waits for the next, and the last is the current one. None if the current task is not one of them.
  static var current: [OwnTask] {
    guard let last = chain.last?.task, last == runningTask else { return [] }
    return chain
  }

  /// The hash of the running task: the task is not kept, and the hash is compared while it still runs.
  private static var runningTask: Int? { unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue } }

  /// Runs a function as the task of an object, of which the given tasks wait for the result.
  static func run<Result>(
    _ owner: ObjectIdentifier, _ number: Int = 0, under waiting: [OwnTask] = [],
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let own = OwnTask(owner: owner, number: number, task: runningTask)
    return try await $chain.withValue(waiting + [own], operation: body)
  }
}

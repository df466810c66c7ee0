#if canImport(RowcastPlatform)
  import Dispatch

  /// Runs an actor on a serial queue, as its calls of the system block the thread, which must not be one that tasks share.
  final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: UnownedJob) {
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// That of the standard library is newer than the oldest systems.
    func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
  }
#endif

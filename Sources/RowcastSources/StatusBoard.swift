import RowcastStore

/// The newest status of a source, and the tasks that wait for another one.
actor StatusBoard {
  private(set) var status = SourceStatus.attached
  private var version = 0
  private var waiters = WaiterList()
  /// Ends the wait for the next attempt, while there is one.
  private var pause: Signal?

  /// A status and its number.
  struct Entry {
    var status: SourceStatus
    var version: Int
  }

  /// Says how the source is doing now.
  func post(_ status: SourceStatus) {
    self.status = status
    version += 1
    waiters.wakeAll()
  }

  /// The newest status, as soon as it is another one than the reader has seen.
  ///
  /// - Parameter seen: The number of the status that the reader has seen.
  /// - Returns: `nil` if there will be none, or the task is cancelled.
  func status(after seen: Int?) async -> Entry? {
    while !Task.isCancelled {
      if version != seen { return Entry(status: status, version: version) }
      if status.isFinal { return nil }
      let signal = Signal()
      let token = waiters.add(signal)
      if await !signal.wait() { waiters.remove(token) }
    }
    return nil
  }

  /// Waits for a time, or until ``endPause()`` is called.
  func pause<Time: Clock>(until deadline: Time.Instant, on clock: Time) async {
    let pause = Signal()
    self.pause = pause
    await pause.wait(until: deadline, on: clock)
    self.pause = nil
  }

  /// Ends the wait for the next attempt.
  func endPause() { pause?.send() }

  /// The number of readers that wait for another status. For tests.
  var waiterCount: Int { waiters.count }
}

/// One reader's place in the history of a status.
actor StatusReader {
  private let board: StatusBoard
  private var seen: Int?

  init(_ board: StatusBoard) {
    self.board = board
  }

  /// The newest status that was not read yet.
  func next() async -> SourceStatus? {
    guard let next = await onSharedExecutor({ [board, seen] in await board.status(after: seen) }) else { return nil }
    seen = next.version
    return next.status
  }
}

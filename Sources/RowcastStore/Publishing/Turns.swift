/// The turns of tasks that read one stream: one at a time makes the next element, which starts where the one before ends.
final actor Turns {
  private var isTaken = false
  private var waiters = WaiterList()

  /// The element that a task makes in its turn; `nil` if it is cancelled before.
  func next<Element: Sendable>(_ make: @Sendable () async throws -> Element?) async rethrows -> Element? {
    while isTaken {
      let signal = Signal()
      let token = waiters.add(signal)
      let isWoken = await signal.wait()
      waiters.remove(token)
      if !isWoken { return nil }
    }
    isTaken = true
    defer {
      isTaken = false
      waiters.wakeAll()
    }
    return try await make()
  }
}

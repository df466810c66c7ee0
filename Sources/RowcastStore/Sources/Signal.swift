/// Wakes one task that waits, once: before, while or after it begins to wait.
struct Signal: Sendable {
  private let rings: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation

  init() {
    (rings, bell) = AsyncStream.makeStream()
  }

  /// Wakes the task.
  func send() { bell.finish() }

  /// Waits for the signal, or for the cancellation of the task.
  func wait() async { for await _ in rings {} }

  /// Waits for the signal, for a time, or for the cancellation of the task.
  func wait<Time: Clock>(until deadline: Time.Instant, on clock: Time) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await clock.sleep(until: deadline, tolerance: nil) }
      group.addTask { await wait() }
      await group.next()
      group.cancelAll()
    }
  }
}

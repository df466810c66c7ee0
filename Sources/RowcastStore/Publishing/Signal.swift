/// A one-shot event for one task, which may be sent before, while or after the task waits for it.
///
/// The same signal may be in several waiter lists; the first that sends it ends the wait.
@usableFromInline
package struct Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  /// Creates a signal that was not sent.
  @usableFromInline
  package init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  /// Sends the signal. Returns `false` if it was sent before, or the waiting task was cancelled.
  @discardableResult
  package func send() -> Bool {
    let isFirst = if case .enqueued = continuation.yield() { true } else { false }
    continuation.finish()
    return isFirst
  }

  /// Waits for the signal, or for the cancellation of the task. Returns `true` if the signal was sent.
  @discardableResult
  @usableFromInline
  package func wait() async -> Bool {
    for await _ in stream { return true }
    return false
  }
}

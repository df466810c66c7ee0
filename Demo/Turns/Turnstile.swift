/// Lets simulated sources act one at a time, in the order of their simulated time.
///
/// Each source runs in a task of its own; the turnstile makes what they do together repeatable. A turn ends when the
/// source asks for its next one, or leaves.
package actor Turnstile {
  /// Waits until some time after the beginning.
  private let waitUntil: @Sendable (Duration) async throws -> Void
  /// How much faster than life time passes; `nil` for as fast as possible.
  private let speed: Double?
  /// Sources that take part and are not waiting. Each blocks all others.
  private var participants: Set<Int>
  /// When the sources had their last turns.
  private var last: [Int: Duration] = [:]
  private var waiting: [Int: (time: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]

  package init<Time: Clock>(participants: some Sequence<Int>, speed: Double?, clock: Time = ContinuousClock())
  where Time.Duration == Duration {
    self.participants = Set(participants)
    self.speed = speed
    let start = clock.now
    waitUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// Waits until a simulated time is reached and no other source has an earlier one.
  package func turn(of source: Int, at time: Duration) async throws {
    await withCheckedContinuation { continuation in
      waiting[source] = (time, continuation)
      letNextPass()
    }
    last[source] = time
    // The others cannot pass before this source returns, so it may wait for real time on their behalf.
    if let speed { try await waitUntil(time / speed) }
  }

  /// Waits until some simulated time after a source's last turn.
  package func turn(of source: Int, after pause: Duration) async throws {
    try await turn(of: source, at: (last[source] ?? .zero) + pause)
  }

  /// The source no longer takes part.
  package func leave(_ source: Int) {
    participants.remove(source)
    letNextPass()
  }

  private func letNextPass() {
    guard waiting.count == participants.count,
      let next = waiting.min(by: { ($0.value.time, $0.key) < ($1.value.time, $1.key) })
    else { return }
    waiting[next.key] = nil
    next.value.continuation.resume()
  }
}

/// The time of one simulated source. The clock always shows its beginning, and waiting until a time means waiting
/// that long after the source's last turn.
package struct TurnstileClock: Clock {
  package struct Instant: InstantProtocol {
    fileprivate var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let turnstile: Turnstile
  private let source: Int
  /// Waits until what the source did in its turn was shown, if that is to be waited for.
  private let settle: @Sendable () async -> Void

  /// Creates the clock of a source that takes its turns at a turnstile.
  package init(turnstile: Turnstile, source: Int, settle: @escaping @Sendable () async -> Void) {
    (self.turnstile, self.source, self.settle) = (turnstile, source, settle)
  }

  package var now: Instant { Instant(offset: .zero) }
  package var minimumResolution: Duration { .nanoseconds(1) }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    await settle()
    try await turnstile.turn(of: source, after: deadline.offset)
  }
}

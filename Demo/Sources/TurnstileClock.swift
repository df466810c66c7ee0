/// The time of one simulated source. The clock always stands at its beginning, and waiting until a time means waiting
/// that long after the source's last turn.
struct TurnstileClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  let turnstile: Turnstile
  let source: Int
  /// Waits until what the source did in its turn was shown, if that is to be waited for.
  let settle: @Sendable () async -> Void

  var now: Instant { Instant(offset: .zero) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    await settle()
    try await turnstile.turn(of: source, after: deadline.offset)
  }
}

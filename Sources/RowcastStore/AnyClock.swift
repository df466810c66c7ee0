/// A clock of any type, so that code that waits need not be generic. Its times are measured from its creation.
@usableFromInline
package struct AnyClock: Sendable {
  let elapsed: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void

  @usableFromInline
  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    self.init {
      start.duration(to: clock.now)
    } sleep: {
      try await clock.sleep(until: start.advanced(by: $0), tolerance: nil)
    }
  }

  init(elapsed: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    (self.elapsed, self.sleep) = (elapsed, sleep)
  }

  @usableFromInline package var now: Duration { elapsed() }

  /// Waits until a time. Throws `CancellationError` at once if the task is cancelled.
  package func sleep(until deadline: Duration) async throws { try await sleep(deadline) }
}

extension Duration {
  /// The duration clamped to zero…31 years: clocks trap on instants that they cannot represent.
  package var asWait: Duration { min(max(self, .zero), .seconds(1_000_000_000)) }
}

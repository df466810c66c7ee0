/// A clock of any type. Its times are those since this was made, so that what waits need not be generic.
struct AnyClock: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  var now: Duration { elapsed() }

  /// Waits until a time. Throws `CancellationError` at once if the task is cancelled.
  func sleep(until deadline: Duration) async throws { try await sleep(deadline) }
}

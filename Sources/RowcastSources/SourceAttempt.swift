import RowcastStore

extension StatusPublisher {
  /// Subscribes to a source, again and again as the policy says.
  ///
  /// - Parameters:
  ///   - policy: The reaction when the source fails.
  ///   - clock: The clock for waits.
  ///   - earlyEnd: The error of a source that stops before its last event; `nil` if the policy knows.
  ///   - note: Called with each status before its readers see it.
  ///   - subscribe: Subscribes once, and applies the events. It returns the last status if nothing follows whatever the policy
  ///     says, `nil` if the source has stopped, and throws if it has failed.
  /// - Returns: The last status. Each other one was posted.
  nonisolated func run(
    retrying policy: RetryPolicy, clock: AnyClock, earlyEnd: (any Error)? = nil,
    note: (@Sendable (SourceStatus) async -> Void)? = nil,
    subscribe: @escaping @Sendable (SourceAttempt) async throws -> SourceStatus?
  ) async -> SourceStatus {
    let post: @Sendable (SourceStatus) async -> Void = { status in
      await note?(status)
      await self.post(status)
    }
    var (policy, failures) = (policy, 0)
    var last: SourceStatus
    while true {
      let attempt = SourceAttempt(clock) { await post(.live) }
      var failure = earlyEnd ?? (policy.endsAreFailures ? SourceEnded() : nil)
      last = .ended
      do {
        if let end = try await subscribe(attempt) { (last, failure) = (end, nil) }
      } catch {
        failure = error
      }
      if let failure { last = .failed(failure) }
      failures = await attempt.endsRow ? 1 : failures + 1
      guard !Task.isCancelled, let failure, let delay = policy.delay(beforeAttempt: failures, after: failure) else {
        break
      }
      await beginPause()
      await post(.waiting(attempt: failures, delay: delay, error: failure))
      await pause(until: clock.now + delay, on: clock)
      if Task.isCancelled { break }
      await post(.connecting)
    }
    if Task.isCancelled { last = .cancelled }
    await note?(last)
    return last
  }
}

/// One subscription to a source.
final actor SourceAttempt {
  private let clock: AnyClock
  private let goLive: @Sendable () async -> Void
  private var first: Duration?
  private var hasNews = false

  /// `goLive` is called with the first event.
  init(_ clock: AnyClock, goLive: @escaping @Sendable () async -> Void) { (self.clock, self.goLive) = (clock, goLive) }

  /// Notes an event.
  func note(_ step: MirrorStep = .news) async {
    if step == .news { hasNews = true }
    if first != nil { return }
    first = clock.now
    await goLive()
  }

  /// True if a row of failures is over: there was news, or the source worked for a while.
  var endsRow: Bool { hasNews || first.map { clock.now - $0 >= .seconds(30) } ?? false }
}

extension AsyncSequence {
  /// Passes the elements on, one by one, until `take` returns a status, which is the last one, or the task is cancelled.
  func drain(into take: (Element) async throws -> SourceStatus?) async throws -> SourceStatus? {
    for try await event in self {
      if Task.isCancelled { break }
      if let end = try await take(event) { return end }
    }
    return nil
  }
}

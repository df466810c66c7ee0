/// The work of a binding: subscribes to a source, from failure to failure, and applies its events.
///
/// All of it happens in the task that calls ``run(_:from:)``, and in children of that task.
struct SourceRun<Event: Sendable, Time: Clock>: Sendable where Time.Duration == Duration {
  /// The end of one subscription: its status, and true if the source itself failed.
  typealias Outcome = (end: SourceStatus, isSourceFailure: Bool)

  let policy: RetryPolicy
  let coalescing: Coalescing
  let clock: Time
  /// The error of a source that stops before its last event; `nil` if the policy knows.
  var earlyEnd: (any Error)?
  /// Applies one event; an error ends the run.
  let apply: @Sendable (Event) async throws -> Void
  /// What an event means for the row of failures.
  var meaning: @Sendable (Event) -> EventMeaning = { _ in .news }
  /// Adds an event of a window to those before it. By default it replaces them.
  var merge: @Sendable (inout Event, Event) -> Void = { $0 = $1 }
  /// Called with each status before its readers see it.
  var note: @Sendable (SourceStatus) async -> Void = { _ in }

  /// Subscribes to a source, again and again as the policy says. Posts each status but the last one, which is returned.
  func run<Events: AsyncSequence>(
    _ publisher: StatusPublisher, from makeEvents: @escaping @Sendable () async throws -> Events
  ) async -> SourceStatus
  where Events.Element == Event, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    var (policy, failures) = (policy, 0)
    var last: SourceStatus
    while true {
      let attempt = SourceAttempt(clock)
      let (end, isSourceFailure) = await subscribe(makeEvents, attempt, publisher)
      last = end
      failures = await attempt.endsRow ? 1 : failures + 1
      guard !Task.isCancelled, isSourceFailure, let error = end.error,
        let delay = policy.delay(beforeAttempt: failures, after: error)
      else { break }
      await publisher.beginPause()
      await post(.waiting(attempt: failures, delay: delay, error: error), publisher)
      await publisher.pause(until: clock.now.advanced(by: delay), on: clock)
      if Task.isCancelled { break }
      await post(.connecting, publisher)
    }
    if Task.isCancelled { last = .cancelled }
    await note(last)
    return last
  }

  private func post(_ status: SourceStatus, _ publisher: StatusPublisher) async {
    await note(status)
    await publisher.post(status)
  }

  private func subscribe<Events: AsyncSequence>(
    _ makeEvents: @escaping @Sendable () async throws -> Events, _ attempt: SourceAttempt<Time>,
    _ publisher: StatusPublisher
  ) async -> Outcome
  where Events.Element == Event, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    let note: @Sendable (Event) async -> Void = { event in
      if await attempt.note(meaning(event)) { await post(.live, publisher) }
    }
    guard coalescing != .none else {
      return await drain(makeEvents) {
        try await apply($0)
        await note($0)
      }
    }
    let window = EventWindow<Event, Time>(coalescing, on: clock, merging: merge)
    return await withTaskGroup(of: Outcome.self) { group in
      group.addTask {
        let outcome = await drain(makeEvents) {
          await note($0)
          await window.put($0)
        }
        await window.close()
        return outcome
      }
      while let event = await window.take() {
        do { try await apply(event) } catch {
          group.cancelAll()
          return (.failed(error), false)
        }
      }
      return await group.next() ?? (.ended, false)
    }
  }

  /// Passes the events of a sequence on, one by one. An error of `take` ends this, and is no failure of the source.
  private func drain<Events: AsyncSequence>(
    _ makeEvents: () async throws -> Events, into take: (Event) async throws -> Void
  ) async -> Outcome where Events.Element == Event {
    do {
      for try await event in try await makeEvents() {
        if Task.isCancelled { break }
        do { try await take(event) } catch { return (.failed(error), false) }
        if meaning(event) == .end { return (.ended, false) }
      }
      let failure = earlyEnd ?? (policy.endsAreFailures ? SourceEnded() : nil)
      return failure.map { (.failed($0), true) } ?? (.ended, false)
    } catch {
      return (.failed(error), true)
    }
  }
}

/// What an event says of its source.
enum EventMeaning: Equatable, Sendable {
  /// The source works: a row of failures is over.
  case news
  /// Nothing that was not known before.
  case repetition
  /// It is the last event.
  case end
}

/// The result of one subscription to a source.
actor SourceAttempt<Time: Clock> where Time.Duration == Duration {
  private let clock: Time
  private var first: Time.Instant?
  private var hasNews = false

  init(_ clock: Time) { self.clock = clock }

  /// Notes an event. Returns true for the first.
  func note(_ meaning: EventMeaning) -> Bool {
    if meaning == .news { hasNews = true }
    guard first == nil else { return false }
    first = clock.now
    return true
  }

  /// True if a row of failures is over: there was news, or the source worked for a while.
  var endsRow: Bool { hasNews || first.map { $0.duration(to: clock.now) >= .seconds(30) } ?? false }
}

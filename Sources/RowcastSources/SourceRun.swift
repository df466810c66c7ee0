/// The work of a binding: subscribes to a source, from failure to failure, and applies its events.
///
/// All of it happens in the task that calls ``run(_:from:)``, and in children of that task.
struct SourceRun<Event: Sendable, Time: Clock>: Sendable where Time.Duration == Duration {
  /// The end of one subscription: its status, true if the source itself failed, and the number of applied events.
  typealias Outcome = (end: SourceStatus, isSourceFailure: Bool, count: Int)

  let policy: RetryPolicy
  let coalescing: Coalescing
  let clock: Time
  /// Applies one event; an error ends the run.
  let apply: @Sendable (Event) async throws -> Void
  /// Adds an event of a window to those before it. By default it replaces them.
  var merge: @Sendable (inout Event, Event) -> Void = { $0 = $1 }
  /// Called with each status before its readers see it.
  var note: @Sendable (SourceStatus) async -> Void = { _ in }

  /// Subscribes to a source, again and again as the policy says. Posts each status but the last one, which is returned.
  func run<Events: AsyncSequence>(
    _ board: StatusBoard, from makeEvents: @escaping @Sendable () async throws -> Events
  ) async -> SourceStatus
  where Events.Element == Event, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    var (policy, failures) = (policy, 0)
    var last: SourceStatus
    while true {
      let (end, isSourceFailure, count) = await subscribe(makeEvents)
      last = end
      failures = count > 0 ? 1 : failures + 1
      guard !Task.isCancelled, isSourceFailure, let error = end.error,
        let delay = policy.delay(beforeAttempt: failures)
      else { break }
      await board.beginPause()
      await post(.waiting(attempt: failures, delay: delay, error: error), board)
      await board.pause(until: clock.now.advanced(by: delay), on: clock)
      if Task.isCancelled { break }
      await post(.attached, board)
    }
    if Task.isCancelled { last = .cancelled }
    await note(last)
    return last
  }

  private func post(_ status: SourceStatus, _ board: StatusBoard) async {
    await note(status)
    await board.post(status)
  }

  private func subscribe<Events: AsyncSequence>(
    _ makeEvents: @escaping @Sendable () async throws -> Events
  ) async -> Outcome
  where Events.Element == Event, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    guard coalescing != .none else { return await Self.drain(makeEvents, into: apply) }
    let window = EventWindow<Event, Time>(coalescing, on: clock, merging: merge)
    return await withTaskGroup(of: Outcome.self) { group in
      group.addTask {
        let outcome = await Self.drain(makeEvents) { await window.put($0) }
        await window.close()
        return outcome
      }
      var count = 0
      while let event = await window.take() {
        do { try await apply(event) } catch {
          group.cancelAll()
          return (.failed(error), false, count)
        }
        count += 1
      }
      let outcome = await group.next()
      return (outcome?.end ?? .finished, outcome?.isSourceFailure ?? false, count)
    }
  }

  /// Passes the events of a sequence on, one by one. An error of `take` ends this, and is no failure of the source.
  static func drain<Events: AsyncSequence>(
    _ makeEvents: () async throws -> Events, into take: (Event) async throws -> Void
  ) async -> Outcome where Events.Element == Event {
    var count = 0
    do {
      for try await event in try await makeEvents() {
        if Task.isCancelled { break }
        do { try await take(event) } catch { return (.failed(error), false, count) }
        count += 1
      }
      return (.finished, false, count)
    } catch {
      return (.failed(error), true, count)
    }
  }
}

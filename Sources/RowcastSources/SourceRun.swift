/// What a binding does: brings the events of a source to where they are applied, from failure to failure.
///
/// All of it happens in the task that runs it and in children of that task.
struct SourceRun<Event: Sendable, Time: Clock>: Sendable where Time.Duration == Duration {
  /// Why one subscription to a source came to its end.
  enum End {
    case finished
    /// The source threw.
    case broken(any Error)
    /// An event was rejected, and the app chose to stop.
    case rejected(any Error)

    var status: SourceStatus {
      switch self {
      case .finished: .finished
      case .broken(let error), .rejected(let error): .failed(error)
      }
    }
  }

  let policy: RetryPolicy
  let coalescing: Coalescing
  let clock: Time
  /// Applies one event; an error ends the run.
  let apply: @Sendable (Event) async throws -> Void
  /// Brings an event of a window to the ones before it. Without, it takes their place.
  var merge: @Sendable (inout Event, Event) -> Void = { $0 = $1 }
  /// Takes notice of a status before its readers.
  var note: @Sendable (SourceStatus) async -> Void = { _ in }

  /// Subscribes to a source, again and again if the policy says so. Posts each status but the last one, which is returned.
  func run<Events: AsyncSequence>(
    _ board: StatusBoard, from makeEvents: @escaping @Sendable () async throws -> Events
  ) async -> SourceStatus
  where Events.Element == Event, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    var policy = policy
    var failures = 0
    while true {
      let (end, count) = await subscribe(makeEvents)
      failures = count > 0 ? 1 : failures + 1
      guard !Task.isCancelled, case .broken(let error) = end, let delay = policy.delay(beforeAttempt: failures) else {
        return await ended(end.status)
      }
      await post(.waiting(attempt: failures, delay: delay, error: error), board)
      await board.pause(until: clock.now.advanced(by: delay), on: clock)
      if Task.isCancelled { return await ended(.cancelled) }
      await post(.attached, board)
    }
  }

  private func post(_ status: SourceStatus, _ board: StatusBoard) async {
    await note(status)
    await board.post(status)
  }

  private func ended(_ end: SourceStatus) async -> SourceStatus {
    let status = Task.isCancelled ? .cancelled : end
    await note(status)
    return status
  }

  /// One subscription. Returns its end, and how many events were applied.
  private func subscribe<Events: AsyncSequence>(
    _ makeEvents: @escaping @Sendable () async throws -> Events
  ) async -> (end: End, count: Int)
  where Events.Element == Event, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    guard coalescing != .none else {
      do { return await Self.drain(try await makeEvents(), into: apply) } catch { return (.broken(error), 0) }
    }
    let window = EventWindow<Event, Time>(coalescing, on: clock, merging: merge)
    return await withTaskGroup(of: End.self) { group in
      group.addTask {
        let end: End
        do {
          end = await Self.drain(try await makeEvents()) { await window.put($0) }.end
        } catch {
          end = .broken(error)
        }
        await window.close()
        return end
      }
      var count = 0
      while let event = await window.take() {
        do { try await apply(event) } catch {
          group.cancelAll()
          return (.rejected(error), count)
        }
        count += 1
      }
      return (await group.next() ?? .finished, count)
    }
  }

  /// Hands over the events of a sequence one by one.
  static func drain<Events: AsyncSequence>(
    _ events: Events, into take: (Event) async throws -> Void
  ) async -> (end: End, count: Int) where Events.Element == Event {
    var count = 0
    do {
      for try await event in events {
        if Task.isCancelled { break }
        do { try await take(event) } catch { return (.rejected(error), count) }
        count += 1
      }
      return (.finished, count)
    } catch {
      return (.broken(error), count)
    }
  }
}

extension RetryPolicy {
  /// The wait before an attempt, or `nil` if there is to be none any more.
  fileprivate mutating func delay(beforeAttempt attempt: Int) -> Duration? {
    guard case .backOff(var rule) = self else { return nil }
    defer { self = .backOff(rule) }
    return rule.delay(beforeAttempt: attempt)
  }
}

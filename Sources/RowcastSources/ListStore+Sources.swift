public import RowcastModel
public import RowcastStore

extension ListStore {
  /// Attaches a source: each of its events becomes one transaction.
  ///
  /// The next event is requested when the transaction of the one before it is done, so a fast source never piles up.
  /// The end or the failure of a source changes nothing in the store; the error is in the binding's `outcome`.
  ///
  ///     let binding = store.attach(socket.events) { list, event in
  ///       try list.append(Message(event), to: event.channel)
  ///     }
  ///
  /// - Parameters:
  ///   - events: Any asynchronous sequence.
  ///   - onRejection: Decides how to continue when `apply` threw, which undid that event. The default is to stop.
  ///   - apply: Turns one event into edits of the list.
  /// - Returns: The tie between both. Cancel it or drop it to detach the source.
  public nonisolated func attach<Events: AsyncSequence>(
    _ events: sending Events,
    onRejection: @escaping @Sendable (Events.Element, any Error) async -> RejectionResponse = { _, _ in .stop },
    apply: @escaping @Sendable (inout ListEditor<Section, Row>, Events.Element) throws -> Void
  ) -> SourceBinding where Events.Element: Sendable, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    return SourceBinding { [core] publisher in
      var hasEvent = false
      do {
        for try await event in events {
          if Task.isCancelled { break }
          if !hasEvent { await publisher.post(.live) }
          hasEvent = true
          try await core.take([event], onRejection: onRejection, apply: apply)
        }
        return Task.isCancelled ? .cancelled : .ended
      } catch {
        return Task.isCancelled ? .cancelled : .failed(error)
      }
    }
  }

  /// Attaches a source whose events are coalesced.
  ///
  ///     let binding = store.attach(readings, coalescing: .throttle(every: .seconds(1)), keeping: .all) { list, reading in
  ///       try list.upsert(reading)
  ///     }
  ///
  /// An event that still waits when the source ends or fails is applied.
  ///
  /// - Parameters:
  ///   - events: Any asynchronous sequence.
  ///   - coalescing: When events are applied.
  ///   - burst: The events of a window that are applied: the newest, or all of them in one transaction.
  ///   - clock: The clock for windows.
  ///   - onRejection: Decides how to continue when `apply` threw, which undid that event. The default is to stop.
  ///   - apply: Turns one event into edits of the list.
  /// - Returns: The tie between both. Cancel it or drop it to detach the source.
  public nonisolated func attach<Events: AsyncSequence & Sendable>(
    _ events: Events, coalescing: Coalescing, keeping burst: BurstPolicy = .newest,
    clock: some Clock<Duration> = ContinuousClock(),
    onRejection: @escaping @Sendable (Events.Element, any Error) async -> RejectionResponse = { _, _ in .stop },
    apply: @escaping @Sendable (inout ListEditor<Section, Row>, Events.Element) throws -> Void
  ) -> SourceBinding where Events.Element: Sendable, Events.AsyncIterator: SendableMetatype {
    attach(
      coalescing: coalescing, keeping: burst, clock: clock, from: { events }, onRejection: onRejection, apply: apply)
  }

  /// Attaches a source that is subscribed to again when it fails, and whose events may be coalesced.
  ///
  ///     let binding = store.attach(retrying: .backOff(), coalescing: .throttle(every: .milliseconds(100))) {
  ///       try await server.connect().events
  ///     } apply: { list, event in
  ///       try list.append(Message(event), to: event.channel)
  ///     }
  ///     for await status in binding.statuses { show(status) }
  ///
  /// Events that were applied before a failure stay, and one that still waits when the source ends or fails is applied. A
  /// source that *ends* is not subscribed to again, unless the policy says that ends are failures.
  ///
  /// - Parameters:
  ///   - policy: The reaction when `events`, or the sequence that it made, throws.
  ///   - coalescing: When events are applied. The default is each one at once.
  ///   - burst: The events of a window that are applied: the newest, or all of them in one transaction.
  ///   - clock: The clock for waits and windows.
  ///   - events: Makes a sequence for each subscription.
  ///   - onRejection: Decides how to continue when `apply` threw, which undid that event. The default is to stop.
  ///   - apply: Turns one event into edits of the list.
  /// - Returns: The tie between both. Cancel it or drop it to detach the source.
  public nonisolated func attach<Events: AsyncSequence>(
    retrying policy: RetryPolicy = .stop, coalescing: Coalescing = .none, keeping burst: BurstPolicy = .newest,
    clock: some Clock<Duration> = ContinuousClock(),
    from events: @escaping @Sendable () async throws -> Events,
    onRejection: @escaping @Sendable (Events.Element, any Error) async -> RejectionResponse = { _, _ in .stop },
    apply: @escaping @Sendable (inout ListEditor<Section, Row>, Events.Element) throws -> Void
  ) -> SourceBinding where Events.Element: Sendable, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    core.bind(
      retrying: policy, coalescing: coalescing, keeping: burst, clock: AnyClock(clock), from: events,
      onRejection: onRejection, apply: apply)
  }
}

extension StoreCore {
  /// Ties a source to the list, as ``ListStore/attach(retrying:coalescing:keeping:clock:from:onRejection:apply:)`` does. `note` is
  /// called with each status before its readers see it.
  nonisolated func bind<Events: AsyncSequence>(
    retrying policy: RetryPolicy, coalescing: Coalescing, keeping burst: BurstPolicy, clock: AnyClock,
    from events: @escaping @Sendable () async throws -> Events,
    note: (@Sendable (SourceStatus) async -> Void)? = nil,
    onRejection: @escaping @Sendable (Events.Element, any Error) async -> RejectionResponse,
    apply: @escaping @Sendable (inout ListEditor<Section, Row>, Events.Element) throws -> Void
  ) -> SourceBinding where Events.Element: Sendable, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    // An error of an event is no failure of the source.
    let take: @Sendable ([Events.Element]) async -> SourceStatus? = { events in
      do {
        try await self.take(events, onRejection: onRejection, apply: apply)
        return nil
      } catch {
        return .failed(error)
      }
    }
    return SourceBinding { publisher in
      await publisher.run(retrying: policy, clock: clock, note: note) { noteEvent in
        guard coalescing != .none else {
          for try await event in try await events() {
            if Task.isCancelled { break }
            if let end = await take([event]) { return end }
            await noteEvent(true)
          }
          return nil
        }
        let window = EventWindow<Events.Element>(coalescing, keeping: burst, on: clock)
        return try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            do {
              for try await event in try await events() {
                if Task.isCancelled { break }
                await noteEvent(true)
                await window.put(event)
              }
              await window.close()
            } catch {
              await window.close()
              throw error
            }
          }
          while let events = await window.take() {
            if let end = await take(events) {
              group.cancelAll()
              return end
            }
          }
          try await group.next()
          return nil
        }
      }
    }
  }

  /// Applies events as one transaction; if it is rejected, one by one, and asks the app about each that is rejected.
  fileprivate func take<Event: Sendable>(
    _ events: [Event], onRejection: @Sendable (Event, any Error) async -> RejectionResponse,
    apply: @Sendable (inout ListEditor<Section, Row>, Event) throws -> Void
  ) async throws {
    func applyAll(_ events: ArraySlice<Event>) throws {
      try edit { list in for event in events { try apply(&list, event) } }
    }
    if events.count > 1, (try? applyAll(events[...])) != nil { return }
    for (index, event) in events.enumerated() {
      do { try applyAll(events[index...index]) } catch {
        if error is ListStoreError { throw error }
        if await onRejection(event, error) == .stop { throw error }
      }
    }
  }
}

extension MirroredList {
  /// Follows a writer, and connects to it again when the connection fails.
  ///
  ///     let binding = mirror.follow { position in
  ///       try await server.lines(since: position).map { try JSONDecoder().decode(WireMessage<Channel, Message>.self, from: $0) }
  ///     }
  ///     for await status in binding.statuses { show(status) }
  ///
  /// A stream starts at the position of the mirror, or with the whole list, and has its messages in order. A whole list at its
  /// beginning replaces the content of the mirror. A message that does not fit, or contradicts the list, is a failure as well;
  /// the next stream is requested from the whole list on. A stream that stops without the `end` message of its list has failed
  /// with `WireError.missingEnd`: the connection was closed. After that message there is no other stream.
  ///
  /// The status is `SourceStatus.live` from the first message of a stream on. A row of failures is over when the position of the
  /// mirror advanced, or 30 seconds after the first message of a stream.
  ///
  /// - Parameters:
  ///   - policy: The reaction when `messages`, or the sequence that it made, throws, or stops before the end of the list.
  ///   - clock: The clock for waits.
  ///   - messages: Makes a stream for each attempt, from a position on, as `ListStore.updates(since:)` and
  ///     `EncodedList.lines(since:)` do at the other end; `nil` if the whole list is needed.
  /// - Returns: The tie between both. Cancel it or drop it to follow no more.
  public func follow<Messages: AsyncSequence>(
    retrying policy: RetryPolicy = .backOff(), clock: some Clock<Duration> = ContinuousClock(),
    from messages: @escaping @Sendable (_ position: ListPosition?) async throws -> Messages
  ) -> SourceBinding
  where
    Messages.Element == WireMessage<Section, Row>, Messages: SendableMetatype, Messages.AsyncIterator: SendableMetatype
  {
    // The binding does not keep the mirror alive, and ends when it is released.
    let clock = AnyClock(clock)
    return SourceBinding { [weak self] publisher in
      await publisher.run(retrying: policy, clock: clock, earlyEnd: WireError.missingEnd) { [weak self] noteEvent in
        let position = await self?.beginStream()
        for try await message in try await messages(position) {
          if Task.isCancelled { break }
          guard let step = try await self?.applyNext(message) else { return .failed(ListStoreError.finished) }
          await noteEvent(step.isNews)
          if step.hasEnded { return .ended }
        }
        return nil
      }
    }
  }
}

extension StatusPublisher {
  /// Subscribes to a source, again and again as the policy says.
  ///
  /// - Parameters:
  ///   - policy: The reaction when the source fails.
  ///   - clock: The clock for waits.
  ///   - earlyEnd: The error of a source that stops before its last event; `nil` if the policy knows.
  ///   - note: Called with each status before its readers see it.
  ///   - subscribe: Subscribes once, applies the events, and notes each by the function that it gets, with true if it is news. It
  ///     returns the last status if nothing follows whatever the policy says, `nil` if the source has stopped, and throws if it has
  ///     failed.
  /// - Returns: The last status, which the caller must post. Each other one was posted.
  func run(
    retrying policy: RetryPolicy, clock: AnyClock, earlyEnd: (any Error)? = nil,
    note: (@Sendable (SourceStatus) async -> Void)? = nil,
    subscribe: @escaping @Sendable (@escaping @Sendable (_ isNews: Bool) async -> Void) async throws -> SourceStatus?
  ) async -> SourceStatus {
    self.note = note
    var (policy, failures) = (policy, 0)
    var last: SourceStatus
    while true {
      var failure = earlyEnd ?? (policy.endsAreFailures ? SourceEnded() : nil)
      last = .ended
      (firstEvent, hasNews) = (nil, false)
      do {
        let end = try await subscribe { await self.noteEvent($0, at: clock.now) }
        if let end { (last, failure) = (end, nil) }
      } catch {
        failure = error
      }
      if let failure { last = .failed(failure) }
      // There was news, or the source worked for a while: a series of failures is over.
      let hasWorked = hasNews || firstEvent.map { clock.now - $0 >= .seconds(30) } ?? false
      failures = hasWorked ? 1 : failures + 1
      guard !Task.isCancelled, let failure, let delay = await delay(&policy, beforeAttempt: failures, failure) else {
        break
      }
      // Before the status is public, so that ``endPause()`` cannot be called too early.
      let pause = Signal()
      self.pause = pause
      await post(.waiting(attempt: failures, delay: delay, error: failure))
      await pause.wait(until: clock.now + delay, on: clock)
      self.pause = nil
      if Task.isCancelled { break }
      await post(.connecting)
    }
    return Task.isCancelled ? .cancelled : last
  }

  /// The wait that a policy sets. It may call the app's function, so it runs outside of the actor, whose status stays readable.
  private nonisolated func delay(
    _ policy: inout RetryPolicy, beforeAttempt attempt: Int, _ error: any Error
  ) async -> Duration? {
    policy.delay(beforeAttempt: attempt, after: error)
  }

  /// Notes an event of this attempt.
  private func noteEvent(_ isNews: Bool, at time: Duration) async {
    if isNews { hasNews = true }
    if firstEvent != nil { return }
    firstEvent = time
    await post(.live)
  }
}

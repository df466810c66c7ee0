import RowcastModel
public import RowcastStore

extension ListStore {
  /// Attaches a source: each of its events becomes one transaction.
  ///
  /// The next event is asked for when the transaction of the one before it is done, so a fast source never piles up.
  /// A source that ends or fails leaves the store as it is; the error is in the binding's `outcome`.
  ///
  ///     let binding = store.attach(socket.events) { list, event in
  ///       try list.append(Message(event), to: event.channel)
  ///     }
  ///
  /// - Parameters:
  ///   - events: Any asynchronous sequence.
  ///   - onRejection: Decides what follows when `apply` threw, which undid that event. The default is to stop.
  ///   - apply: Turns one event into edits of the list.
  /// - Returns: The tie between both. Cancel it or drop it to detach the source.
  public nonisolated func attach<Events: AsyncSequence>(
    _ events: sending Events,
    onRejection: @escaping @Sendable (Events.Element, any Error) async -> RejectionResponse = { _, _ in .stop },
    apply: @escaping @Sendable (inout ListEditor<Section, Row>, Events.Element) throws -> Void
  ) -> SourceBinding where Events.Element: Sendable, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    let take = core.taker(onRejection: onRejection, apply: apply)
    return SourceBinding(board: StatusBoard()) {
      let end = await SourceRun<Events.Element, ContinuousClock>.drain(events, into: take).end
      return Task.isCancelled ? .cancelled : end.status
    }
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
  /// What was applied before a failure stays, and an event that waits to be applied when the source ends or fails still
  /// is. A source that *ends* is over; it is not subscribed to again.
  ///
  /// - Parameters:
  ///   - policy: What follows when `events`, or the sequence that it made, throws.
  ///   - coalescing: When events are applied. The default is each one at once.
  ///   - burst: Whether the newest event of a window is applied, or all of them in one transaction.
  ///   - clock: What measures waits and windows.
  ///   - events: Makes a sequence for each subscription.
  ///   - onRejection: Decides what follows when `apply` threw, which undid that event. The default is to stop.
  ///   - apply: Turns one event into edits of the list.
  /// - Returns: The tie between both. Cancel it or drop it to detach the source.
  public nonisolated func attach<Events: AsyncSequence>(
    retrying policy: RetryPolicy = .stop, coalescing: Coalescing = .none, keeping burst: BurstPolicy = .newest,
    clock: some Clock<Duration> = ContinuousClock(),
    from events: @escaping @Sendable () async throws -> Events,
    onRejection: @escaping @Sendable (Events.Element, any Error) async -> RejectionResponse = { _, _ in .stop },
    apply: @escaping @Sendable (inout ListEditor<Section, Row>, Events.Element) throws -> Void
  ) -> SourceBinding where Events.Element: Sendable, Events: SendableMetatype, Events.AsyncIterator: SendableMetatype {
    let take = core.taker(onRejection: onRejection, apply: apply)
    let board = StatusBoard()
    if burst == .all && coalescing != .none {
      let run = SourceRun(
        policy: policy, coalescing: coalescing, clock: clock, apply: core.burstTaker(take, apply: apply), merge: +=)
      return SourceBinding(board: board) { await run.run(board) { try await events().map { [$0] } } }
    }
    let run = SourceRun(policy: policy, coalescing: coalescing, clock: clock, apply: take)
    return SourceBinding(board: board) { await run.run(board, from: events) }
  }
}

extension StoreCore {
  /// What takes one event: a transaction, and the app's answer if it is undone.
  nonisolated func taker<Event: Sendable>(
    onRejection: @escaping @Sendable (Event, any Error) async -> RejectionResponse,
    apply: @escaping @Sendable (inout ListEditor<Section, Row>, Event) throws -> Void
  ) -> @Sendable (Event) async throws -> Void {
    { event in
      do {
        try await self.edit { try apply(&$0, event) }
      } catch let error as ListStoreError {
        throw error
      } catch {
        if await onRejection(event, error) == .stop { throw error }
      }
    }
  }

  /// What takes several events: one transaction, or one for each if that is undone.
  nonisolated func burstTaker<Event: Sendable>(
    _ take: @escaping @Sendable (Event) async throws -> Void,
    apply: @escaping @Sendable (inout ListEditor<Section, Row>, Event) throws -> Void
  ) -> @Sendable ([Event]) async throws -> Void {
    { events in
      if events.count > 1 {
        do { return try await self.edit { list in for event in events { try apply(&list, event) } } } catch {}
      }
      for event in events { try await take(event) }
    }
  }
}

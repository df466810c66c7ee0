public import RowcastModel
public import RowcastStore

extension MirroredList {
  /// Follows a writer, and connects to it again when the connection fails.
  ///
  ///     let binding = mirror.follow { position in
  ///       try await server.lines(since: position).map { try JSONDecoder().decode(WireMessage<Channel, Message>.self, from: $0) }
  ///     }
  ///     for await status in binding.statuses { show(status) }
  ///
  /// A stream starts where the mirror is, or with the whole list, and has its messages in order: if it begins with the
  /// whole list, that takes the place of the list, whatever the mirror had. A message that contradicts the list is a failure
  /// as well; the next stream is asked for the whole list. A stream that *ends* is over; it is not asked for again.
  ///
  /// - Parameters:
  ///   - policy: What follows when `messages`, or the sequence that it made, throws.
  ///   - clock: What measures waits.
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
    let board = StatusBoard()
    // The binding does not keep the mirror, and ends when that is gone.
    let run = SourceRun<Bool, _>(policy: policy, coalescing: .none, clock: clock) { [weak self] _ in
      if self == nil { throw ListStoreError.finished }
    }
    let connect: @Sendable () async throws -> AsyncThrowingMapSequence<Messages, Bool> = { [weak self] in
      let position = await self?.beginStream()
      return try await messages(position).map { [weak self] message in
        try await self?.receive(message)
        return true
      }
    }
    return SourceBinding(board: board) { await run.run(board, from: connect) }
  }
}

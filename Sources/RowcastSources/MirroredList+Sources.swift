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
  /// A stream starts at the position of the mirror, or with the whole list, and has its messages in order. A whole list
  /// replaces the content of the mirror. A message that contradicts the list is a failure as well; the next stream is
  /// requested from the whole list on. A stream that *ends* is not requested again.
  ///
  /// - Parameters:
  ///   - policy: The reaction when `messages`, or the sequence that it made, throws.
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
    return SourceBinding { await run.run($0, from: connect) }
  }
}

import RowcastDiff

/// The times at which a writer repeats the whole list, for mirrors that join late or have missed a message.
public struct KeyframePolicy: Hashable, Sendable {
  /// The number of updates after which the list is repeated; `nil` for no such limit.
  @usableFromInline package var updates: Int?
  /// The time after which the list is repeated, with the next update; `nil` for no such limit.
  @usableFromInline package var time: Duration?

  /// Creates a policy. With both limits, the first that is reached counts.
  ///
  /// - Precondition: The number of updates is above 0.
  public init(everyUpdates updates: Int? = nil, every time: Duration? = nil) {
    require(updates.map { $0 > 0 } ?? true, "There is no keyframe after every \(updates ?? 0) updates")
    self.updates = updates
    self.time = time
  }

  /// The whole list is never repeated.
  public static let never = KeyframePolicy()
}

/// Turns the updates of a list into messages, with keyframes.
///
///     var writer = WireWriter<Channel, Message>(keyframes: KeyframePolicy(everyUpdates: 50))
///     for await update in store.updates() {
///       for message in writer.messages(for: update) { try send(encoder.encode(message)) }
///     }
public struct WireWriter<Section: WireSection, Row: RowViewModel & Codable>: Sendable {
  /// The epoch of all messages; `nil` to use the epoch of each update.
  @usableFromInline let epoch: String?
  @usableFromInline let keyframes: KeyframePolicy
  /// The updates, and the time of the first message, since the whole list was written.
  @usableFromInline var updates = 0
  @usableFromInline var start = Duration.zero
  /// The messages so far, and the position after them.
  @usableFromInline var count = 0
  @usableFromInline var position = ListPosition(epoch: "", revision: 0)

  /// Creates a writer.
  ///
  /// - Parameter keyframes: The times at which the whole list is repeated.
  public init(keyframes: KeyframePolicy = .never) { self.init(epoch: nil, keyframes: keyframes) }

  /// Creates a writer with a given epoch. An epoch that is used again for another list misleads mirrors.
  package init(epoch: String?, keyframes: KeyframePolicy = .never) {
    self.epoch = epoch
    self.keyframes = keyframes
  }

  /// The messages that carry an update.
  ///
  /// - Parameters:
  ///   - update: The next update of the list.
  ///   - time: The time of the update, since any fixed moment. It matters only if keyframes are sent by time.
  /// - Returns: The message of the update, and a keyframe after it if one is due.
  /// - Complexity: The cost of ``WireMessage/init(_:epoch:)``.
  @inlinable
  public mutating func messages(
    for update: ListUpdate<Section, Row>, at time: Duration = .zero
  ) -> [WireMessage<Section, Row>] {
    defer { assert(updates < keyframes.updates ?? .max, "There was no keyframe for \(updates) updates: \(keyframes)") }
    let message = WireMessage(update, epoch: epoch)
    position = message.position
    count += 1
    updates += 1
    let isDue = keyframes.updates.map { updates >= $0 } ?? false || keyframes.time.map { time - start >= $0 } ?? false
    if update.previous != nil, !isDue { return [message] }
    updates = 0
    start = time
    if update.previous == nil { return [message] }
    var whole = update
    whole.previous = nil
    count += 1
    return [message, WireMessage(whole, epoch: epoch)]
  }

  /// The message that ends the list after the updates so far. Without it, a mirror takes the end of the stream for a failure.
  public func end() -> WireMessage<Section, Row> {
    .end(revision: position.revision, updates: count, epoch: position.epoch)
  }

  /// The message that repeats the position of the list after the updates so far, as a sign that a connection is alive.
  public func progress() -> WireMessage<Section, Row> { .progress(position, since: position) }
}

import RowcastDiff

/// A list as the messages of another process tell it: the far end of a recorded or transmitted stream.
///
///     var mirror = ListMirror<Channel, Message>()
///     for try await message in messages {
///       if let update = try mirror.fold(message) { try table.apply(update) }
///     }
public struct ListMirror<Section: WireSection, Row: RowViewModel & Codable>: Sendable {
  /// The revision of the list, or `nil` before the first message.
  public private(set) var revision: Int?
  private var draft: ListDraft<Section, Row>

  /// Creates a mirror.
  ///
  /// - Parameters:
  ///   - snapshot: The list so far.
  ///   - revision: Its revision, or `nil` if there was no message yet; the first message must then be the whole list.
  public init(_ snapshot: ListSnapshot<Section, Row> = .init(), revision: Int? = nil) {
    draft = ListDraft(snapshot)
    self.revision = revision
  }

  /// The list after the latest message.
  public var snapshot: ListSnapshot<Section, Row> { draft.snapshot }

  /// Brings the list to the state after a message.
  ///
  /// - Parameter message: The next message of the stream. The whole list may come at any time.
  /// - Returns: The update that the message stands for, or `nil` for the end of the stream.
  /// - Throws: ``WireError`` or ``ListError`` for a message that does not fit the list, which is then as it was.
  /// - Complexity: O(k log n) for k operations on n rows; O(n) for the whole list.
  public mutating func fold(_ message: WireMessage<Section, Row>) throws -> ListUpdate<Section, Row>? {
    if case .initial(let start, let list) = message {
      draft = ListDraft(list)
      revision = start
      return ListUpdate(initial: draft.snapshot, revision: start)
    }
    guard let revision else { throw WireError.missingInitial }
    guard message.start == revision else {
      throw WireError.wrongRevision(list: revision, messageStartsAt: message.start)
    }
    guard case .changes(let changes) = message else { return nil }
    let before = draft.snapshot
    do {
      try changes.fold(into: &draft)
    } catch {
      draft.rollBack(to: before)
      throw error
    }
    draft.commit()
    self.revision = changes.revision
    return ListUpdate(
      revision: changes.revision, previous: changes.previous, changes: changes.changes, snapshot: draft.snapshot)
  }
}

extension WireMessage {
  /// The revision that the list must have for the message.
  fileprivate var start: Int {
    if case .changes(let changes) = self { changes.previous } else { revision }
  }
}

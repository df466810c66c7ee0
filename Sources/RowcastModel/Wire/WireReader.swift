import RowcastDiff

/// A list that is read from the messages of another process: the counterpart of ``WireWriter``.
///
/// If all messages arrive in order, ``fold(_:)`` applies them, and anything else is an error:
///
///     var reader = WireReader<Channel, Message>()
///     for try await message in messages {
///       if let update = try reader.fold(message) { try table.apply(update) }
///     }
///
/// If messages may be lost, doubled or reordered, or a reader may join late, ``receive(_:)`` applies the messages that start at
/// its position, and ``state`` names the missing ones. The list is always one that its writer had.
public struct WireReader<Section: WireSection, Row: RowViewModel & Codable>: Sendable {
  @usableFromInline package var progress: MirrorProgress
  @usableFromInline var draft: ListDraft<Section, Row>

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - snapshot: The list so far.
  ///   - position: Its position, with an empty epoch if the list has none; `nil` if there was no message yet, so that the
  ///     first must be the whole list.
  public init(_ snapshot: ListSnapshot<Section, Row> = .init(), at position: ListPosition? = nil) {
    draft = ListDraft(snapshot)
    progress = MirrorProgress(at: position)
  }

  /// The list after the latest message.
  public var snapshot: ListSnapshot<Section, Row> { draft.snapshot }

  /// The position of the list, from which the writer's updates can continue. `nil` before the first message, and after a message
  /// that showed that the list is not the writer's.
  public var position: ListPosition? { progress.position }

  /// The revision of the list, or `nil` without a ``position``.
  package var revision: Int? { position?.revision }

  /// True after the message that the list does not change any more.
  package var isEnded: Bool { progress.isEnded }

  /// The state of the mirror: following, ended, or waiting for something.
  public var state: MirrorState { progress.state }

  /// Brings the list to the state after the next message of an ordered stream.
  ///
  /// - Parameter message: The next message. The whole list may be repeated at any time before the end: at the position of the
  ///   mirror it changes nothing; at a later one, or one of a later run, it replaces the list.
  /// - Returns: The update of the message, which a strict table accepts; `nil` for a message without changes.
  /// - Throws: ``WireError`` for a message that does not follow, or does not fit the list. The mirror is then as it was. Messages
  ///   that follow a refused one are useless without it: they are refused with ``WireError/stopped(at:by:)``, which names its
  ///   error.
  /// - Complexity: O(k log n) for k operations on n rows, those of inserted and deleted sections included; O(n) for the
  ///   whole list, and O(1) if it has no news.
  @inlinable
  public mutating func fold(_ message: WireMessage<Section, Row>) throws(WireError) -> ListUpdate<Section, Row>? {
    let wrongOrder: WireError
    do throws(WireError) {
      let verdict = try progress.verdict(on: message)
      switch verdict {
      case .apply, .skip: return try take(message, verdict)
      case .applyOther(let error), .stale(let error), .gap(let error): wrongOrder = error
      }
    } catch {
      progress.noteRefused(at: message.position, error)
      throw error
    }
    throw progress.cause(of: wrongOrder)
  }

  /// Takes a message of a stream in which messages may be missing, doubled or out of order.
  ///
  /// A message that starts at the position of the mirror is applied. A whole list is applied if it is later, or if its
  /// writer is another one or names no epoch. All others leave the list as it is; ``state`` names the missing ones.
  ///
  /// - Parameter message: Any message.
  /// - Returns: The update of the message, which a strict table accepts; `nil` if the list stays as it is.
  /// - Throws: ``WireError`` for a message that contradicts itself or the list, as no writer sends. The list is as it was.
  ///   If the message starts where the mirror is, the mirror has lost its position, and takes the next whole list.
  /// - Complexity: The cost of ``fold(_:)``.
  @inlinable
  public mutating func receive(_ message: WireMessage<Section, Row>) throws(WireError) -> ListUpdate<Section, Row>? {
    let verdict = try progress.verdict(on: message)
    do throws(WireError) { return try take(message, verdict) } catch {
      progress.noteDoubtful()
      throw error
    }
  }

  @inlinable
  mutating func take(
    _ message: WireMessage<Section, Row>, _ verdict: MirrorProgress.Verdict
  ) throws(WireError) -> ListUpdate<Section, Row>? {
    var update: ListUpdate<Section, Row>?
    switch message {
    // Not compared with the list before: that calls the app for each row.
    case .initial(let revision, let list, let epoch, let lineage) where verdict.isApplied:
      draft = ListDraft(list)
      update = ListUpdate(initial: list, revision: revision, epoch: epoch, lineage: lineage)
    case .changes(let changes) where verdict.isApplied:
      try changes.apply(to: &draft)
      draft.commit()
      update = ListUpdate(
        revision: message.revision, previous: changes.previous, changes: changes.changes, snapshot: draft.snapshot,
        epoch: message.epoch, previousEpoch: changes.previousEpoch)
    case .initial, .changes, .progress, .end, .run: break
    }
    progress.note(message, verdict)
    return update
  }
}

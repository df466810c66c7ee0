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
  /// Whether a message said that the list does not change any more.
  public private(set) var isEnded = false
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
  /// - Parameter message: The next message of the stream. The whole list may come again at any time before the end, at
  ///   the revision of the list or a later one.
  /// - Returns: The update that the message stands for, which a strict table accepts; `nil` for the end of the stream.
  /// - Throws: ``WireError`` for a message that does not fit the list, which is then as it was.
  /// - Complexity: O(k log n) for k operations on n rows, those of inserted and deleted sections included; O(n) for the
  ///   whole list.
  public mutating func fold(_ message: WireMessage<Section, Row>) throws(WireError) -> ListUpdate<Section, Row>? {
    if message.revision < 0 { throw .negativeRevision(message.revision) }
    switch message {
    case .initial(let start, let list):
      if let revision {
        guard start >= revision else { throw .fallingRevision(from: revision, to: start) }
        if isEnded { throw .ended(revision: revision) }
      }
      draft = ListDraft(list)
      revision = start
      return ListUpdate(initial: draft.snapshot, revision: start)
    case .changes(let changes):
      try checkStart(changes.previous)
      try changes.apply(to: &draft)
      draft.commit()
      revision = changes.revision
      return ListUpdate(
        revision: changes.revision, previous: changes.previous, changes: changes.changes, snapshot: draft.snapshot)
    case .end(let end, _):
      try checkStart(end)
      isEnded = true
      return nil
    }
  }

  private func checkStart(_ start: Int) throws(WireError) {
    guard let revision else { throw .missingInitial }
    guard start == revision else { throw .wrongRevision(list: revision, messageStartsAt: start) }
    if isEnded { throw .ended(revision: revision) }
  }
}

extension WireChanges {
  /// Applies the changes to a list, if they fit it.
  ///
  /// - Throws: ``WireError``; the list is then as it was.
  /// - Complexity: O(k log n) for k operations on n rows, those of inserted and deleted sections included.
  func apply(to draft: inout ListDraft<Section, Row>) throws(WireError) {
    guard revision > previous else { throw .fallingRevision(from: previous, to: revision) }
    try checkContents()
    let sections = zip(changes.sections.updates, updatedSections).map { update, content in
      // Updates of sections that are not there are found by the rules of strict tables.
      (0..<draft.list.sectionCount).contains(update.from)
        ? Section(id: draft.list.section(at: update.from).id, content: content) : nil
    }
    let patch = ListPatch(
      changes, insertedSections: insertedSections, updatedSections: sections.compactMap(\.self),
      insertedRows: insertedRows, updatedRows: updatedRows)
    do {
      try draft.apply(patch)
    } catch {
      throw WireError(error)
    }
  }

  /// Whether there is a content for each operation that brings one.
  private func checkContents() throws(WireError) {
    for (name, operations, contents) in [
      ("inserts of sections", changes.sections.inserts.count, insertedSections.count),
      ("updates of sections", changes.sections.updates.count, updatedSections.count),
      ("inserts of rows", changes.rows.inserts.count, insertedRows.count),
      ("updates of rows", changes.rows.updates.count, updatedRows.count),
    ] where operations != contents {
      throw .contradiction("the message has \(operations) \(name), but contents for \(contents)")
    }
  }
}

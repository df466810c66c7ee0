public import RowcastDiff

/// One line of a recorded or transmitted list: a ``ListUpdate`` without the list itself.
///
/// Encoded as one JSON object a line, these messages let another process mirror a list: it starts
/// with the first, ``initial(revision:snapshot:epoch:lineage:)``, and applies the others to it, as ``WireReader`` does.
///
///     let message = WireMessage(update)
///
/// Every message names the epoch of its list's run. Messages that were recorded before there were epochs have the empty one.
public enum WireMessage<Section: WireSection, Row: RowViewModel & Codable>: Equatable, Sendable {
  /// The whole list at a revision: the first message of a stream, and keyframes in its middle. It includes the newest runs of the
  /// list.
  case initial(
    revision: Int, snapshot: ListSnapshot<Section, Row>, epoch: String = "", lineage: Lineage = Lineage())
  /// The changes since a revision.
  case changes(WireChanges<Section, Row>)
  /// The list is the same at both positions: a mirror at the second one is up to date. It is the first message of a stream from
  /// the newest position, and any later sign that a connection is alive.
  case progress(ListPosition, since: ListPosition)
  /// The list does not change any more. `updates` counts the messages before this one.
  case end(revision: Int, updates: Int, epoch: String = "")
  /// A run has begun, with the newest runs up to it. It is in files, and changes nothing for a mirror.
  case run(Lineage)

  /// The message that carries an update.
  ///
  /// - Parameters:
  ///   - update: An update of a list.
  ///   - epoch: The epoch of the list, if it is not the one of the update.
  /// - Complexity: O(k log n) for k operations, those of inserted sections included; O(1) for a whole list.
  @inlinable
  public init(_ update: ListUpdate<Section, Row>, epoch: String? = nil) {
    let isOther = epoch ?? update.epoch != update.epoch
    let epoch = epoch ?? update.epoch
    guard let previous = update.previous else {
      self = .initial(
        revision: update.revision, snapshot: update.snapshot, epoch: epoch,
        lineage: isOther ? Lineage() : update.lineage.inMessage)
      return
    }
    let previousEpoch = isOther ? epoch : update.previousEpoch ?? epoch
    let start = ListPosition(epoch: previousEpoch, revision: previous)
    self = .changes(WireChanges(update, from: start, epoch: epoch))
  }

  /// The message that carries an update, or the whole list if that is about as short or shorter. An update without changes is
  /// progress.
  ///
  /// A mirror takes either. The length is estimated: each row or section counts as 48 bytes.
  ///
  /// - Parameters:
  ///   - update: An update of a list.
  ///   - epoch: The epoch of the list, if it is not the one of the update.
  /// - Complexity: The cost of ``init(_:epoch:)``.
  public init(shortest update: ListUpdate<Section, Row>, epoch: String? = nil) {
    if update.changes.isEmpty, epoch == nil || epoch == update.epoch, let start = update.start {
      self = .progress(update.position, since: start)
    } else if !update.isLongerThanList {
      self.init(update, epoch: epoch)
    } else {
      var whole = update
      whole.previous = nil
      self.init(whole, epoch: epoch)
    }
  }

  /// The revision of the list after the message.
  public var revision: Int { position.revision }

  /// The epoch of the list's run.
  public var epoch: String { position.epoch }

  /// The position from which the message starts; `nil` if it has the whole list.
  package var start: ListPosition? {
    switch self {
    case .initial, .run: nil
    case .changes(let changes): changes.start
    case .progress(_, let start): start
    case .end: position
    }
  }

  /// The position of the list after the message.
  public var position: ListPosition {
    switch self {
    case .initial(let revision, _, let epoch, _), .end(let revision, _, let epoch):
      ListPosition(epoch: epoch, revision: revision)
    case .changes(let changes): changes.position
    case .progress(let position, _): position
    case .run(let lineage): lineage.runs.last ?? ListPosition(epoch: "", revision: 0)
    }
  }
}

extension WireMessage {
  /// Brings a list to the state after the message. A whole list is compared with the list before, and shares equal parts with it.
  @inlinable
  package func apply(to draft: inout ListDraft<Section, Row>) throws(WireError) {
    switch self {
    case .initial(_, let list, _, _): draft.replace(with: list)
    case .changes(let changes): try changes.apply(to: &draft)
    case .progress, .end, .run: break
    }
  }
}

/// The content of a changes message: positions, and the inserted and updated values.
public struct WireChanges<Section: WireSection, Row: RowViewModel & Codable>: Equatable, Sendable {
  /// The position that the changes start from.
  @usableFromInline let start: ListPosition
  /// The position that the changes lead to.
  @usableFromInline package let position: ListPosition
  /// The operations on sections and rows.
  @usableFromInline package internal(set) var changes: ListChanges
  /// The inserted sections with all their rows, in the order of `changes.sections.inserts`.
  @usableFromInline package internal(set) var insertedSections: [ListSection<Section, Row>]
  /// The new content of sections, in the order of `changes.sections.updates`.
  @usableFromInline package internal(set) var updatedSections: [Section.Content]
  /// The inserted rows, in the order of `changes.rows.inserts`.
  @usableFromInline package internal(set) var insertedRows: [Row]
  /// The new content of rows, in the order of `changes.rows.updates`.
  @usableFromInline package internal(set) var updatedRows: [Row]

  /// The epoch of the run that the changes start from, if it is another one.
  public var previousEpoch: String? { start.epoch == position.epoch ? nil : start.epoch }
  /// The revision that the changes start from.
  public var previous: Int { start.revision }

  /// Creates changes from their parts. Each part has as many elements as the operations that it belongs to.
  @usableFromInline
  package init(
    from start: ListPosition, to position: ListPosition, _ changes: ListChanges,
    insertedSections: [ListSection<Section, Row>] = [], updatedSections: [Section.Content] = [],
    insertedRows: [Row] = [], updatedRows: [Row] = []
  ) {
    self.start = start
    self.position = position
    self.changes = changes
    self.insertedSections = insertedSections
    self.updatedSections = updatedSections
    self.insertedRows = insertedRows
    self.updatedRows = updatedRows
  }

  /// The changes of an update, also if there are none.
  @inlinable
  package init(_ update: ListUpdate<Section, Row>, from start: ListPosition, epoch: String) {
    let patch = ListPatch(update.changes, to: update.snapshot)
    self.init(
      from: start, to: ListPosition(epoch: epoch, revision: update.revision), patch.changes,
      insertedSections: patch.insertedSections, updatedSections: patch.updatedSections.map { $0.content },
      insertedRows: patch.insertedRows, updatedRows: patch.updatedRows)
  }
}

extension WireChanges {
  /// Applies the changes to a list, if they fit it.
  ///
  /// - Throws: ``WireError``; the list is then as it was.
  /// - Complexity: O(k log n) for k operations on n rows, those of inserted and deleted sections included.
  @inlinable
  package func apply(to draft: inout ListDraft<Section, Row>) throws(WireError) {
    try checkContents()
    let sections = zip(changes.sections.updates, updatedSections).map { update, content in
      // Updates of sections that are not there are found by the rules of strict tables.
      (0..<draft.list.sectionCount).contains(update.from)
        ? Section(id: draft.list.section(at: update.from).id, content: content) : nil
    }
    let patch = ListPatch(
      changes, insertedSections: insertedSections, updatedSections: sections.compactMap { $0 },
      insertedRows: insertedRows, updatedRows: updatedRows)
    do {
      try draft.apply(patch)
    } catch {
      throw WireError(error)
    }
  }

  /// Checks that there is a content for each operation that needs one.
  @usableFromInline
  func checkContents() throws(WireError) {
    let counts: [(String, Int, Int)] = [
      ("inserts of sections", changes.sections.inserts.count, insertedSections.count),
      ("updates of sections", changes.sections.updates.count, updatedSections.count),
      ("inserts of rows", changes.rows.inserts.count, insertedRows.count),
      ("updates of rows", changes.rows.updates.count, updatedRows.count),
    ]
    for (name, operations, contents) in counts where operations != contents {
      throw .contradiction("the message has \(operations) \(name), but contents for \(contents)")
    }
  }
}

extension ListUpdate {
  /// True if a message with the changes would be longer than one with the whole list, by estimates of both.
  package var isLongerThanList: Bool {
    let (list, sections, rows) = (snapshot, changes.sections, changes.rows)
    let content = 48
    let deletes = (sections.deletes.count + rows.deletes.count) * 8
    let inserts = (sections.inserts.count + rows.inserts.count) * (20 + content)
    let moves = (sections.moves.count + rows.moves.count) * 28
    let updates = (sections.updates.count + rows.updates.count) * (36 + content)
    let insertedRows = sections.inserts.reduce(0) { $0 + list.rowCount(inSection: $1) } * content
    return deletes + inserts + moves + updates + insertedRows >= (list.sectionCount + list.rowCount) * content
  }
}

/// A section that can be sent to another process: its id, and the rest of its content as one value.
///
///     struct Channel: WireSection {
///       struct Content: Codable, Equatable, Sendable { var title: String }
///       let id: String
///       var content: Content
///     }
public protocol WireSection<ID>: SectionViewModel where ID: Codable {
  /// The content of the section without its id. On the wire its fields are beside `id` and `rows`, so they must have other names,
  /// and other names than `from` and `to`.
  associatedtype Content: Codable & Equatable & Sendable

  /// The content of the section.
  var content: Content { get }

  /// Makes a section from its id and its content.
  init(id: ID, content: Content)
}

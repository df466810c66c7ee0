public import RowcastDiff

/// One line of a recorded or transmitted list: what a ``ListUpdate`` says, without the list itself.
///
/// Encoded as one JSON object a line, these messages are all that another process needs to mirror a list: it starts
/// with the first, ``initial(revision:snapshot:)``, and folds the others onto it, as ``ListMirror`` does.
///
///     let message = WireMessage(update)
public enum WireMessage<Section: WireSection, Row: RowViewModel & Codable>: Equatable, Sendable {
  /// The whole list at a revision.
  case initial(revision: Int, snapshot: ListSnapshot<Section, Row>)
  /// What changed since a revision.
  case changes(WireChanges<Section, Row>)
  /// The list does not change any more. `updates` counts the messages before this one.
  case end(revision: Int, updates: Int)

  /// The message that carries an update.
  public init(_ update: ListUpdate<Section, Row>) {
    if let previous = update.previous {
      self = .changes(WireChanges(update, previous: previous))
    } else {
      self = .initial(revision: update.revision, snapshot: update.snapshot)
    }
  }

  /// The revision of the list after the message.
  public var revision: Int {
    switch self {
    case .initial(let revision, _), .end(let revision, _): revision
    case .changes(let changes): changes.revision
    }
  }
}

/// The content of a changes message: positions, and the values of what is inserted or updated.
public struct WireChanges<Section: WireSection, Row: RowViewModel & Codable>: Equatable, Sendable {
  /// The revision that the changes start from.
  public internal(set) var previous: Int
  /// The revision that they lead to.
  public internal(set) var revision: Int
  /// What happens to sections and rows.
  public internal(set) var changes: ListChanges
  /// The inserted sections with all their rows, in the order of `changes.sections.inserts`.
  public internal(set) var insertedSections: [ListSection<Section, Row>]
  /// The new content of sections, in the order of `changes.sections.updates`.
  public internal(set) var updatedSections: [Section.Content]
  /// The inserted rows, in the order of `changes.rows.inserts`.
  public internal(set) var insertedRows: [Row]
  /// The new content of rows, in the order of `changes.rows.updates`.
  public internal(set) var updatedRows: [Row]

  init(_ update: ListUpdate<Section, Row>, previous: Int) {
    let after = update.snapshot
    self.previous = previous
    revision = update.revision
    changes = update.changes
    insertedSections = changes.sections.inserts.map { index in
      ListSection(after.section(at: index), rows: Array(after.rows(inSection: index)))
    }
    updatedSections = changes.sections.updates.map { after.section(at: $0.to).content }
    insertedRows = changes.rows.inserts.map(after.row(at:))
    updatedRows = changes.rows.updates.map { after.row(at: $0.to) }
  }
}

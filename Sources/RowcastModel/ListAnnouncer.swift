public import RowcastDiff

/// What an update did to rows, as a ``ListAnnouncer`` says it.
public enum AnnouncedChange: CaseIterable, Sendable {
  /// Rows are new.
  case inserted
  /// Rows are gone.
  case deleted
  /// The content of rows is another one, wherever they are now.
  case updated
  /// Rows are elsewhere, with the same content.
  case moved
}

extension AnnouncedChange {
  /// English words: one row by its title, several by their number.
  ///
  ///     AnnouncedChange.english("message", "messages")(.inserted, ["Hello", "Lunch?", "Yes"])   // "3 new messages"
  ///
  /// - Parameters:
  ///   - row: The word for a row, which names one without a title.
  ///   - rows: The word for several rows.
  /// - Returns: The words for rows that were changed in one way, by their titles.
  @_alwaysEmitIntoClient
  public static func english(
    _ row: String = "row", _ rows: String = "rows"
  ) -> @Sendable (AnnouncedChange, [String]) -> String? {
    { change, titles in
      let (one, several) =
        switch change {
        case .inserted: ("added", "")
        case .deleted: ("removed", " removed")
        case .updated: ("changed", " changed")
        case .moved: ("moved", " moved")
        }
      if titles.count > 1 { return "\(titles.count)\(several.isEmpty ? " new" : "") \(rows)\(several)" }
      return titles.first.map { "\($0.isEmpty ? row : $0) \(one)" }
    }
  }
}

/// Says in words what each update of a list did to its rows, for a screen reader: "3 new messages, Bread removed".
///
///     var announcer = ListAnnouncer<Aisle, Item> { $0.name }
///     for await update in shopping.updates() {
///       if let words = announcer.announcement(of: update) { say(words) }
///     }
///
/// A row is said once: as one that is updated if it was moved, too. A row of a section that came or went is one that came or went itself,
/// unless it is in the list before and after; sections themselves are not said.
public struct ListAnnouncer<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// The title of a row; `nil` for one that is not said, such as a separator.
  public var title: @Sendable (Row) -> String?
  /// The words for the rows that were changed in one way, by their titles, in the order of the list; `nil` if that is not said. The
  /// place for another language, and for what matters to a person in this list.
  public var words: @Sendable (AnnouncedChange, [String]) -> String?
  /// What stands between the words for changes of several kinds.
  public var separator: String
  /// The list that the last update led to, and its position.
  @usableFromInline var former = ListSnapshot<Section, Row>()
  @usableFromInline var position: ListPosition?

  /// Creates an announcer for the updates of one list.
  ///
  /// - Parameters:
  ///   - words: The words for rows that were changed in one way, by their titles; `nil` for a change that is not said.
  ///   - separator: What stands between the words for changes of several kinds.
  ///   - title: The title of a row; `nil` for one that is not said.
  @_alwaysEmitIntoClient
  public init(
    words: @escaping @Sendable (AnnouncedChange, [String]) -> String? = AnnouncedChange.english(),
    separator: String = ", ", title: @escaping @Sendable (Row) -> String?
  ) {
    self.title = title
    self.words = words
    self.separator = separator
  }

  /// The words for an update, which is to be told to a person once: after the view has taken it.
  ///
  /// - Parameter update: The next update of the list. One that does not follow the last one is compared with the list before.
  /// - Returns: The words; `nil` for the first list, which is no news, and for an update without anything to say.
  /// - Complexity: O(c log n) for c changed rows, those of inserted and deleted sections included, of n.
  @_alwaysEmitIntoClient
  public mutating func announcement(of update: ListUpdate<Section, Row>) -> String? {
    defer { (former, position) = (update.snapshot, update.position) }
    guard let position else { return nil }
    let start = update.previous.map { ListPosition(epoch: update.previousEpoch ?? update.epoch, revision: $0) }
    let changes = start == position ? update.changes : former.changes(to: update.snapshot)
    let parts = Self.rows(changes, from: former, to: update.snapshot).compactMap { change, rows in
      let titles = rows.compactMap(title)
      return titles.isEmpty ? nil : words(change, titles)
    }
    return parts.isEmpty ? nil : parts.joined(separator: separator)
  }

  /// The rows that were changed, by the kind of change.
  @_alwaysEmitIntoClient
  internal static func rows(
    _ changes: ListChanges, from former: ListSnapshot<Section, Row>, to list: ListSnapshot<Section, Row>
  ) -> [(AnnouncedChange, [Row])] {
    func all(_ paths: [RowPath], _ sections: [Int], in list: ListSnapshot<Section, Row>) -> [RowPath] {
      let whole = sections.flatMap { section in
        (0..<list.rowCount(inSection: section)).map { RowPath(section: section, row: $0) }
      }
      return (paths + whole).sorted()
    }
    let gone = all(changes.rows.deletes, changes.sections.deletes, in: former).map { former.row(at: $0) }
    let came = all(changes.rows.inserts, changes.sections.inserts, in: list)
    let goneRows = Dictionary(gone.map { ($0.id, $0) }) { first, _ in first }
    let cameIDs = Set(came.map { list.row(at: $0).id })
    // A row that went with one section and came with another one.
    let stayed = came.filter { goneRows[list.row(at: $0).id] != nil }
    let isUpdated = Set(
      changes.rows.updates.map(\.to)
        + stayed.filter { path in goneRows[list.row(at: path).id].map { $0 != list.row(at: path) } ?? false })
    let moved = (changes.rows.moves.map(\.to) + stayed).filter { !isUpdated.contains($0) }
    return [
      (.inserted, came.map { list.row(at: $0) }.filter { goneRows[$0.id] == nil }),
      (.deleted, gone.filter { !cameIDs.contains($0.id) }),
      (.updated, isUpdated.sorted().map { list.row(at: $0) }), (.moved, moved.sorted().map { list.row(at: $0) }),
    ]
  }
}

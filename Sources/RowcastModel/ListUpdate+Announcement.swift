public import RowcastDiff

/// What an update did to rows: see ``ListUpdate/announcement(since:words:separator:title:)``.
public enum AnnouncedChange: Sendable {
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

extension ListUpdate {
  /// Says in words what the update did to rows, for a screen reader: "3 new messages, Bread removed".
  ///
  ///     var shown: ListSnapshot<Aisle, Item>?
  ///     for await update in shopping.updates() {
  ///       if let words = update.announcement(since: shown, title: { $0.name }) { say(words) }
  ///       shown = update.snapshot
  ///     }
  ///
  /// Each row is announced once; an updated row that was also moved counts as updated. Rows of an inserted or removed section
  /// count as inserted or removed, unless they are in both lists; sections themselves are not announced.
  ///
  /// - Parameters:
  ///   - former: The list that a person knows, usually that of the update before; `nil` before the first list, which is no news.
  ///   - words: The words for the rows that were changed in one way, by their titles, in the order of the list; `nil` if that is not said.
  ///     The place for another language, and for what matters to a person in this list.
  ///   - separator: The text between the words for changes of several kinds.
  ///   - title: The title of a row; `nil` for one that is not said, such as a separator.
  /// - Returns: The words; `nil` if there is nothing to say.
  /// - Complexity: That of ``ListSnapshot/changes(to:)``, and O(c log n) for c changed rows of n, those of inserted and deleted sections
  ///   included.
  @inlinable
  public func announcement(
    since former: ListSnapshot<Section, Row>?,
    words: (AnnouncedChange, [String]) -> String? = AnnouncedChange.english(), separator: String = ", ",
    title: (Row) -> String?
  ) -> String? {
    guard let former else { return nil }
    let parts = Self.rows(former.changes(to: snapshot), from: former, to: snapshot).compactMap { change, rows in
      let titles = rows.compactMap(title)
      return titles.isEmpty ? nil : words(change, titles)
    }
    return parts.isEmpty ? nil : parts.joined(separator: separator)
  }

  /// The rows that were changed, by the kind of change.
  @inlinable
  internal static func rows(
    _ changes: ListChanges, from former: ListSnapshot<Section, Row>, to list: ListSnapshot<Section, Row>
  ) -> [(AnnouncedChange, [Row])] {
    func all(_ paths: [RowPath], _ sections: [Int], in list: ListSnapshot<Section, Row>) -> [RowPath] {
      let whole = sections.flatMap { section in
        (0..<list.rowCount(inSection: section)).map { RowPath(section: section, row: $0) }
      }
      return (paths + whole).ascending
    }
    let gone = all(changes.rows.deletes, changes.sections.deletes, in: former).map { former.row(at: $0) }
    var goneRows = Dictionary(gone.map { ($0.id, $0) }) { first, _ in first }
    var inserted: [Row] = []
    var (updated, moved) = (changes.rows.updates.map(\.to), changes.rows.moves.map(\.to))
    for path in all(changes.rows.inserts, changes.sections.inserts, in: list) {
      let row = list.row(at: path)
      if let former = goneRows.removeValue(forKey: row.id) {
        // It went with one section and came with another one.
        if areUnchanged(former, row) { moved.append(path) } else { updated.append(path) }
      } else {
        inserted.append(row)
      }
    }
    let isUpdated = Set(updated)
    moved.removeAll { isUpdated.contains($0) }
    return [
      (.inserted, inserted), (.deleted, gone.filter { goneRows[$0.id] != nil }),
      (.updated, updated.ascending.map { list.row(at: $0) }), (.moved, moved.ascending.map { list.row(at: $0) }),
    ]
  }
}

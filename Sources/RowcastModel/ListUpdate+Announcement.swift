public import RowcastDiff

/// What an update did to rows: see ``ListUpdate/announcement(since:words:separator:title:)``.
public enum AnnouncedChange: Sendable {
  /// Rows are new.
  case inserted
  /// Rows were removed.
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
  ///   - former: The list that a person knows, usually after the last update; `nil` before the first list, which is no news.
  ///   - words: The words for the rows that were changed in one way, by their titles, in the order of the list; `nil` if that is not said.
  ///     The place for another language, and for what matters to a person in this list.
  ///   - separator: The text between the words for changes of several kinds.
  ///   - title: The title of a row; `nil` for one that is not said, such as a separator.
  /// - Returns: The words; `nil` if there is nothing to say.
  /// - Complexity: The cost of ``ListSnapshot/changes(to:)``, and O(c log n) for c changed rows of n, including the rows of
  ///   inserted and deleted sections.
  @inlinable
  public func announcement(
    since former: ListSnapshot<Section, Row>?,
    words: (AnnouncedChange, [String]) -> String? = AnnouncedChange.english(), separator: String = ", ",
    title: (Row) -> String?
  ) -> String? {
    former.flatMap { announcement(of: $0.changes(to: snapshot), since: $0, words, separator, title) }
  }

  @usableFromInline
  func announcement(
    of changes: ListChanges, since former: ListSnapshot<Section, Row>, _ words: (AnnouncedChange, [String]) -> String?,
    _ separator: String, _ title: (Row) -> String?
  ) -> String? {
    let map = PathMap(changes, from: former, to: snapshot)
    let deleted = former.paths(changes.rows.deletes, andOfSections: changes.sections.deletes)
    var inserted: [RowPath] = []
    var (updated, moved) = (changes.rows.updates.map { $0.to }, changes.rows.moves.map { $0.to })
    for path in snapshot.paths(changes.rows.inserts, andOfSections: changes.sections.inserts) {
      if let origin = map.origin(of: path) {
        // It was removed with one section and inserted with another one.
        if areUnchanged(former.row(at: origin), snapshot.row(at: path)) {
          moved.append(path)
        } else {
          updated.append(path)
        }
      } else {
        inserted.append(path)
      }
    }
    let isUpdated = Set(updated)
    var parts: [String] = []
    func say(_ change: AnnouncedChange, _ paths: [RowPath], _ list: ListSnapshot<Section, Row>) {
      let titles = paths.compactMap { title(list.row(at: $0)) }
      if !titles.isEmpty, let part = words(change, titles) { parts.append(part) }
    }
    say(.inserted, inserted, snapshot)
    say(.deleted, deleted.filter { map.destination(of: $0) == nil }, former)
    say(.updated, updated.ascending, snapshot)
    say(.moved, moved.ascending.filter { !isUpdated.contains($0) }, snapshot)
    return parts.isEmpty ? nil : parts.joined(separator: separator)
  }
}

extension ListSnapshot {
  /// Some rows, and the rows of some sections, in order.
  fileprivate func paths(_ paths: [RowPath], andOfSections sections: [Int]) -> [RowPath] {
    var paths = paths
    for section in sections {
      for row in 0..<rowCount(inSection: section) { paths.append(RowPath(section: section, row: row)) }
    }
    return paths.ascending
  }
}

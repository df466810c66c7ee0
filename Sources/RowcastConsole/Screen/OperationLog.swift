import RowcastDiff
import RowcastTable

/// The latest operations of a list, in the notation of UIKit, one line for each kind of operation of an update.
///
///     #131 - deleteRows [0, 4]
///     #131 + insertRows [1, 0] [1, 4...9]
///     #131 > moveRow [0, 3] → [1, 1]
///
/// Deletions, reloads and the origins of moves stand before the update, everything else after it.
struct OperationLog {
  struct Entry: Equatable {
    let revision: Int
    let mark: RowMark
    let text: String
  }

  /// The most lines that are kept.
  var limit = 500
  /// The lines, oldest first.
  private(set) var entries: [Entry] = []

  /// Adds the operations of an update.
  ///
  /// - Complexity: O(k log k) for k operations.
  mutating func add(_ changes: ListChanges, revision: Int) {
    func add(_ mark: RowMark, _ name: String, _ places: String) {
      if !places.isEmpty { entries.append(Entry(revision: revision, mark: mark, text: "\(name) \(places)")) }
    }
    let (sections, rows) = (changes.sections, changes.rows)
    add(.deleted, "deleteSections", Self.list(sections.deletes) { "\($0)" })
    add(.deleted, "deleteRows", Self.paths(rows.deletes))
    add(.inserted, "insertSections", Self.list(sections.inserts) { "\($0)" })
    add(.inserted, "insertRows", Self.paths(rows.inserts))
    add(.moved(from: nil), "moveSection", Self.list(sections.moves) { "\($0.from) → \($0.to)" })
    add(.moved(from: nil), "moveRow", Self.list(rows.moves) { "\($0.from.indexPath) → \($0.to.indexPath)" })
    add(.updated, "reloadSections", Self.list(sections.updates) { "\($0.from)" })
    add(.updated, "reloadRows", Self.paths(rows.updates.map(\.from)))
    if entries.count > limit { entries.removeFirst(entries.count - limit / 2) }
    assert(
      entries.count <= limit && entries.suffix(9).allSatisfy { $0.revision <= revision },
      "\(entries.count) lines, of \(limit) that are kept, to revision \(revision): \(entries.suffix(9))")
  }

  /// The most places that a line names.
  private static var named: Int { 12 }

  private static func list<Element>(
    _ elements: some Collection<Element>, _ text: (Element) -> String
  ) -> String {
    let rest = elements.count - named
    return elements.prefix(named).map(text).joined(separator: ", ") + (rest > 0 ? ", … \(rest) more" : "")
  }

  /// Paths, neighbours as ranges.
  private static func paths(_ paths: [RowPath]) -> String {
    let stretches = paths.stretches.prefix(named)
    let words = stretches.map { start, count in
      count == 1 ? start.indexPath : "[\(start.section), \(start.row)...\(start.row + count - 1)]"
    }
    let rest = paths.count - stretches.reduce(0) { $0 + $1.count }
    return words.joined(separator: " ") + (rest > 0 ? " … \(rest) more" : "")
  }
}

extension RowPath {
  /// The path as UIKit's index paths are printed.
  var indexPath: String { "[\(section), \(row)]" }
}

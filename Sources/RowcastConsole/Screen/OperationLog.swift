import RowcastDiff
import RowcastTable

/// The latest operations of a list, in the notation of UIKit, one line for each kind of operation of an update.
///
///     #131 - deleteRows [0, 4]
///     #131 + insertRows [1, 0] [1, 4...9]
///     #131 > moveRow [0, 3] → [1, 1]
///
/// Deletions, reloads and the origins of moves use positions before the update, everything else those after it.
struct OperationLog {
  /// The maximum number of entries.
  var limit = 500
  /// The entries, oldest first.
  private(set) var entries: [(revision: Int, mark: TextStyle, text: String)] = []

  /// Adds the operations of an update.
  ///
  /// - Complexity: O(k log k) for k operations.
  mutating func add(_ changes: ListChanges, revision: Int) {
    func add(_ mark: TextStyle, _ name: String, _ places: String) {
      if !places.isEmpty { entries.append((revision, mark, "\(name) \(places)")) }
    }
    let (sections, rows) = (changes.sections, changes.rows)
    add(.deleted, "deleteSections", Self.list(sections.deletes) { "\($0)" })
    add(.deleted, "deleteRows", Self.paths(rows.deletes))
    add(.inserted, "insertSections", Self.list(sections.inserts) { "\($0)" })
    add(.inserted, "insertRows", Self.paths(rows.inserts))
    add(.moved, "moveSection", Self.list(sections.moves) { "\($0.from) → \($0.to)" })
    add(.moved, "moveRow", Self.list(rows.moves) { "\($0.from.indexPath) → \($0.to.indexPath)" })
    add(.updated, "reloadSections", Self.list(sections.updates) { "\($0.from)" })
    add(.updated, "reloadRows", Self.paths(rows.updates.map(\.from)))
    if entries.count > limit { entries.removeFirst(entries.count - limit / 2) }
    assert(
      entries.count <= limit && entries.suffix(9).allSatisfy { $0.revision <= revision },
      "\(entries.count) of at most \(limit) entries, to revision \(revision): \(entries.suffix(9))")
  }

  /// The maximum number of places in an entry.
  private static var namedCount: Int { 12 }

  private static func list<Element>(_ elements: [Element], _ text: (Element) -> String) -> String {
    let rest = elements.count - namedCount
    return elements.prefix(namedCount).map(text).joined(separator: ", ") + (rest > 0 ? ", … \(rest) more" : "")
  }

  /// Paths, with neighbours as ranges.
  private static func paths(_ paths: [RowPath]) -> String {
    let stretches = paths.stretches.prefix(namedCount)
    let words = stretches.map { start, count in
      count == 1 ? start.indexPath : "[\(start.section), \(start.row)...\(start.row + count - 1)]"
    }
    let rest = paths.count - stretches.reduce(0) { $0 + $1.count }
    return words.joined(separator: " ") + (rest > 0 ? " … \(rest) more" : "")
  }

  /// The pane of the latest operations, the newest at the bottom.
  func lines(columns: Int, height: Int) -> [StyledLine] {
    guard height > 0 else { return [] }
    let latest = entries.suffix(height - 1)
    // Revisions are aligned, whatever their length.
    let digits = latest.map { String($0.revision).count }.max() ?? 0
    return [StyledLine("operations", .strong, columns: columns)]
      + latest.map { entry in
        var line = StyledLine(columns: columns)
        line.append(" \("#\(entry.revision)".padded(toColumns: digits + 1, trailing: true)) ", .faint)
        line.append(entry.mark.sign, entry.mark)
        line.append(" \(entry.text)")
        return line
      }
  }
}

extension RowPath {
  /// The path as UIKit prints index paths.
  var indexPath: String { "[\(section), \(row)]" }
}

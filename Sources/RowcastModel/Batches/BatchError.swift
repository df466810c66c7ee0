import RowcastDiff

/// The refusal of a batch, in the words of UIKit, with the batch and both sets of counts.
public struct BatchError: Error, Hashable {
  /// The rule that was broken first.
  package let rule: BatchRule
  /// The message that UIKit would print.
  package let message: String
  /// The operations that broke the rule, or the section whose counts disagree.
  package let places: [BatchPlace]
  /// The changes that were refused. Their operations need not be sorted.
  let changes: ListChanges
  /// The row count of each section before the batch.
  package let rowCountsBefore: [Int]
  /// The row count of each section after the batch.
  package let rowCountsAfter: [Int]
}

/// The rule of strict tables that a batch broke.
///
/// Rules of the kind that make UIKit raise an exception, numbered as in this project's rule list. Its rules about reloads need no
/// check: changes have no reloads.
package enum BatchRule: String, Hashable, Sendable, CaseIterable {
  /// A content update names a row or section that does not exist before or after the batch.
  case updateOutOfBounds = "A3"
  /// A deletion shares its source with a move.
  case deleteAndMove = "A5"
  /// A deletion names a place that does not exist before the batch.
  case deleteOutOfBounds = "A6"
  /// An insertion shares its destination with a move.
  case insertAndMove = "A7"
  /// An insertion names a place that does not exist after the batch.
  case insertOutOfBounds = "A8"
  /// A move starts or ends at a place that does not exist.
  case moveOutOfBounds = "A9"
  /// One source has two destinations, or two sources have one.
  case ambiguousMove = "A10"
  /// The section counts do not add up.
  case sectionCount = "A11"
  /// The row counts of a section do not add up.
  case rowCount = "A12"
  /// A row operation lies inside a section that the batch deletes or inserts.
  case rowInVanishingSection = "A13"
  /// A row is moved out of a deleted section or into an inserted one.
  case moveAcrossVanishingSection = "A14"
  /// A row operation lies inside a section that the batch moves.
  case rowInMovedSection = "A15"
  /// The batch has an operation twice.
  case duplicateOperation = "A16"
  /// The batch does not lead to the data: a survivor is not where it should be.
  case otherData = "A18"
}

extension BatchError: CustomStringConvertible {
  /// The rule's number and the message, the places, and a dump of both sides with the operations there.
  ///
  ///     A12: Invalid update: invalid number of rows in section 0. …
  ///     at: section 0 before, section 0 after
  ///     before: 2 sections, 4 rows
  ///       section 0: 3 rows; deletes 1
  ///       section 1: 1 row
  ///     after: 2 sections, 4 rows
  ///       section 0: 3 rows
  ///       section 1: 1 row
  public var description: String {
    """
    \(rule.rawValue): \(message)
    at: \(places.isEmpty ? "the list as a whole" : places.map(\.description).joined(separator: ", "))
    before: \(text(after: false, rowCountsBefore))
    after: \(text(after: true, rowCountsAfter))
    """
  }

  /// The greatest number of sections of a side, and of rows of a section, that are spelled out.
  private var limit: Int { 20 }

  /// One side of the changes in words: its counts, and the operations on each section. If there are many sections or rows, only
  /// the first ones and those with operations.
  private func text(after isAfter: Bool, _ counts: [Int]) -> String {
    let (sections, rows) = (changes.sections, changes.rows)
    let paths = rows.changed(after: isAfter) + rows.moving(after: isAfter)
    let named = Set(
      sections.changed(after: isAfter) + sections.moving(after: isAfter) + paths.map { $0.section })
    let known = counts.indices.filter { named.contains($0) } + counts.indices.filter { !named.contains($0) }
    var text = "\(number(counts.count, "section")), \(number(counts.reduce(0, +), "row"))"
    for section in Array(known.prefix(limit)).ascending { text += line(section, after: isAfter, counts) }
    if counts.count > limit { text += "\n  … and \(counts.count - limit) more sections" }
    // Operations on sections that do not exist tell the most.
    for section in Array(named.filter { !counts.indices.contains($0) }).ascending.prefix(limit) {
      text += line(section, after: isAfter, counts)
    }
    return text
  }

  /// A section on one side, and its operations.
  private func line(_ section: Int, after isAfter: Bool, _ counts: [Int]) -> String {
    let (sections, rows) = (changes.sections, changes.rows)
    var text = "\n  section \(section): "
    text += counts.indices.contains(section) ? number(counts[section], "row") : "does not exist"
    for index in sections.changed(after: isAfter) where index == section {
      text += isAfter ? "; inserted" : "; deleted"
    }
    for move in sections.moves where (isAfter ? move.to : move.from) == section {
      text += isAfter ? "; moved from \(move.from)" : "; moved to \(move.to)"
    }
    var (changed, moved): ([String], [String]) = ([], [])
    for path in rows.changed(after: isAfter) where path.section == section { changed.append("\(path.row)") }
    for move in rows.moves where (isAfter ? move.to : move.from).section == section {
      moved.append(isAfter ? "\(move.to.row)←\(move.from)" : "\(move.from.row)→\(move.to)")
    }
    return text + list(isAfter ? "inserts" : "deletes", changed) + list(isAfter ? "receives" : "moves", moved)
  }

  private func list(_ verb: String, _ rows: [String]) -> String {
    if rows.isEmpty { return "" }
    let rest = rows.count > limit ? " … \(rows.count) in all" : ""
    return "; \(verb) " + rows.prefix(limit).joined(separator: " ") + rest
  }

  private func number(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

/// The refusal of a batch, in the words of UIKit, with the batch and both sets of counts.
public struct BatchError: Error, Hashable {
  /// The rule that was broken first.
  package let rule: BatchRule
  /// The message that UIKit would print.
  package let message: String
  /// The operations that broke the rule, or the section whose counts disagree.
  package let places: [BatchPlace]
  /// The batch that was refused.
  package let batch: TableBatch
  /// The row count of each section before the batch.
  package let rowCountsBefore: [Int]
  /// The row count of each section after the batch.
  package let rowCountsAfter: [Int]
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
    before: \(batch.text(after: false, rowCountsBefore))
    after: \(batch.text(after: true, rowCountsAfter))
    """
  }
}

/// The rule of strict tables that a batch broke.
///
/// Rules of the kind that make UIKit raise an exception; the numbers are those of this project's rule list.
package enum BatchRule: String, Hashable, Sendable, CaseIterable {
  /// A content update names a row or section that does not exist before or after the batch.
  case updateOutOfBounds = "A3"
  /// A row or section is both deleted and reloaded.
  case deleteAndReload = "A4"
  /// A deletion or a reload shares its source with a move.
  case deleteAndMove = "A5"
  /// A deletion or a reload names a place that does not exist before the batch.
  case deleteOutOfBounds = "A6"
  /// An insertion, or in a strict batch a reload, shares its destination with a move.
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
  /// A row operation lies inside a section that the batch deletes, inserts or reloads.
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

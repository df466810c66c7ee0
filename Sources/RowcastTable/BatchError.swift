/// The rule of strict tables that a batch broke.
///
/// Rules of the kind that make UIKit raise an exception; the numbers are those of this project's rule list.
public enum BatchRule: String, Hashable, Sendable, CaseIterable {
  /// A content update names a row or section that does not exist before or after the batch.
  case updateOutOfBounds = "A3"
  /// A deletion and a move share their source.
  case deleteAndMove = "A5"
  /// A deletion names what does not exist before the batch.
  case deleteOutOfBounds = "A6"
  /// An insertion and a move share their destination.
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
}

/// Why a batch was refused, in the words of UIKit, with both sets of counts.
public struct BatchError: Error, Hashable {
  /// The rule that was broken first.
  public let rule: BatchRule
  /// What UIKit would say.
  public let message: String
  /// The row count of each section before the batch.
  public let rowCountsBefore: [Int]
  /// The row count of each section after the batch.
  public let rowCountsAfter: [Int]
}

extension BatchError: CustomStringConvertible {
  /// The rule's number, the message, and the row counts of both sides.
  public var description: String {
    """
    \(rule.rawValue): \(message)
    before: \(rowCountsBefore.count) sections with \(rowCountsBefore) rows
    after: \(rowCountsAfter.count) sections with \(rowCountsAfter) rows
    """
  }
}

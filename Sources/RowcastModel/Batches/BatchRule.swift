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

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

import RowcastDiff

/// Binary search, for lists that are kept in an order.
extension ListSnapshot {
  /// The number of rows of a section before the first one that belongs to the second part of it.
  ///
  /// - Parameters:
  ///   - section: The index of the section, whose rows are partitioned.
  ///   - belongsInSecondPartition: `false` for all rows up to some place, `true` for all from there on.
  /// - Returns: An index in the section, or its number of rows.
  /// - Complexity: O(log n) calls for n rows of the section.
  @inlinable
  package func partitioningRow(
    inSection section: Int, where belongsInSecondPartition: (Row) throws -> Bool
  ) rethrows -> Int {
    try entry(at: section).rows.partitioningIndex(where: belongsInSecondPartition)
  }

  /// The number of sections before the first one that belongs to the second part of the list.
  ///
  /// - Parameter belongsInSecondPartition: `false` for all sections up to some place, `true` for all from there on.
  /// - Returns: The index of a section, or their number.
  /// - Complexity: O(log n) calls for n sections.
  @inlinable
  package func partitioningSection(
    where belongsInSecondPartition: (Section, ListRows<Row>) throws -> Bool
  ) rethrows -> Int {
    try tree.partitioningIndex { try belongsInSecondPartition($0.model, ListRows(base: $0.rows)) }
  }

  /// Some neighbouring rows of a section.
  ///
  /// - Parameters:
  ///   - section: The index of the section.
  ///   - range: The indexes of the rows, within the section.
  /// - Returns: The rows, in order.
  /// - Complexity: O(m + log n) for m rows.
  @inlinable
  package func rows(inSection section: Int, _ range: Range<Int>) -> [Row] {
    entry(at: section).rows.elements(in: range)
  }
}

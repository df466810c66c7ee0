import RowcastDiff

/// Binary search, for lists that are kept in an order.
extension ListSnapshot {
  /// The number of rows of a section before the first one for which a condition holds. It holds for all rows behind that.
  @inlinable
  package func partitioningRow(
    inSection section: Int, where belongsInSecondPartition: (Row) throws -> Bool
  ) rethrows -> Int {
    try entry(at: section).rows.partitioningIndex(where: belongsInSecondPartition)
  }

  /// The number of sections before the first one for which a condition holds. It holds for all sections behind that.
  @inlinable
  package func partitioningSection(
    where belongsInSecondPartition: (Section, ListRows<Row>) throws -> Bool
  ) rethrows -> Int {
    try tree.partitioningIndex { try belongsInSecondPartition($0.model, ListRows(base: $0.rows)) }
  }

  /// Some neighbouring rows of a section, by their indexes in it.
  @inlinable
  package func rows(inSection section: Int, _ range: Range<Int>) -> [Row] {
    entry(at: section).rows.elements(in: range)
  }
}

import RowcastDiff

extension ListSnapshot {
  /// The number of rows of each section, from the counts of another list. Sections that both share are not read.
  ///
  /// - Complexity: O(d log s) for d of s sections that are not shared, and a copy of s integers; O(s) if sections came, went
  ///   or moved.
  @inlinable
  package func rowCounts(startingFrom other: ListSnapshot, _ counts: [Int]) -> [Int] {
    guard counts.count == sectionCount, sectionCount == other.sectionCount else { return rowCounts }
    var counts = counts
    let isSameForm = tree.forEachPair(with: other.tree) { index, section, _ in
      counts[index] = section.rows.count
      return true
    }
    return isSameForm ? counts : rowCounts
  }
}

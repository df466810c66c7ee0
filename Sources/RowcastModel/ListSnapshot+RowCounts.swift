extension ListSnapshot {
  /// The number of rows of each section, from the counts of another list. Sections that both share are not looked at.
  ///
  /// - Complexity: O(d log s) for d of s sections that are not shared, and a copy of s integers; O(s) if sections came, went
  ///   or moved.
  @inlinable
  package func rowCounts(startingFrom other: ListSnapshot, _ counts: [Int]) -> [Int] {
    guard counts.count == sectionCount, sectionCount == other.sectionCount else { return rowCounts }
    var counts = counts
    let isSameForm = unsafe other.tree.forEachChangedLeaf(tree) { old, _, new, start in
      for index in new.indices { counts[start + index] = unsafe new[index].rows.count }
      return old.count == new.count
    }
    return isSameForm ? counts : rowCounts
  }
}

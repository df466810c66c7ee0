extension ListSnapshot {
  /// The number of rows of each section.
  ///
  /// Sections that are shared with another list are not looked at.
  ///
  /// - Parameters:
  ///   - other: A list that this one may have come from.
  ///   - counts: The row counts of the sections of that list.
  /// - Returns: The row counts of the sections of this list.
  /// - Complexity: O(d log s) for d of s sections that are not shared, and a copy of s integers; O(s) if lists with
  ///   another number of sections are compared.
  @inlinable
  package func rowCounts(startingFrom other: ListSnapshot, _ counts: [Int]) -> [Int] {
    guard sectionCount == other.sectionCount, counts.count == sectionCount else { return tree.map { $0.rows.count } }
    var counts = counts
    var index = 0
    Self.countRows(of: tree.root, comparing: other.tree.root, &counts, &index)
    return counts
  }

  /// Goes through the sections of a node; those before `index` are counted.
  @inlinable
  static func countRows(
    of node: Sections.Child, comparing other: Sections.Child?, _ counts: inout [Int], _ index: inout Int
  ) {
    // A node that stands where it stood holds what it held.
    if let other, node.count == other.count, node.node.address == other.node.address {
      index += Int(node.count)
      return
    }
    switch node.node {
    case .leaf(let entries):
      for entry in entries {
        counts[index] = entry.rows.count
        index += 1
      }
    case .inner(let children):
      var others: [Sections.Child] = []
      if let other, other.count == node.count, case .inner(let found) = other.node { others = found }
      var (position, next, start) = (0, 0, 0)
      for child in children {
        // The child of the other node that starts at the same section.
        while next < others.count, start < position {
          start += Int(others[next].count)
          next += 1
        }
        let pair = next < others.count && start == position ? others[next] : nil
        countRows(of: child, comparing: pair, &counts, &index)
        position += Int(child.count)
      }
    }
  }
}

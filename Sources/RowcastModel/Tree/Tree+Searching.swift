public import RowcastDiff

extension Tree {
  /// The number of elements before the first for which a condition holds. It holds for all elements behind that.
  @inlinable
  package func partitioningIndex(where belongsInSecondPartition: (Element) throws -> Bool) rethrows -> Int {
    var start = 0
    return unsafe try withLeaf { children in
      // The last child that begins in the first part holds the border, or ends at it.
      let index = try (1..<children.count).countPrefix { index in
        var node = unsafe children.baseAddress.unsafelyUnwrapped + index
        while let children = unsafe node.pointee.node.children { unsafe node = children.baseAddress.unsafelyUnwrapped }
        return unsafe try !belongsInSecondPartition(node.pointee.node.elements[0])
      }
      start += unsafe children[..<index].reduce(0) { $0 + Int($1.count) }
      return index
    } read: { leaf in
      let elements = unsafe leaf.node.elements
      return start
        + (try (0..<elements.count).countPrefix { unsafe try !belongsInSecondPartition(elements[$0]) })
    }
  }
}

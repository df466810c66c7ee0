extension Tree {
  /// The number of elements before the first for which a condition holds, as it does for all behind: found in one descent.
  ///
  /// - Complexity: O(log n) calls.
  @inlinable
  package func partitioningIndex(where belongsInSecondPartition: (Element) throws -> Bool) rethrows -> Int {
    var start = 0
    return unsafe try withLeaf { children in
      // The last child that begins in the first part holds the border, or ends at it.
      let index = try Self.partitioningIndex(1, children.count) { index in
        unsafe try Self.withFirst(of: children.baseAddress.unsafelyUnwrapped + index, belongsInSecondPartition)
      }
      start += unsafe children[..<(index - 1)].reduce(0) { $0 + Int($1.count) }
      return index - 1
    } read: { leaf in
      let elements = unsafe leaf.node.elements
      return start
        + (try Self.partitioningIndex(0, elements.count) { unsafe try belongsInSecondPartition(elements[$0]) })
    }
  }

  /// Asks about the first element below a node.
  @inlinable
  @inline(__always)
  static func withFirst(of child: UnsafePointer<Child>, _ ask: (Element) throws -> Bool) rethrows -> Bool {
    var node = unsafe child
    while let children = unsafe node.pointee.node.children { unsafe node = children.baseAddress.unsafelyUnwrapped }
    return unsafe try ask(node.pointee.node.elements[0])
  }

  @inlinable
  static func partitioningIndex(
    _ low: Int, _ high: Int, where belongsInSecondPartition: (Int) throws -> Bool
  ) rethrows -> Int {
    var (low, high) = (low, high)
    while low < high {
      let middle = (low + high) / 2
      if try belongsInSecondPartition(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Some neighbouring elements, by their positions, as an array.
  ///
  /// - Complexity: O(m + log n) for m elements.
  @inlinable
  package func elements(in range: Range<Int>) -> [Element] {
    var found: [Element] = []
    found.reserveCapacity(range.count)
    Self.collect(root.node, in: range, into: &found)
    return found
  }

  @inlinable
  static func collect(_ node: Node, in range: Range<Int>, into found: inout [Element]) {
    switch node {
    case .leaf(let elements): found += elements[range]
    case .inner(let children):
      var start = 0
      for child in children {
        let end = start + Int(child.count)
        let part = range.clamped(to: start..<end)
        if !part.isEmpty { collect(child.node, in: part.lowerBound - start..<part.upperBound - start, into: &found) }
        if end >= range.upperBound { return }
        start = end
      }
    }
  }
}

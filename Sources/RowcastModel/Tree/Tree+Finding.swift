public import RowcastDiff

/// The numbers of the nodes from a leaf up to the root of all, in borrowed memory.
@usableFromInline typealias TreeChain = Slice<UnsafeMutableBufferPointer<Int32>>

extension NodeIndex {
  /// The most numbers of a chain: inner nodes have two children at least, and there are fewer than 2³¹ elements, in
  /// sections as in rows.
  @usableFromInline static let longestChain = 72

  /// The chain of a leaf.
  @inlinable
  func chain(from leaf: Int32, in memory: UnsafeMutableBufferPointer<Int32>) -> TreeChain {
    var (number, count) = (leaf, 0)
    while number != 0 {
      unsafe memory[count] = number
      count += 1
      number = parent(of: number)
    }
    return unsafe memory[..<count]
  }
}

extension Tree {
  /// Walks a chain of numbers down to a leaf of this tree, `nil` if it leads elsewhere. The level is the index in the chain,
  /// that of the root at first; the position becomes that of the first element of the leaf.
  @inlinable
  func leaf(along chain: TreeChain, _ level: inout Int, _ position: inout Int) -> [Element]? {
    level -= 1
    guard level >= 0, unsafe chain[level] == root.number else { return nil }
    return unsafe withUnsafePointer(to: root) { root in
      var node = unsafe root
      // References are not counted on the way: the tree is held.
      while let children = unsafe node.pointee.node.children {
        level -= 1
        guard level >= 0, let index = unsafe Self.child(of: children, numbered: chain[level], &position) else {
          return nil
        }
        unsafe node = children.baseAddress.unsafelyUnwrapped + index
      }
      guard case .leaf(let elements) = unsafe node.pointee.node else { return nil }
      return elements
    }
  }

  /// The index of the child with a number; the position is advanced by the elements before it.
  @inlinable
  static func child(of children: UnsafeBufferPointer<Child>, numbered number: Int32, _ position: inout Int) -> Int? {
    for index in children.indices {
      if unsafe children[index].number == number { return index }
      unsafe position += children[index].count
    }
    return nil
  }

  /// The position of the element with an id.
  ///
  /// - Complexity: O(log n), with one `==` for each element of a leaf at most.
  @inlinable
  package func position(of id: Kind.ID, _ nodeIndex: borrowing NodeIndex) -> Int? {
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: NodeIndex.longestChain) { memory in
      let tag = NodeIndex.tag(of: id) ^ Kind.salt
      var probe = 0
      while true {
        let number = nodeIndex.table.candidate(for: tag, &probe)
        if number == 0 { return nil }
        let chain = unsafe nodeIndex.chain(from: number, in: memory)
        var level = unsafe chain.count
        var position = 0
        guard let elements = unsafe leaf(along: chain, &level, &position), level == 0 else { continue }
        if let offset = elements.firstIndex(where: { Self.id(of: $0) == id }) { return position + offset }
      }
    }
  }

  /// The number of elements before the first for which a condition is true. It is true for all elements after that one.
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
      start += unsafe children[..<index].reduce(0) { $0 + $1.count }
      return index
    } read: { leaf in
      let elements = unsafe leaf.node.elements
      return start
        + (try (0..<elements.count).countPrefix { unsafe try !belongsInSecondPartition(elements[$0]) })
    }
  }
}

extension Tree {
  /// Checks the path to a position, in debug builds: counts, widths and depth. Whole trees are checked by tests.
  @inlinable
  func checkInvariants(around position: Int) {
    #if DEBUG
      check(root, height: height, path: Swift.min(position, Swift.max(0, count - 1)))
    #endif
  }

  /// Checks the whole tree, in debug builds, if it is small.
  @inlinable
  func checkAllInvariantsIfSmall() {
    #if DEBUG
      if count <= 256 { checkInvariants() } else { checkInvariants(around: 0) }
    #endif
  }

  /// Checks the whole tree, and its entries in a node index.
  @usableFromInline
  package func checkInvariants(_ nodeIndex: NodeIndex? = nil) { check(root, height: height, nodeIndex) }

  /// Checks a node and all below it, or only the path to a position below it.
  @usableFromInline
  func check(_ child: Child, height: Int32, _ nodeIndex: NodeIndex? = nil, path: Int? = nil) {
    let (isRoot, isLeaf) = (child.number == root.number, child.isLeaf)
    precondition(isLeaf == (height == 0), "Node \(child.number) of a tree of \(Kind.Model.self) is at height \(height)")
    // A flat tree is one leaf, of any width.
    if !(isRoot && isLeaf && child.number == 0) {
      let least = isRoot ? (isLeaf ? 0 : 2) : shape.least(inLeaf: isLeaf)
      precondition(
        least <= child.width && child.width <= shape.most(inLeaf: isLeaf),
        "Node \(child.number) is \(child.width) wide in a tree of \(shape) with \(Kind.Model.self)")
    }
    switch child.node {
    case .leaf(let elements):
      precondition(elements.count == child.count, "Leaf \(child.number) counts \(child.count), not \(elements.count)")
      for element in elements where nodeIndex?.has(Self.tag(of: element), in: child.number) == false {
        preconditionFailure("\(element) is not known in \(child.number)")
      }
    case .inner(let children):
      precondition(
        children.reduce(0) { $0 + $1.count } == child.count,
        "Node \(child.number) in a tree of \(Kind.Model.self) does not count \(child.count)")
      if var rest = path {
        let index = Self.child(of: children, at: &rest)
        return check(children[index], height: height - 1, nodeIndex, path: rest)
      }
      for grandchild in children {
        precondition(
          nodeIndex.map { $0.parent(of: grandchild.number) == child.number } ?? true,
          "Node \(grandchild.number) is not known in \(child.number)")
        check(grandchild, height: height - 1, nodeIndex)
      }
    }
  }

  func leafNumber(at position: Int) -> Int32 {
    var child = root
    var rest = position
    while case .inner(let children) = child.node { child = children[Self.child(of: children, at: &rest)] }
    return child.number
  }
}

extension NodeIndex {
  func has(_ tag: UInt32, in leaf: Int32) -> Bool {
    var probe = 0
    while true {
      let candidate = table.candidate(for: tag, &probe)
      if candidate == leaf || candidate == 0 { return candidate == leaf }
    }
  }
}

extension Tree {
  /// Checks the path to a position, in debug builds: counts, widths and depth. Whole trees are checked by tests.
  @inlinable
  @inline(__always)
  func checkInvariants(around position: Int) {
    #if DEBUG
      checkPath(to: position)
    #endif
  }

  /// Checks the whole tree, in debug builds, if that takes no longer than what was just done.
  @inlinable
  @inline(__always)
  func checkAllInvariantsIfSmall() {
    #if DEBUG
      if count <= 256 { checkInvariants() } else { checkPath(to: 0) }
    #endif
  }

  @usableFromInline
  func checkPath(to position: Int) {
    var child = root
    var rest = Swift.min(position, Swift.max(0, count - 1))
    var level = height
    while case .inner(let children) = child.node {
      checkWidth(of: child, isRoot: child.number == root.number)
      precondition(level > 0, "The tree of \(Kind.Model.self) is higher than \(height)")
      precondition(
        children.reduce(0) { $0 + $1.count } == child.count,
        "Node \(child.number) in a tree of \(Kind.Model.self) does not count \(child.count)")
      child = children[Self.child(of: children, at: &rest)]
      level -= 1
    }
    precondition(level == 0, "The tree of \(Kind.Model.self) is lower than \(height)")
    checkWidth(of: child, isRoot: child.number == root.number)
  }

  func leafNumber(at position: Int) -> Int32 {
    var child = root
    var rest = position
    while case .inner(let children) = child.node { child = children[Self.child(of: children, at: &rest)] }
    return child.number
  }

  private func checkWidth(of child: Child, isRoot: Bool) {
    let isLeaf = child.isLeaf
    // A flat tree is one leaf, of any width.
    if isRoot && isLeaf && child.number == 0 { return }
    precondition(
      child.width <= shape.most(inLeaf: isLeaf) && (child.width >= (isLeaf ? 1 : 2) || isRoot && isLeaf),
      "Node \(child.number) is \(child.width) wide in a tree of \(shape) with \(Kind.Model.self)")
    precondition(
      isRoot || child.width >= shape.least(inLeaf: isLeaf),
      "Node \(child.number) is only \(child.width) wide in a tree of \(shape) with \(Kind.Model.self)")
  }

  /// Checks the whole tree, and what a node index says about it.
  ///
  /// - Complexity: O(n).
  @usableFromInline
  package func checkInvariants(_ nodeIndex: NodeIndex? = nil) {
    var elements = 0
    check(root, height: height, nodeIndex, &elements)
    precondition(elements == count, "The tree of \(Kind.Model.self) counts \(count) elements and has \(elements)")
  }

  private func check(_ child: Child, height: Int32, _ nodeIndex: NodeIndex?, _ elements: inout Int) {
    checkWidth(of: child, isRoot: child.number == root.number)
    switch child.node {
    case .leaf(let leaf):
      precondition(height == 0, "A leaf is at height \(height)")
      precondition(leaf.count == child.count, "Leaf \(child.number) does not count \(child.count)")
      elements += leaf.count
      guard let nodeIndex else { return }
      for element in leaf {
        precondition(
          nodeIndex.has(Self.tag(of: element), in: child.number), "\(element) is not known in \(child.number)")
      }
    case .inner(let children):
      precondition(children.reduce(0) { $0 + $1.count } == child.count, "Node \(child.number) counts \(child.count)")
      for grandchild in children {
        precondition(
          nodeIndex.map { $0.parent(of: grandchild.number) == child.number } ?? true,
          "Node \(grandchild.number) is not known in \(child.number)")
        check(grandchild, height: height - 1, nodeIndex, &elements)
      }
    }
  }
}

extension NodeIndex {
  func has(_ tag: UInt32, in leaf: Int32) -> Bool {
    var probe = 0
    while true {
      let candidate = table.candidate(for: tag, &probe)
      if candidate == leaf { return true }
      if candidate == 0 { return false }
    }
  }
}

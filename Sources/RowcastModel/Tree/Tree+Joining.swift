extension Tree {
  /// Appends another tree to this one. The node index has the ids of both trees, and those of the result.
  ///
  /// - Complexity: O(|difference of the heights|): O(log n).
  @inlinable
  package mutating func append(_ other: Tree, _ nodeIndex: inout NodeIndex) {
    if other.count == 0 { return nodeIndex.free(other.root.number) }
    if count == 0 {
      nodeIndex.free(root.number)
      self = other
      return
    }
    let pair: [Child]
    if height >= other.height {
      pair = Self.join(root, other.root, climb: height - other.height, toTheRight: true, shape, &nodeIndex)
    } else {
      let climb = other.height - height
      height = other.height
      pair = Self.join(other.root, root, climb: climb, toTheRight: false, shape, &nodeIndex)
    }
    root = pair[0]
    if pair.count > 1 { grow(pair[1], parent: 0, &nodeIndex) }
    collapse(&nodeIndex)
    checkAllInvariantsIfSmall()
  }

  /// Hangs a tree `climb` levels lower into the edge of another. Returns one node or two, as high as the taller tree.
  @inlinable
  static func join(
    _ tall: Child, _ low: Child, climb: Int32, toTheRight: Bool, _ shape: TreeShape, _ nodeIndex: inout NodeIndex
  ) -> [Child] {
    let isLeaf = tall.isLeaf
    if climb == 0 {
      let (left, right) = toTheRight ? (tall, low) : (low, tall)
      let least = shape.least(inLeaf: isLeaf)
      if left.width >= least && right.width >= least { return [left, right] }
      return level(left, right, shape, &nodeIndex)
    }
    guard case .inner(var children) = tall.node else { preconditionFailure("A leaf cannot be the taller tree") }
    let edge = toTheRight ? children.count - 1 : 0
    let pair = join(children[edge], low, climb: climb - 1, toTheRight: toTheRight, shape, &nodeIndex)
    children.replaceSubrange(edge...edge, with: pair)
    link(children[edge..<edge + pair.count], to: tall.number, &nodeIndex)
    // The nodes at the edge may be narrow, as the roots of both trees may be.
    repair(&children, at: toTheRight ? children.count - 1 : 0, isLeaf: children[edge].isLeaf, shape, &nodeIndex)
    var child = Child(inner: children, number: tall.number)
    if children.count <= shape.fanOut { return [child] }
    let right = splitInner(&children, of: &child, after: toTheRight ? children.count - 1 : 1, &nodeIndex)
    return [child, right]
  }

  /// Cuts the tree in two: the elements before a position, and the others.
  @inlinable
  package consuming func split(at position: Int, _ nodeIndex: inout NodeIndex) -> (head: Tree, tail: Tree) {
    precondition(position >= 0 && position <= count, "Position \(position) is out of range 0...\(count)")
    nodeIndex.link(root.number, to: 0)
    if position == 0 { return (Tree(shape: shape, &nodeIndex), self) }
    if position == count { return (self, Tree(shape: shape, &nodeIndex)) }
    let parts = Self.split(root, at: position, height: height, shape, &nodeIndex)
    parts.head.checkInvariants(around: position - 1)
    parts.tail.checkInvariants(around: 0)
    return parts
  }

  @inlinable
  static func split(
    _ child: Child, at offset: Int, height: Int32, _ shape: TreeShape, _ nodeIndex: inout NodeIndex
  ) -> (head: Tree, tail: Tree) {
    switch child.node {
    case .leaf(let elements):
      let number = nodeIndex.makeNumber()
      transfer(elements[offset...], from: child.number, to: number, &nodeIndex)
      return (
        Tree(root: Child(leaf: Array(elements[..<offset]), number: child.number), height: 0, shape: shape),
        Tree(root: Child(leaf: Array(elements[offset...]), number: number), height: 0, shape: shape)
      )
    case .inner(let children):
      nodeIndex.free(child.number)
      var rest = offset
      let index = Self.child(of: children, at: &rest)
      var head = tree(of: children[..<index], height: height, shape, &nodeIndex)
      let tail = tree(of: children[(index + 1)...], height: height, shape, &nodeIndex)
      nodeIndex.link(children[index].number, to: 0)
      if rest == 0 {
        var middle = Tree(root: children[index], height: height - 1, shape: shape)
        middle.append(tail, &nodeIndex)
        return (head, middle)
      }
      var parts = split(children[index], at: rest, height: height - 1, shape, &nodeIndex)
      head.append(parts.head, &nodeIndex)
      parts.tail.append(tail, &nodeIndex)
      return (head, parts.tail)
    }
  }

  /// The tree of some neighbouring children of a node that no longer exists.
  @inlinable
  static func tree(
    of children: ArraySlice<Child>, height: Int32, _ shape: TreeShape, _ nodeIndex: inout NodeIndex
  ) -> Tree {
    guard let first = children.first else { return Tree(shape: shape, &nodeIndex) }
    if children.count == 1 {
      nodeIndex.link(first.number, to: 0)
      return Tree(root: first, height: height - 1, shape: shape)
    }
    return Tree(root: makeInner(Array(children), &nodeIndex), height: height, shape: shape)
  }

  /// Replaces a range by elements: a splice.
  ///
  /// - Complexity: O(log n + m) for m elements that are inserted or removed; the others are not touched.
  @inlinable
  package mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some RandomAccessCollection<Element>, _ nodeIndex: inout NodeIndex
  ) {
    let parent = nodeIndex.parent(of: root.number)
    var head: Tree
    let middle: Tree
    let tail: Tree
    (head, tail) = split(at: range.upperBound, &nodeIndex)
    (head, middle) = head.split(at: range.lowerBound, &nodeIndex)
    middle.removeAll(from: &nodeIndex)
    head.append(Tree(elements, shape: shape, &nodeIndex), &nodeIndex)
    head.append(tail, &nodeIndex)
    self = head
    nodeIndex.link(root.number, to: parent)
    checkAllInvariantsIfSmall()
  }
}

extension Tree {
  /// Puts another tree behind this one. Both trees' ids are in the ledger, as are the result's.
  ///
  /// - Complexity: O(|difference of the heights|): O(log n).
  @inlinable
  package mutating func append(_ other: Tree, _ ledger: inout TreeLedger) {
    if other.count == 0 { return ledger.retire(other.root.number) }
    if count == 0 {
      ledger.retire(root.number)
      self = other
      return
    }
    let pair: [Child]
    if height >= other.height {
      pair = Self.join(root, other.root, climb: height - other.height, toTheRight: true, shape, &ledger)
    } else {
      let climb = other.height - height
      height = other.height
      pair = Self.join(other.root, root, climb: climb, toTheRight: false, shape, &ledger)
    }
    root = pair[0]
    if pair.count > 1 { grow(pair[1], parent: 0, &ledger) }
    collapse(&ledger)
    checkAllInvariantsIfSmall()
  }

  /// Hangs a tree that is `climb` levels lower into the edge of another one.
  ///
  /// - Returns: One node or two, as high as the taller tree.
  @inlinable
  static func join(
    _ tall: Child, _ low: Child, climb: Int32, toTheRight: Bool, _ shape: TreeShape, _ ledger: inout TreeLedger
  ) -> [Child] {
    let isLeaf = tall.isLeaf
    if climb == 0 {
      let (left, right) = toTheRight ? (tall, low) : (low, tall)
      let least = shape.least(inLeaf: isLeaf)
      if left.width >= least && right.width >= least { return [left, right] }
      return level(left, right, shape, &ledger)
    }
    guard case .inner(var children) = tall.node else { preconditionFailure("A leaf cannot be the taller tree") }
    let edge = toTheRight ? children.count - 1 : 0
    let pair = join(children[edge], low, climb: climb - 1, toTheRight: toTheRight, shape, &ledger)
    children.replaceSubrange(edge...edge, with: pair)
    link(children[edge..<edge + pair.count], to: tall.number, &ledger)
    var child = Child(inner: children, number: tall.number)
    // The nodes at the edge may be narrow: the tall tree's root is, and so was the low one's.
    mend(&children, at: toTheRight ? children.count - 1 : 0, isLeaf: children[edge].isLeaf, shape, &ledger)
    if children.count > Int(shape.fanOut) {
      let right = splitInner(&children, of: &child, after: toTheRight ? children.count - 1 : 1, &ledger)
      return [child, right]
    }
    return [Child(inner: children, number: tall.number)]
  }

  /// Cuts the tree in two: the elements before a position, and the others.
  ///
  /// - Complexity: O(log n).
  @inlinable
  package consuming func split(at position: Int, _ ledger: inout TreeLedger) -> (head: Tree, tail: Tree) {
    precondition(position >= 0 && position <= count, "Position \(position) is out of range 0...\(count)")
    ledger.link(root.number, to: 0)
    if position == 0 { return (Tree(shape: shape, &ledger), self) }
    if position == count { return (self, Tree(shape: shape, &ledger)) }
    return Self.split(root, at: position, height: height, shape, &ledger)
  }

  @inlinable
  static func split(
    _ child: Child, at offset: Int, height: Int32, _ shape: TreeShape, _ ledger: inout TreeLedger
  ) -> (head: Tree, tail: Tree) {
    switch child.node {
    case .leaf(let elements):
      let number = ledger.makeNumber()
      transfer(elements[offset...], from: child.number, to: number, &ledger)
      return (
        Tree(root: Child(leaf: Array(elements[..<offset]), number: child.number), height: 0, shape: shape),
        Tree(root: Child(leaf: Array(elements[offset...]), number: number), height: 0, shape: shape)
      )
    case .inner(let children):
      ledger.retire(child.number)
      var rest = offset
      let index = Self.child(of: children, at: &rest)
      var head = tree(of: children[..<index], height: height, shape, &ledger)
      let tail = tree(of: children[(index + 1)...], height: height, shape, &ledger)
      ledger.link(children[index].number, to: 0)
      if rest == 0 {
        var middle = Tree(root: children[index], height: height - 1, shape: shape)
        middle.append(tail, &ledger)
        return (head, middle)
      }
      var (left, right) = split(children[index], at: rest, height: height - 1, shape, &ledger)
      head.append(left, &ledger)
      right.append(tail, &ledger)
      left = head
      return (left, right)
    }
  }

  /// The tree of some neighbouring children of a node that is no more.
  @inlinable
  static func tree(
    of children: ArraySlice<Child>, height: Int32, _ shape: TreeShape, _ ledger: inout TreeLedger
  ) -> Tree {
    guard let first = children.first else { return Tree(shape: shape, &ledger) }
    if children.count == 1 {
      ledger.link(first.number, to: 0)
      return Tree(root: first, height: height - 1, shape: shape)
    }
    return Tree(root: makeInner(Array(children), &ledger), height: height, shape: shape)
  }

  /// Puts elements in the place of a range: a splice.
  ///
  /// - Complexity: O(log n + m) for m elements that come or go; those that stay are not touched.
  @inlinable
  package mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some RandomAccessCollection<Element>, _ ledger: inout TreeLedger
  ) {
    let parent = ledger.parent(of: root.number)
    var head: Tree
    let middle: Tree
    let tail: Tree
    (head, tail) = split(at: range.upperBound, &ledger)
    (head, middle) = head.split(at: range.lowerBound, &ledger)
    middle.dissolve(&ledger)
    head.append(Tree(elements, shape: shape, &ledger), &ledger)
    head.append(tail, &ledger)
    self = head
    ledger.link(root.number, to: parent)
    checkAllInvariantsIfSmall()
  }
}

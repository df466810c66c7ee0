extension Tree {
  @inlinable
  package mutating func insert(_ element: Element, at position: Int, _ nodeIndex: inout NodeIndex) {
    precondition(position >= 0 && position <= count, "Position \(position) is out of range 0...\(count)")
    let parent = nodeIndex.parent(of: root.number)
    if let sibling = Self.insert(element, at: position, in: &root, shape, &nodeIndex) {
      grow(sibling, parent: parent, &nodeIndex)
    }
    checkInvariants(around: position)
  }

  /// Puts a new root above the root and its new sibling.
  @inlinable
  mutating func grow(_ sibling: Child, parent: Int32, _ nodeIndex: inout NodeIndex) {
    root = Self.makeInner([root, sibling], &nodeIndex)
    nodeIndex.link(root.number, to: parent)
    height += 1
  }

  /// - Returns: The node to the right of the child, if the child had to be split.
  @inlinable
  static func insert(
    _ element: Element, at offset: Int, in child: inout Child, _ shape: TreeShape, _ nodeIndex: inout NodeIndex
  ) -> Child? {
    switch child.node {
    case .leaf(var elements):
      child.node = .leaf([])
      return insert(element, at: offset, into: &elements, of: &child, shape, &nodeIndex)
    case .inner(var children):
      child.node = .leaf([])
      child.count &+= 1
      var rest = offset
      let index = Self.child(of: children, at: &rest)
      if let sibling = insert(element, at: rest, in: &children[index], shape, &nodeIndex) {
        children.reserveCapacity(shape.fanOut + 1)
        children.insert(sibling, at: index + 1)
        link(children[index...index + 1], to: child.number, &nodeIndex)
        if children.count > shape.fanOut {
          return splitInner(&children, of: &child, after: index + 1, &nodeIndex)
        }
      }
      child.node = .inner(children)
      return nil
    }
  }

  /// Puts an element into a leaf whose elements are in hand.
  @inlinable
  static func insert(
    _ element: Element, at offset: Int, into elements: inout [Element], of child: inout Child, _ shape: TreeShape,
    _ nodeIndex: inout NodeIndex
  ) -> Child? {
    if elements.count < shape.leaf {
      // Without asking for room, a leaf in other hands would be copied to twice its size. Room for more than the next few would
      // be a third of the memory of a list.
      elements.reserveCapacity((elements.count + 4) & ~3)
      elements.insert(element, at: offset)
      register(element, leaf: child.number, &nodeIndex)
      child = Child(leaf: elements, number: child.number)
      return nil
    }
    let cut = Self.cut(elements.count, insertedAt: offset)
    let number = nodeIndex.makeNumber()
    var left = Child(leaf: Array(elements[..<cut]), number: child.number)
    var right = Child(leaf: Array(elements[cut...]), number: child.number)
    // The smaller half gets the new number: fewer elements change theirs.
    if cut * 2 < elements.count {
      left.number = number
      transfer(elements[..<cut], from: child.number, to: number, &nodeIndex)
    } else {
      right.number = number
      transfer(elements[cut...], from: child.number, to: number, &nodeIndex)
    }
    elements = []
    child = left
    if offset < cut || (offset == cut && left.count < right.count) {
      _ = insert(element, at: offset, in: &child, shape, &nodeIndex)
    } else {
      _ = insert(element, at: offset - cut, in: &right, shape, &nodeIndex)
    }
    return right
  }

  /// Where to cut a full node. Appending and prepending result in well filled nodes, not half empty ones.
  @inlinable
  static func cut(_ count: Int, insertedAt offset: Int) -> Int {
    offset >= count ? count - Swift.max(1, count / 4) : offset == 0 ? Swift.max(1, count / 4) : count / 2
  }

  /// Splits an inner node that has become too wide.
  @inlinable
  static func splitInner(
    _ children: inout [Child], of child: inout Child, after index: Int, _ nodeIndex: inout NodeIndex
  ) -> Child {
    let count = children.count
    let cut = index >= count - 1 ? count - Swift.max(2, count / 4) : index == 1 ? Swift.max(2, count / 4) : count / 2
    let number = nodeIndex.makeNumber()
    var left = Child(inner: Array(children[..<cut]), number: child.number)
    var right = Child(inner: Array(children[cut...]), number: child.number)
    if cut * 2 < count {
      left.number = number
      link(children[..<cut], to: number, &nodeIndex)
    } else {
      right.number = number
      link(children[cut...], to: number, &nodeIndex)
    }
    children = []
    child = left
    return right
  }
}

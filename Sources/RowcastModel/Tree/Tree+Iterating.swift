/// Reads a tree from left to right.
///
/// It follows pointers into the arrays of the nodes, so that advancing counts no references. The pointers are valid because the
/// tree is kept alive: a node with several owners is never changed in place.
@usableFromInline
@frozen
@safe
package struct TreeIterator<Kind: TreeKind>: IteratorProtocol {
  @usableFromInline let tree: Tree<Kind>
  /// The next element of the current leaf, and the end of that leaf.
  @usableFromInline var element: UnsafePointer<Kind.Element>?
  @usableFromInline var end: UnsafePointer<Kind.Element>?
  /// The next leaf under the same parent, and the end of its siblings.
  @usableFromInline var leaf: UnsafePointer<TreeChild<Kind.Element>>?
  @usableFromInline var leavesEnd: UnsafePointer<TreeChild<Kind.Element>>?
  /// The position after the leaves that were entered.
  @usableFromInline var position = 0

  @inlinable
  init(_ tree: Tree<Kind>) { self.tree = tree }

  @inlinable
  package mutating func next() -> Kind.Element? {
    if unsafe element == end, !enterLeaf() { return nil }
    // The tree is used after each access through a pointer, so that it is not released before.
    return withExtendedLifetime(tree) {
      let next = unsafe element.unsafelyUnwrapped
      unsafe element = next + 1
      return unsafe next.pointee
    }
  }

  /// Enters the next leaf. Returns `false` at the end.
  @inlinable
  mutating func enterLeaf() -> Bool {
    guard position < tree.count else { return false }
    if unsafe leaf == leavesEnd, let children = unsafe tree.root.node.children { unsafe enterSiblings(below: children) }
    guard let child = unsafe leaf else {
      enter(tree.root)
      return true
    }
    unsafe enter(child.pointee)
    unsafe leaf = child + 1
    return true
  }

  /// Enters a leaf, which is not empty.
  ///
  /// Its end is computed from the count in its parent. Read from the leaf itself, it would be loaded from memory first, and until
  /// then the processor would not advance to the leaves after it.
  @inlinable
  mutating func enter(_ child: borrowing TreeChild<Kind.Element>) {
    unsafe element = child.node.elements.baseAddress
    unsafe end = element.unsafelyUnwrapped + child.count
    position += child.count
  }

  /// Goes from the children of the root to the leaf at the position and its siblings.
  @inlinable
  mutating func enterSiblings(below children: UnsafeBufferPointer<TreeChild<Kind.Element>>) {
    var children = unsafe children
    var rest = position
    while true {
      let index = unsafe Tree<Kind>.child(of: children, at: &rest)
      let start = unsafe children.baseAddress.unsafelyUnwrapped
      guard let lower = unsafe start[index].node.children else {
        unsafe leaf = start + index
        unsafe leavesEnd = start + children.count
        return
      }
      unsafe children = lower
    }
  }
}

extension Tree: Sequence {
  @inlinable
  package func makeIterator() -> TreeIterator<Kind> { TreeIterator(self) }

  @inlinable package var underestimatedCount: Int { count }

  /// The position of the first element for which a condition is true, found by reading from the beginning.
  @inlinable
  func firstPosition(where condition: (Element) -> Bool) -> Int? {
    var position = 0
    for element in self {
      if condition(element) { return position }
      position += 1
    }
    return nil
  }
}

extension Tree {
  /// All elements as an array. A single leaf is shared, others are copied leaf by leaf.
  @inlinable package var elements: [Element] {
    if case .leaf(let elements) = root.node { elements } else { elements(in: 0..<count) }
  }

  @inlinable
  package func elements(in range: Range<Int>) -> [Element] {
    var found: [Element] = []
    found.reserveCapacity(range.count)
    Self.collect(root.node, in: range, into: &found)
    return found
  }

  @inlinable
  static func collect(
    _ node: Node, in range: Range<Int>, into found: inout some RangeReplaceableCollection<Element>
  ) {
    switch node {
    case .leaf(let elements): found += elements[range]
    case .inner(let children):
      var start = 0
      for child in children {
        let end = start + child.count
        let part = range.clamped(to: start..<end)
        if !part.isEmpty { collect(child.node, in: part.lowerBound - start..<part.upperBound - start, into: &found) }
        if end >= range.upperBound { return }
        start = end
      }
    }
  }
}

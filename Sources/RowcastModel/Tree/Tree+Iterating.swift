/// Reads a tree from left to right.
///
/// It points into the arrays of the tree's nodes, so that going from element to element counts no references. The pointers
/// hold for as long as the iterator does: it holds the tree, and a node that is held elsewhere is never changed in place.
@usableFromInline
@frozen
@safe package struct TreeIterator<Kind: TreeKind>: IteratorProtocol {
  @usableFromInline let tree: Tree<Kind>
  /// The next element of the leaf that is being read, and the end of that leaf.
  @usableFromInline var element: UnsafePointer<Kind.Element>?
  @usableFromInline var end: UnsafePointer<Kind.Element>?
  /// The next leaf under the same parent, and the end of its siblings.
  @usableFromInline var leaf: UnsafePointer<TreeChild<Kind.Element>>?
  @usableFromInline var leavesEnd: UnsafePointer<TreeChild<Kind.Element>>?
  /// The position behind the leaves that were entered.
  @usableFromInline var position = 0

  @inlinable
  init(_ tree: Tree<Kind>) { self.tree = tree }

  /// The next element.
  @inlinable
  @inline(__always)
  package mutating func next() -> Kind.Element? {
    // The tree is used behind each access through a pointer, so that it is not released before.
    withExtendedLifetime(tree) {
      if unsafe element == end, !advance() { return nil }
      let next = unsafe element.unsafelyUnwrapped
      unsafe element = next + 1
      return unsafe next.pointee
    }
  }

  @inlinable
  mutating func advance() -> Bool {
    if unsafe leaf == leavesEnd {
      guard position < tree.count else { return false }
      guard enterLeaves() else {
        read(tree.root)
        return true
      }
    }
    let next = unsafe leaf.unsafelyUnwrapped
    unsafe leaf = next + 1
    unsafe read(next.pointee)
    return true
  }

  /// Enters a leaf, which is not empty.
  @inlinable
  mutating func read(_ child: borrowing TreeChild<Kind.Element>) {
    let elements = unsafe child.node.elements
    unsafe element = elements.baseAddress
    unsafe end = elements.baseAddress.unsafelyUnwrapped + elements.count
    position += elements.count
  }

  /// Goes to the leaf that holds the position. Returns whether it has siblings: whether it is not the root.
  @inlinable
  mutating func enterLeaves() -> Bool {
    guard var children = unsafe tree.root.node.children else { return false }
    var rest = position
    while true {
      let index = unsafe Tree<Kind>.child(of: children, at: &rest)
      let start = unsafe children.baseAddress.unsafelyUnwrapped
      guard let lower = unsafe start[index].node.children else {
        unsafe leaf = start + index
        unsafe leavesEnd = start + children.count
        return true
      }
      unsafe children = lower
    }
  }
}

extension Tree: Sequence {
  @inlinable
  package func makeIterator() -> TreeIterator<Kind> { TreeIterator(self) }

  @inlinable package var underestimatedCount: Int { count }
}

extension Tree {
  /// All elements as an array, copied leaf by leaf.
  ///
  /// - Complexity: O(n).
  @inlinable package var elements: [Element] { Self.elements(of: [root]) }

  /// The elements of some nodes.
  @inlinable
  static func elements(of nodes: ArraySlice<Child>) -> [Element] {
    // A single leaf is taken as it is.
    if nodes.count == 1, let node = nodes.first?.node, case .leaf(let elements) = node { return elements }
    var all: [Element] = []
    all.reserveCapacity(nodes.reduce(0) { $0 + Int($1.count) })
    for node in nodes { collect(node.node, into: &all) }
    return all
  }

  @inlinable
  static func collect(_ node: Node, into all: inout [Element]) {
    switch node {
    case .leaf(let elements): all += elements
    case .inner(let children): for child in children { collect(child.node, into: &all) }
    }
  }
}

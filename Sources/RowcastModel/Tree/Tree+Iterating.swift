/// Where reading a tree from left to right has come to: nothing but pointers into the arrays of the tree's nodes, so that going
/// from element to element counts no references.
///
/// The pointers hold for as long as the tree is held: a node that is held is never changed in place.
@usableFromInline
@frozen
@unsafe struct TreeCursor<Kind: TreeKind> {
  /// The next element of the leaf that is being read, and the end of that leaf.
  @usableFromInline var element: UnsafePointer<Kind.Element>?
  @usableFromInline var end: UnsafePointer<Kind.Element>?
  /// The next leaf under the same parent, and the end of its siblings.
  @usableFromInline var leaf: UnsafePointer<TreeChild<Kind.Element>>?
  @usableFromInline var leavesEnd: UnsafePointer<TreeChild<Kind.Element>>?
  /// The position behind the leaves that were entered.
  @usableFromInline var position = 0

  @inlinable
  init() {}

  /// Whether the leaf has no further element.
  @inlinable
  @inline(__always)
  var isAtEndOfLeaf: Bool { unsafe element == end }

  /// Passes the next element of the leaf, which has one.
  @inlinable
  @inline(__always)
  mutating func pass() -> UnsafePointer<Kind.Element> {
    let next = unsafe element.unsafelyUnwrapped
    unsafe element = next + 1
    return unsafe next
  }

  /// Enters the next leaf. Returns whether there is one.
  @inlinable
  mutating func enterLeaf(of tree: borrowing Tree<Kind>) -> Bool {
    guard unsafe position < tree.count else { return false }
    if unsafe leaf == leavesEnd, let children = unsafe tree.root.node.children { unsafe enterSiblings(below: children) }
    guard let child = unsafe leaf else {
      unsafe enter(tree.root)
      return true
    }
    unsafe enter(child.pointee)
    unsafe leaf = child + 1
    return true
  }

  /// Enters a leaf, which is not empty.
  ///
  /// Where it ends is known from its parent. Read from the leaf itself, the end of the loop over it would come from memory, and
  /// the processor would not go on to the leaves behind it meanwhile.
  @inlinable
  mutating func enter(_ child: borrowing TreeChild<Kind.Element>) {
    unsafe element = child.node.elements.baseAddress
    unsafe end = element.unsafelyUnwrapped + Int(child.count)
    unsafe position += Int(child.count)
  }

  /// Goes from the children of the root to the leaf at the position and its siblings.
  @inlinable
  mutating func enterSiblings(below children: UnsafeBufferPointer<TreeChild<Kind.Element>>) {
    var children = unsafe children
    var rest = unsafe position
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

/// Reads a tree from left to right.
@usableFromInline
@frozen
@safe package struct TreeIterator<Kind: TreeKind>: IteratorProtocol {
  @usableFromInline let tree: Tree<Kind>
  @usableFromInline var cursor = unsafe TreeCursor<Kind>()

  @inlinable
  init(_ tree: Tree<Kind>) { self.tree = tree }

  @inlinable
  @inline(__always)
  package mutating func next() -> Kind.Element? {
    if unsafe cursor.isAtEndOfLeaf, unsafe !cursor.enterLeaf(of: tree) { return nil }
    // The tree is used behind each access through a pointer, so that it is not released before.
    return withExtendedLifetime(tree) { unsafe cursor.pass().pointee }
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

/// A node of a ``Tree``: elements, or children.
///
/// A node is nothing but an array, so that it is checked `Sendable`, copied when it is changed while it has other
/// owners, and changed in place when not. A change empties the case first, so that the payload has one owner.
@usableFromInline
@frozen
package enum TreeNode<Element: Sendable>: Sendable {
  case leaf([Element])
  case inner([TreeChild<Element>])
}

/// A node as its parent knows it.
@usableFromInline
@frozen
package struct TreeChild<Element: Sendable>: Sendable {
  @usableFromInline package var node: TreeNode<Element>
  @usableFromInline var storedCount: Int32
  /// The name of the node. It survives copying, so that a ``NodeIndex`` can say where things are.
  @usableFromInline package var number: Int32

  @inlinable
  init(_ node: TreeNode<Element>, count: Int, number: Int32) {
    self.node = node
    storedCount = Int32(truncatingIfNeeded: count)
    self.number = number
  }

  @inlinable
  init(leaf elements: [Element], number: Int32) {
    self.init(.leaf(elements), count: elements.count, number: number)
  }

  @inlinable
  init(inner children: [TreeChild], number: Int32) {
    self.init(.inner(children), count: children.reduce(0) { $0 + $1.count }, number: number)
  }

  /// The number of elements below.
  @inlinable package var count: Int {
    get { Int(storedCount) }
    set { storedCount = Int32(truncatingIfNeeded: newValue) }
  }

  @inlinable var isLeaf: Bool { if case .leaf = node { true } else { false } }

  /// The number of elements or children in the node itself.
  @inlinable var width: Int {
    switch node {
    case .leaf: count
    case .inner(let children): children.count
    }
  }
}

extension TreeNode {
  /// The address of the node's elements or children, by which shared nodes are recognised.
  ///
  /// Two nodes that are alive at the same time have the same address only if they are the same array, and then the
  /// same content: an array with several owners is never changed in place. So addresses may be compared for as long as
  /// both trees are alive. Empty arrays share one address, whatever their type.
  @inlinable
  package var address: Int {
    switch self {
    case .leaf(let elements): unsafe elements.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    case .inner(let children): unsafe children.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }
  }

  /// The children in memory, or `nil` in a leaf. Like ``address`` it is valid for as long as the tree is alive, and lets a walk
  /// descend without counting references. The arrays of nodes are all native ones.
  @inlinable
  var children: UnsafeBufferPointer<TreeChild<Element>>? {
    switch self {
    case .leaf: nil
    case .inner(let children): unsafe children.withUnsafeBufferPointer { unsafe $0 }
    }
  }

  @inlinable
  var elements: UnsafeBufferPointer<Element> {
    switch self {
    case .leaf(let elements): unsafe elements.withUnsafeBufferPointer { unsafe $0 }
    case .inner: unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
  }
}

/// How wide the nodes of a tree are.
@usableFromInline
@frozen
package struct TreeShape: Hashable, Sendable {
  @usableFromInline let storedLeaf: UInt16
  @usableFromInline let storedFanOut: UInt16
  /// The greatest number of elements in a leaf.
  @inlinable package var leaf: Int { Int(storedLeaf) }
  /// The greatest number of children of an inner node.
  @inlinable package var fanOut: Int { Int(storedFanOut) }

  /// - Precondition: A leaf takes 3 to 1,024 elements, an inner node 4 to 1,024 children.
  @usableFromInline
  package init(leaf: Int, fanOut: Int) {
    precondition((3...1_024).contains(leaf) && (4...1_024).contains(fanOut), "No tree has the shape \(leaf)×\(fanOut)")
    self.init(unchecked: UInt16(leaf), UInt16(fanOut))
  }

  private init(unchecked leaf: UInt16, _ fanOut: UInt16) {
    (storedLeaf, storedFanOut) = (leaf, fanOut)
  }

  /// The shape for rows: the flat optimum of copying a path and of walking it.
  @usableFromInline package static let rows = TreeShape(unchecked: 32, 16)
  /// The shape for sections, whose elements cost more to copy.
  @usableFromInline package static let sections = TreeShape(unchecked: 16, 16)

  /// The greatest number of elements of a leaf or children of an inner node.
  @inlinable
  func most(inLeaf isLeaf: Bool) -> Int { isLeaf ? leaf : fanOut }

  /// The fewest elements or children of a node that is not the root. A quarter of the greatest number, so that
  /// insertions and deletions at one place in turn do not split and merge each time.
  @inlinable
  func least(inLeaf isLeaf: Bool) -> Int { isLeaf ? Swift.max(1, leaf / 4) : Swift.max(2, fanOut / 4) }

  /// The width to which nodes are filled when there is a choice: room is left for the next insertions.
  @inlinable
  func comfortable(inLeaf isLeaf: Bool) -> Int { most(inLeaf: isLeaf) * 3 / 4 }
}

/// Reads a tree from left to right. Holds a leaf, and the leaves next to it, so that it rarely starts from the root.
@usableFromInline
@frozen
package struct TreeIterator<Kind: TreeKind>: IteratorProtocol, Sendable {
  @usableFromInline let tree: Tree<Kind>
  @usableFromInline var leaf: [Kind.Element] = []
  @usableFromInline var offset = 0
  /// The leaf and its siblings, and the index of the next one.
  @usableFromInline var siblings: [TreeChild<Kind.Element>] = []
  @usableFromInline var nextSibling = 0
  /// The position behind the siblings that were entered.
  @usableFromInline var position = 0

  @inlinable
  init(_ tree: Tree<Kind>) { self.tree = tree }

  /// The next element.
  @inlinable
  @inline(__always)
  package mutating func next() -> Kind.Element? {
    if offset >= leaf.count, !advance() { return nil }
    defer { offset &+= 1 }
    return leaf[offset]
  }

  @inlinable
  mutating func advance() -> Bool {
    if nextSibling >= siblings.count {
      guard position < tree.count else { return false }
      descend()
    }
    let sibling = siblings[nextSibling]
    guard case .leaf(let elements) = sibling.node, !elements.isEmpty else { return false }
    nextSibling += 1
    position += elements.count
    leaf = elements
    offset = 0
    return true
  }

  /// Goes to the lowest inner node that holds the position.
  @inlinable
  mutating func descend() {
    siblings = [tree.root]
    nextSibling = 0
    var rest = position
    while case .inner(let children) = siblings[nextSibling].node {
      nextSibling = Tree<Kind>.child(of: children, at: &rest)
      siblings = children
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

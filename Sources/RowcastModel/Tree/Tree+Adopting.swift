extension Tree {
  /// Enters a tree that was made elsewhere into a node index, which has no other trees.
  ///
  /// - Parameters:
  ///   - nodeIndex: The node index.
  ///   - parent: The parent of the root.
  ///   - limit: The highest number that is worth a place in the index.
  ///   - inside: Enters the tree inside an element of the leaf with a number.
  /// - Returns: `false` if not all numbers could be kept. The node index is then of no use.
  @inlinable
  func adopt(
    into nodeIndex: inout NodeIndex, parent: Int32, limit: Int, inside: (Element, Int32, inout NodeIndex) -> Bool
  ) -> Bool {
    Self.adopt(root, into: &nodeIndex, parent: parent, limit: limit, inside: inside)
  }

  @inlinable
  static func adopt(
    _ child: Child, into nodeIndex: inout NodeIndex, parent: Int32, limit: Int,
    inside: (Element, Int32, inout NodeIndex) -> Bool
  ) -> Bool {
    // Flat trees have no number.
    guard child.number > 0, nodeIndex.adopt(child.number, in: parent, limit: limit) else { return false }
    switch child.node {
    case .leaf(let elements):
      for element in elements {
        nodeIndex.register(tag(of: element), leaf: child.number)
        guard inside(element, child.number, &nodeIndex) else { return false }
      }
    case .inner(let children):
      for grandchild in children {
        guard adopt(grandchild, into: &nodeIndex, parent: child.number, limit: limit, inside: inside) else {
          return false
        }
      }
    }
    return true
  }
}

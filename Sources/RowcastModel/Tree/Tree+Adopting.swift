extension Tree {
  /// Enters a tree that was made elsewhere into a ledger.
  ///
  /// - Parameters:
  ///   - ledger: The ledger, which has no other trees.
  ///   - parent: The node that the root is in; 0 for none.
  ///   - limit: The greatest number that is worth a place in the ledger.
  ///   - inside: Enters what is inside an element of the leaf with a number.
  /// - Returns: Whether all numbers could be kept. If not, the ledger is of no use.
  /// - Complexity: O(n).
  @inlinable
  func adopt(
    into ledger: inout TreeLedger, parent: Int32, limit: Int, inside: (Element, Int32, inout TreeLedger) -> Bool
  ) -> Bool {
    Self.adopt(root, into: &ledger, parent: parent, limit: limit, inside: inside)
  }

  @inlinable
  static func adopt(
    _ child: Child, into ledger: inout TreeLedger, parent: Int32, limit: Int,
    inside: (Element, Int32, inout TreeLedger) -> Bool
  ) -> Bool {
    // Flat trees have no number.
    guard child.number > 0, ledger.adopt(child.number, in: parent, limit: limit) else { return false }
    switch child.node {
    case .leaf(let elements):
      for element in elements {
        ledger.enter(tag(of: element), leaf: child.number)
        guard inside(element, child.number, &ledger) else { return false }
      }
    case .inner(let children):
      for grandchild in children {
        guard adopt(grandchild, into: &ledger, parent: child.number, limit: limit, inside: inside) else { return false }
      }
    }
    return true
  }
}

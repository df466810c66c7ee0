extension Tree {
  /// What is done with two leaves: their elements, each with the position of the first.
  ///
  /// - Returns: Whether to go on.
  @usableFromInline typealias LeafVisit = (
    _ old: UnsafeBufferPointer<Element>, _ oldStart: Int, _ new: UnsafeBufferPointer<Element>, _ newStart: Int
  ) -> Bool

  /// Goes through two trees in step and calls the body for each pair of leaves that is not shared, from left to right.
  /// References are not counted on the way: the trees are held.
  ///
  /// - Parameters:
  ///   - after: The other tree.
  ///   - body: Gets the elements of a leaf before and after.
  /// - Returns: Whether all was gone through: the trees have the same form and the body wanted to go on.
  @inlinable
  func forEachChangedLeaf(_ after: Tree, _ body: LeafVisit) -> Bool {
    if root.node.address == after.root.node.address { return true }
    guard height == after.height else { return false }
    return unsafe withUnsafePointer(to: root) { before in
      unsafe withUnsafePointer(to: after.root) { after in unsafe Self.forEachChangedLeaf(before, 0, after, 0, body) }
    }
  }

  @inlinable
  static func forEachChangedLeaf(
    _ before: UnsafePointer<Child>, _ beforeStart: Int, _ after: UnsafePointer<Child>, _ afterStart: Int,
    _ body: LeafVisit
  ) -> Bool {
    let (old, new) = unsafe (before.pointee.node.children, after.pointee.node.children)
    guard let old = unsafe old, let new = unsafe new else {
      return unsafe old == nil && new == nil
        && body(before.pointee.node.elements, beforeStart, after.pointee.node.elements, afterStart)
    }
    guard old.count == new.count, var oldChild = old.baseAddress, var newChild = new.baseAddress else { return false }
    var (oldStart, newStart) = (beforeStart, afterStart)
    for _ in old.indices {
      if unsafe oldChild.pointee.node.address != newChild.pointee.node.address,
        unsafe !forEachChangedLeaf(oldChild, oldStart, newChild, newStart, body)
      {
        return false
      }
      unsafe oldStart += Int(oldChild.pointee.count)
      unsafe newStart += Int(newChild.pointee.count)
      unsafe oldChild += 1
      unsafe newChild += 1
    }
    return true
  }
}

extension Tree {
  @inlinable
  package mutating func remove(at position: Int, _ nodeIndex: inout NodeIndex) -> Element {
    precondition(position >= 0 && position < count, "Position \(position) is out of range 0..<\(count)")
    let element = Self.remove(at: position, from: &root, shape, &nodeIndex)
    collapse(&nodeIndex)
    checkInvariants(around: position)
    return element
  }

  /// Drops roots with a single child.
  @inlinable
  mutating func collapse(_ nodeIndex: inout NodeIndex) {
    while case .inner(let children) = root.node, children.count == 1 {
      nodeIndex.link(children[0].number, to: nodeIndex.parent(of: root.number))
      nodeIndex.free(root.number)
      root = children[0]
      height -= 1
    }
  }

  @inlinable
  static func remove(
    at offset: Int, from child: inout Child, _ shape: TreeShape, _ nodeIndex: inout NodeIndex
  ) -> Element {
    child.count &-= 1
    switch child.node {
    case .leaf(var elements):
      child.node = .leaf([])
      let element = elements.remove(at: offset)
      unregister(element, leaf: child.number, &nodeIndex)
      child.node = .leaf(elements)
      return element
    case .inner(var children):
      child.node = .leaf([])
      var rest = offset
      let index = Self.child(of: children, at: &rest)
      let element = remove(at: rest, from: &children[index], shape, &nodeIndex)
      repair(&children, at: index, isLeaf: children[index].isLeaf, shape, &nodeIndex)
      child.node = .inner(children)
      return element
    }
  }

  /// Joins a child that has become too narrow with a neighbour, or fills it from there.
  @inlinable
  static func repair(
    _ children: inout [Child], at index: Int, isLeaf: Bool, _ shape: TreeShape, _ nodeIndex: inout NodeIndex
  ) {
    guard children[index].width < shape.least(inLeaf: isLeaf), children.count > 1 else { return }
    let first = Swift.max(0, index - 1)
    let pair = level(children[first], children[first + 1], shape, &nodeIndex)
    children.replaceSubrange(first...first + 1, with: pair)
  }

  /// One or two nodes of comfortable width that replace two neighbours.
  @inlinable
  static func level(
    _ left: Child, _ right: Child, _ shape: TreeShape, _ nodeIndex: inout NodeIndex
  ) -> [Child] {
    switch (left.node, right.node) {
    case (.leaf(let first), .leaf(let second)):
      let all = first + second
      if all.count <= shape.comfortable(inLeaf: true) {
        // The wider one keeps its number.
        let (kept, lost) = first.count >= second.count ? (left, right) : (right, left)
        let moved = first.count >= second.count ? second[...] : first[...]
        transfer(moved, from: lost.number, to: kept.number, &nodeIndex)
        nodeIndex.free(lost.number)
        return [Child(leaf: all, number: kept.number)]
      }
      let cut = all.count / 2
      if cut < first.count {
        transfer(first[cut...], from: left.number, to: right.number, &nodeIndex)
      } else {
        transfer(second[..<(cut - first.count)], from: right.number, to: left.number, &nodeIndex)
      }
      return [
        Child(leaf: Array(all[..<cut]), number: left.number), Child(leaf: Array(all[cut...]), number: right.number),
      ]
    case (.inner(let first), .inner(let second)):
      let all = first + second
      if all.count <= shape.comfortable(inLeaf: false) {
        link(second[...], to: left.number, &nodeIndex)
        nodeIndex.free(right.number)
        return [Child(inner: all, number: left.number)]
      }
      let cut = all.count / 2
      link(all[..<cut], to: left.number, &nodeIndex)
      link(all[cut...], to: right.number, &nodeIndex)
      return [
        Child(inner: Array(all[..<cut]), number: left.number), Child(inner: Array(all[cut...]), number: right.number),
      ]
    default:
      preconditionFailure("Neighbours are not equally deep")
    }
  }
}

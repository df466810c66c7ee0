public import RowcastDiff

/// The stretches of leaves that two trees do not share.
///
/// Nodes are told apart by ``TreeNode/address``; both trees are in hand for as long as that goes on. From the roots down,
/// level by level: what is shared at the beginning, at the end and between is crossed off, the rest is opened. Nodes
/// keep their order in every edit, so that going through both sides in step finds all that is shared. Were one missed,
/// its elements would be compared, and the result the same.
///
/// - Complexity: O(d log n) for d elements that differ.
@usableFromInline
struct TreeComparison<Kind: TreeKind> {
  @usableFromInline typealias Children = ArraySlice<TreeChild<Kind.Element>>

  /// The stretches, in order, perhaps behind those of other trees.
  @usableFromInline var stretches: [Stretch<Kind.Element>]
  /// The index, on either side, of the section that the trees are of.
  @usableFromInline let section: IndexPair
  /// The number of elements before what is compared next, on either side.
  @usableFromInline var row = IndexPair(old: 0, new: 0)
  /// The number of shared elements since the last stretch.
  @usableFromInline var sharedCount = 0
  /// Whether these trees have a stretch yet.
  @usableFromInline var hasStretch = false
  /// The number of nodes that were looked into. For tests.
  @usableFromInline var visited = 0
  /// The number of leaves in the stretches. For tests.
  @usableFromInline var leafCount = 0
  /// The number of elements in the stretches, of both trees. For tests.
  @usableFromInline var elementCount = 0

  @inlinable
  init(section: IndexPair, appendingTo stretches: [Stretch<Kind.Element>] = []) {
    self.section = section
    self.stretches = stretches
  }

  /// Compares two trees.
  ///
  /// - Parameters:
  ///   - before: The tree before the change.
  ///   - after: The tree after the change.
  ///   - isRelated: Whether they may share nodes. All else is one stretch.
  @inlinable
  mutating func compare(_ before: Tree<Kind>, _ after: Tree<Kind>, isRelated: Bool) {
    if before.count == 0 && after.count == 0 { return }
    guard isRelated, before.count > 0, after.count > 0 else { return add(before.elements, after.elements, leaves: 2) }
    if before.root.node.address == after.root.node.address { return }
    if before.height == after.height { return compare(before.root, after.root, height: before.height) }
    var (old, new): (Children, Children) = ([before.root], [after.root])
    for _ in 0..<max(0, before.height - after.height) { old = open(old) }
    for _ in 0..<max(0, after.height - before.height) { new = open(new) }
    compare(old, new, height: min(before.height, after.height))
  }

  /// Compares two nodes that are not the same.
  @inlinable
  mutating func compare(_ before: TreeChild<Kind.Element>, _ after: TreeChild<Kind.Element>, height: Int32) {
    visited += 2
    switch (before.node, after.node) {
    case (.leaf(let old), .leaf(let new)): add(old, new, leaves: 2)
    case (.inner(let old), .inner(let new)): compare(old[...], new[...], height: height - 1)
    default: preconditionFailure("Nodes of one height, \(height), are a leaf and an inner node")
    }
  }

  /// Compares neighbours of one height.
  @inlinable
  mutating func compare(_ before: Children, _ after: Children, height: Int32) {
    var (old, new) = (before.startIndex, after.startIndex)
    var (oldEnd, newEnd) = (before.endIndex, after.endIndex)
    while old < oldEnd, new < newEnd, before[old].node.address == after[new].node.address {
      share(Int(before[old].count))
      old += 1
      new += 1
    }
    while old < oldEnd, new < newEnd, before[oldEnd - 1].node.address == after[newEnd - 1].node.address {
      oldEnd -= 1
      newEnd -= 1
    }
    if oldEnd - old == 1, newEnd - new == 1 {
      compare(before[old], after[new], height: height)
    } else {
      compareInside(before[old..<oldEnd], after[new..<newEnd], height: height)
    }
    for child in before[oldEnd...] { share(Int(child.count)) }
  }

  /// Crosses off what is shared between the ends.
  @inlinable
  mutating func compareInside(_ before: Children, _ after: Children, height: Int32) {
    var (before, after) = (before, after)
    let places =
      before.count * after.count > 256
      ? Dictionary(zip(before.map(\.node.address), before.indices)) { first, _ in first } : [:]
    while let shared = firstShared(before, after, places) {
      descend(before[..<shared.old], after[..<shared.new], height: height)
      share(Int(before[shared.old].count))
      (before, after) = (before[(shared.old + 1)...], after[(shared.new + 1)...])
    }
    descend(before, after, height: height)
  }

  /// The first node that is on both sides.
  @inlinable
  func firstShared(_ before: Children, _ after: Children, _ places: [UInt: Int]) -> IndexPair? {
    if before.isEmpty || after.isEmpty { return nil }
    if !places.isEmpty {
      for new in after.indices {
        if let old = places[after[new].node.address], old >= before.startIndex { return IndexPair(old: old, new: new) }
      }
      return nil
    }
    // The nearest on both sides together: there is no other one before it, as both have one order.
    for distance in 0..<before.count + after.count - 1 {
      for skipped in max(0, distance - after.count + 1)...min(distance, before.count - 1) {
        let (old, new) = (before.startIndex + skipped, after.startIndex + distance - skipped)
        if before[old].node.address == after[new].node.address { return IndexPair(old: old, new: new) }
      }
    }
    return nil
  }

  /// Goes into what is not shared.
  @inlinable
  mutating func descend(_ before: Children, _ after: Children, height: Int32) {
    if before.count == 1, after.count == 1, let old = before.first, let new = after.first {
      return compare(old, new, height: height)
    }
    if before.isEmpty && after.isEmpty { return }
    visited += before.count + after.count
    if height == 0 || before.isEmpty || after.isEmpty {
      add(Tree<Kind>.elements(of: before), Tree<Kind>.elements(of: after), leaves: before.count + after.count)
    } else {
      compare(open(before), open(after), height: height - 1)
    }
  }

  /// The children of nodes.
  @inlinable
  func open(_ nodes: Children) -> Children {
    if nodes.count == 1, let node = nodes.first?.node, case .inner(let children) = node { return children[...] }
    var all: [TreeChild<Kind.Element>] = []
    for node in nodes { if case .inner(let children) = node.node { all += children } }
    return all[...]
  }

  /// Passes elements that are shared.
  @inlinable
  mutating func share(_ count: Int) {
    sharedCount += count
    row.old += count
    row.new += count
  }

  /// Adds a stretch that is not shared.
  @inlinable
  mutating func add(_ old: [Kind.Element], _ new: [Kind.Element], leaves: Int) {
    // What is shared before the first stretch and behind the last one is passed by nothing that moves.
    if hasStretch { stretches[stretches.count - 1].extent.sharedCount = sharedCount }
    (hasStretch, sharedCount) = (true, 0)
    stretches.append(Stretch(section: section, row: row, old: ContiguousArray(old), new: ContiguousArray(new)))
    leafCount += leaves
    elementCount += old.count + new.count
    row.old += old.count
    row.new += new.count
  }
}

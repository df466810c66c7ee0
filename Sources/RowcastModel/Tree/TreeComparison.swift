public import RowcastDiff

/// The stretches of leaves that two trees do not share.
///
/// Nodes are told apart by ``TreeNode/address``, and stretches point into them: the caller holds both trees for as long as it uses
/// the comparison. From the roots down, level by level, shared nodes at the beginning, at the end and between are crossed off, and
/// the others are opened. Nodes keep their order in every edit, so that going through both sides in step finds all shared ones. If
/// one were missed, its elements would be compared, and the result would be the same.
///
/// - Complexity: O(d log n) for d elements that differ.
@usableFromInline
struct TreeComparison<Kind: TreeKind>: ~Copyable {
  @usableFromInline typealias Child = TreeChild<Kind.Element>
  @usableFromInline typealias Children = ArraySlice<Child>
  @usableFromInline typealias Elements = LentElements<Kind.Element>

  /// The stretches, in order, of all trees that were compared.
  @usableFromInline var stretches: ScratchArray<Stretch<Kind.Element>>
  /// The elements of stretches that have several leaves.
  @usableFromInline var joined: [ContiguousArray<Kind.Element>] = []
  /// The index, on either side, of the section that the trees are of.
  @usableFromInline var section = IndexPair(old: 0, new: 0)
  /// The number of elements before the next ones to compare, on either side.
  @usableFromInline var row = IndexPair(old: 0, new: 0)
  /// The number of shared elements since the last stretch.
  @usableFromInline var sharedCount = 0
  /// True if these trees have a stretch yet.
  @usableFromInline var hasStretch = false
  /// The number of nodes that were looked into, which bounds the cost.
  @usableFromInline var visited = 0

  @inlinable
  init(_ scratch: inout Scratch) { stretches = scratch.array(of: Stretch<Kind.Element>.self) }

  /// Compares the trees of a section before and after a change. Trees that are not related cannot share nodes, and are one
  /// stretch.
  @inlinable
  mutating func compare(
    _ before: borrowing Tree<Kind>, _ after: borrowing Tree<Kind>, section: IndexPair = IndexPair(old: 0, new: 0),
    isRelated: Bool
  ) {
    if before.root.node.address == after.root.node.address, before.count == after.count { return }
    (self.section, row, sharedCount, hasStretch) = (section, IndexPair(old: 0, new: 0), 0, false)
    guard isRelated, before.count > 0, after.count > 0 else { return add(lend(before.root), lend(after.root)) }
    if before.height == after.height { return compare(before.root, after.root, height: before.height) }
    var (old, new): (Children, Children) = ([before.root], [after.root])
    for _ in 0..<max(0, before.height - after.height) { old = open(old) }
    for _ in 0..<max(0, after.height - before.height) { new = open(new) }
    compare(old, new, height: min(before.height, after.height))
  }

  @inlinable
  mutating func compare(_ before: borrowing Child, _ after: borrowing Child, height: Int32) {
    visited += 2
    if case .inner(let old) = before.node, case .inner(let new) = after.node {
      compare(old[...], new[...], height: height - 1)
    } else {
      add(lend(before), lend(after))
    }
  }

  /// Compares neighbours of one height: crosses off shared nodes, and descends into the others.
  @inlinable
  mutating func compare(_ before: Children, _ after: Children, height: Int32) {
    var (old, new) = (before.startIndex, after.startIndex)
    var (oldEnd, newEnd) = (before.endIndex, after.endIndex)
    while old < oldEnd, new < newEnd, before[oldEnd - 1].node.address == after[newEnd - 1].node.address {
      oldEnd -= 1
      newEnd -= 1
    }
    var places: [UInt: Int] = [:]
    while true {
      while old < oldEnd, new < newEnd, before[old].node.address == after[new].node.address {
        share(Int(before[old].count))
        old += 1
        new += 1
      }
      // Two nodes that are left differ.
      guard oldEnd - old > 1 || newEnd - new > 1,
        let shared = firstShared(before[old..<oldEnd], after[new..<newEnd], &places)
      else { break }
      descend(before[old..<shared.old], after[new..<shared.new], height: height)
      (old, new) = (shared.old, shared.new)
    }
    descend(before[old..<oldEnd], after[new..<newEnd], height: height)
    for child in before[oldEnd...] { share(Int(child.count)) }
  }

  /// The first node that is on both sides. `places` keeps the indexes of old nodes by address, once they are needed.
  @inlinable
  func firstShared(_ before: Children, _ after: Children, _ places: inout [UInt: Int]) -> IndexPair? {
    if before.isEmpty || after.isEmpty { return nil }
    // The nearest on both sides together: there is no other one before it, as both have one order.
    for distance in 0..<min(before.count + after.count - 1, 16) {
      for skipped in max(0, distance - after.count + 1)...min(distance, before.count - 1) {
        let (old, new) = (before.startIndex + skipped, after.startIndex + distance - skipped)
        if before[old].node.address == after[new].node.address { return IndexPair(old: old, new: new) }
      }
    }
    if places.isEmpty { places = Dictionary(zip(before.map(\.node.address), before.indices)) { first, _ in first } }
    for new in after.indices {
      if let old = places[after[new].node.address], old >= before.startIndex { return IndexPair(old: old, new: new) }
    }
    return nil
  }

  /// Compares neighbours of which none is shared.
  @inlinable
  mutating func descend(_ before: Children, _ after: Children, height: Int32) {
    if before.count == 1, after.count == 1, let old = before.first, let new = after.first {
      return compare(old, new, height: height)
    }
    if before.isEmpty && after.isEmpty { return }
    visited += before.count + after.count
    if height == 0 || before.isEmpty || after.isEmpty {
      add(lend(before), lend(after))
    } else {
      compare(open(before), open(after), height: height - 1)
    }
  }

  @inlinable
  func open(_ nodes: Children) -> Children {
    if nodes.count == 1, let node = nodes.first?.node, case .inner(let children) = node { return children[...] }
    var all: [Child] = []
    for node in nodes { if case .inner(let children) = node.node { all += children } }
    return all[...]
  }

  @inlinable
  mutating func share(_ count: Int) {
    sharedCount += count
    row.old += count
    row.new += count
  }

  /// The elements of a node. Those of a leaf are read where they are.
  @inlinable
  mutating func lend(_ child: borrowing Child) -> Elements {
    child.isLeaf ? unsafe LentElements(child.node.elements) : lend([copy child])
  }

  @inlinable
  mutating func lend(_ nodes: Children) -> Elements {
    if nodes.count == 1, let node = nodes.first, node.isLeaf { return lend(node) }
    var elements: ContiguousArray<Kind.Element> = []
    elements.reserveCapacity(nodes.reduce(0) { $0 + Int($1.count) })
    for node in nodes { Tree<Kind>.collect(node.node, in: 0..<Int(node.count), into: &elements) }
    joined.append(elements)
    return LentElements(elements)
  }

  @inlinable
  mutating func add(_ old: Elements, _ new: Elements) {
    // Shared elements before the first stretch and behind the last one are passed by nothing that moves.
    if hasStretch { stretches[stretches.count - 1].sharedCount = sharedCount }
    (hasStretch, sharedCount) = (true, 0)
    stretches.append(Stretch(old: old, new: new, section: section, row: row))
    row.old += old.count
    row.new += new.count
  }
}

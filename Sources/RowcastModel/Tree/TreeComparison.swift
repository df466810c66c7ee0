public import RowcastDiff

/// The gaps of leaves that two trees do not share.
///
/// Nodes are identified by ``TreeNode/address``, and gaps point into them: the caller keeps both trees alive while it uses the
/// comparison. From the roots down, level by level, shared nodes at the beginning, at the end and between are crossed off, and
/// the others are opened. Nodes keep their order in every edit, so that going through both sides in step finds all shared ones.
/// If one were missed, its elements would be compared, and the result would be the same.
///
/// - Complexity: O(d log n) for d elements that differ.
@usableFromInline
struct TreeComparison<Kind: TreeKind>: ~Copyable {
  @usableFromInline typealias Child = TreeChild<Kind.Element>
  @usableFromInline typealias Children = BorrowedElements<Child>
  @usableFromInline typealias Elements = BorrowedElements<Kind.Element>

  /// The gaps, in order, of all trees that were compared.
  @usableFromInline var gaps: ScratchArray<Gap<Kind.Element>>
  /// The elements of gaps that have several leaves.
  @usableFromInline var joined: [ContiguousArray<Kind.Element>] = []
  /// The children of several nodes side by side, which are compared as if they belonged to one.
  @usableFromInline var opened: [ContiguousArray<Child>] = []
  /// The index, on either side, of the section of the trees.
  @usableFromInline var section = IndexPair(old: 0, new: 0)
  /// The number of elements before the next ones to compare, on either side.
  @usableFromInline var row = IndexPair(old: 0, new: 0)
  /// The number of shared elements since the last gap.
  @usableFromInline var sharedCount = 0
  /// True if these trees have a gap already.
  @usableFromInline var hasGap = false
  /// The number of nodes that were looked into, which bounds the cost.
  @usableFromInline var visited = 0

  @inlinable
  init(_ scratch: inout Scratch) { gaps = scratch.array(of: Gap<Kind.Element>.self) }

  /// Compares the trees of a section before and after a change. Trees that are not related cannot share nodes, and are one
  /// gap.
  @inlinable
  mutating func compare(
    _ before: borrowing Tree<Kind>, _ after: borrowing Tree<Kind>, section: IndexPair = IndexPair(old: 0, new: 0),
    isRelated: Bool
  ) {
    if before.root.node.address == after.root.node.address, before.count == after.count { return }
    compareRoots(before, after, section, isRelated)
  }

  @inlinable
  @inline(never)
  mutating func compareRoots(
    _ before: borrowing Tree<Kind>, _ after: borrowing Tree<Kind>, _ section: IndexPair, _ isRelated: Bool
  ) {
    (self.section, row, sharedCount, hasGap) = (section, IndexPair(old: 0, new: 0), 0, false)
    guard isRelated, before.count > 0, after.count > 0 else {
      return add(elements(of: before.root), elements(of: after.root))
    }
    if before.height == after.height { return compare(before.root, after.root, height: before.height) }
    var (old, new) = (keep([before.root]), keep([after.root]))
    for _ in 0..<max(0, before.height - after.height) { old = open(old) }
    for _ in 0..<max(0, after.height - before.height) { new = open(new) }
    compare(old, new, height: min(before.height, after.height))
  }

  @inlinable
  mutating func compare(_ before: borrowing Child, _ after: borrowing Child, height: Int32) {
    visited += 2
    if let old = unsafe before.node.children, let new = unsafe after.node.children {
      unsafe compare(BorrowedElements(old), BorrowedElements(new), height: height - 1)
    } else {
      add(elements(of: before), elements(of: after))
    }
  }

  /// Compares neighbours of one height: crosses off shared nodes, and descends into the others.
  @inlinable
  mutating func compare(_ before: Children, _ after: Children, height: Int32) {
    var start = IndexPair(old: 0, new: 0)
    var end = IndexPair(old: before.count, new: after.count)
    while start.old < end.old, start.new < end.new, isShared(before[end.old - 1], after[end.new - 1]) {
      end.old -= 1
      end.new -= 1
    }
    var places: [Int: Int] = [:]
    while true {
      while start.old < end.old, start.new < end.new, isShared(before[start.old], after[start.new]) {
        share(before[start.old].count)
        start.old += 1
        start.new += 1
      }
      // Two remaining nodes differ.
      guard end.old - start.old > 1 || end.new - start.new > 1,
        let shared = firstShared(before, after, from: start, to: end, &places)
      else { break }
      descend(
        before.part(start.old, shared.old - start.old), after.part(start.new, shared.new - start.new), height: height)
      start = shared
    }
    descend(before.part(start.old, end.old - start.old), after.part(start.new, end.new - start.new), height: height)
    for index in end.old..<before.count { share(before[index].count) }
  }

  @inlinable
  func isShared(_ old: borrowing Child, _ new: borrowing Child) -> Bool { old.node.address == new.node.address }

  /// The first node that is on both sides. `places` keeps the indexes of old nodes by address, once they are needed.
  @inlinable
  func firstShared(
    _ before: Children, _ after: Children, from start: IndexPair, to end: IndexPair, _ places: inout [Int: Int]
  ) -> IndexPair? {
    let (oldCount, newCount) = (end.old - start.old, end.new - start.new)
    if oldCount == 0 || newCount == 0 { return nil }
    // The nearest on both sides together: there is no other one before it, as both have one order.
    for distance in 0..<min(oldCount + newCount - 1, 16) {
      for skipped in max(0, distance - newCount + 1)...min(distance, oldCount - 1) {
        let (old, new) = (start.old + skipped, start.new + distance - skipped)
        if isShared(before[old], after[new]) { return IndexPair(old: old, new: new) }
      }
    }
    if oldCount + newCount <= 16 { return nil }
    if places.isEmpty { for old in (start.old..<end.old).reversed() { places[before[old].node.address] = old } }
    for new in start.new..<end.new {
      if let old = places[after[new].node.address], old >= start.old { return IndexPair(old: old, new: new) }
    }
    return nil
  }

  /// Compares neighbours that share nothing.
  @inlinable
  mutating func descend(_ before: Children, _ after: Children, height: Int32) {
    if before.count == 1, after.count == 1 { return compare(before[0], after[0], height: height) }
    if before.count + after.count == 0 { return }
    visited += before.count + after.count
    if height == 0 || before.count == 0 || after.count == 0 {
      add(elements(of: before), elements(of: after))
    } else {
      compare(open(before), open(after), height: height - 1)
    }
  }

  @inlinable
  mutating func open(_ nodes: Children) -> Children {
    if nodes.count == 1, let children = unsafe nodes[0].node.children { return unsafe BorrowedElements(children) }
    var all: ContiguousArray<Child> = []
    for index in 0..<nodes.count { if case .inner(let children) = nodes[index].node { all += children } }
    return keep(all)
  }

  @inlinable
  mutating func keep(_ nodes: ContiguousArray<Child>) -> Children {
    opened.append(nodes)
    return BorrowedElements(nodes)
  }

  @inlinable
  mutating func share(_ count: Int) {
    sharedCount += count
    row.old += count
    row.new += count
  }

  /// The elements of nodes. The elements of a leaf are read in place.
  @inlinable
  mutating func elements(of nodes: Children) -> Elements {
    if nodes.count == 1 { return elements(of: nodes[0]) }
    var elements: ContiguousArray<Kind.Element> = []
    for index in 0..<nodes.count { collect(nodes[index], into: &elements) }
    return keepJoined(elements)
  }

  @inlinable
  mutating func elements(of node: borrowing Child) -> Elements {
    if node.isLeaf { return unsafe BorrowedElements(node.node.elements) }
    var elements: ContiguousArray<Kind.Element> = []
    elements.reserveCapacity(node.count)
    collect(node, into: &elements)
    return keepJoined(elements)
  }

  @inlinable
  mutating func keepJoined(_ elements: ContiguousArray<Kind.Element>) -> Elements {
    joined.append(elements)
    return BorrowedElements(elements)
  }

  @inlinable
  func collect(_ node: borrowing Child, into elements: inout ContiguousArray<Kind.Element>) {
    Tree<Kind>.collect(node.node, in: 0..<node.count, into: &elements)
  }

  @inlinable
  mutating func add(_ old: Elements, _ new: Elements) {
    // No element moves across shared elements before the first gap or after the last one.
    if hasGap { gaps[gaps.count - 1].offset.sharedCount = Int32(sharedCount) }
    (hasGap, sharedCount) = (true, 0)
    let last = gaps.isEmpty ? nil : gaps[gaps.count - 1]
    gaps.append(Gap(old: old, new: new, section: section, row: row, after: last))
    row.old += old.count
    row.new += new.count
  }
}

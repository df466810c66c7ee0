public import RowcastDiff

/// What two trees share, and the stretches of leaves that they do not.
///
/// Nodes are told apart by ``TreeNode/address``; both trees are in hand for as long as that goes on. From the roots down,
/// level by level: what is shared at the beginning, at the end and between is crossed off, the rest is opened. Nodes
/// keep their order in every edit, so that going through both sides in step finds all that is shared. Were one missed,
/// its elements would be compared, and the result the same.
///
/// - Complexity: O(d log n) for d elements that differ.
@usableFromInline
struct TreeComparison<Kind: TreeKind> {
  @usableFromInline typealias Child = TreeChild<Kind.Element>

  /// Nodes that are not shared, on either side of one gap, equally deep.
  @usableFromInline
  struct Gap {
    @usableFromInline let before: ArraySlice<Child>
    @usableFromInline let beforeStart: Int
    @usableFromInline let after: ArraySlice<Child>
    @usableFromInline let afterStart: Int

    @inlinable
    init(_ before: ArraySlice<Child>, _ beforeStart: Int, _ after: ArraySlice<Child>, _ afterStart: Int) {
      self.before = before
      self.beforeStart = beforeStart
      self.after = after
      self.afterStart = afterStart
    }

    /// The elements of the nodes.
    @inlinable var stretch: ChangedStretch<Kind.Element> {
      ChangedStretch(
        beforeStart: beforeStart, afterStart: afterStart, before: Tree<Kind>.elements(of: before),
        after: Tree<Kind>.elements(of: after))
    }
  }

  /// What is shared, in order, on both lines.
  @usableFromInline var shared: [SharedRun] = []
  /// What is not, in order.
  @usableFromInline var gaps: [Gap] = []
  /// The number of nodes that were looked into. For tests.
  @usableFromInline var visited = 0

  @inlinable
  init() {}

  /// Compares two trees, whose elements begin at the given positions of their lines.
  @inlinable
  mutating func compare(_ before: Tree<Kind>, at beforeStart: Int, _ after: Tree<Kind>, at afterStart: Int) {
    guard before.count > 0 || after.count > 0 else { return }
    var (old, new) = ([before.root][...], [after.root][...])
    if before.count == 0 { old = [] }
    if after.count == 0 { new = [] }
    if before.height != after.height, !old.isEmpty, !new.isEmpty {
      for _ in 0..<Swift.max(0, before.height - after.height) { old = open(old) }
      for _ in 0..<Swift.max(0, after.height - before.height) { new = open(new) }
    }
    compare(old, beforeStart, new, afterStart, height: Swift.min(before.height, after.height))
  }

  @inlinable
  mutating func compare(
    _ before: ArraySlice<Child>, _ beforeStart: Int, _ after: ArraySlice<Child>, _ afterStart: Int, height: Int32
  ) {
    var (old, new) = (before.startIndex, after.startIndex)
    var (oldEnd, newEnd) = (before.endIndex, after.endIndex)
    var head = 0
    while old < oldEnd, new < newEnd, before[old].node.address == after[new].node.address {
      head += Int(before[old].count)
      old += 1
      new += 1
    }
    share(beforeStart, afterStart, head)
    if old == oldEnd && new == newEnd { return }
    while old < oldEnd, new < newEnd, before[oldEnd - 1].node.address == after[newEnd - 1].node.address {
      oldEnd -= 1
      newEnd -= 1
    }
    let (oldStart, newStart) = (beforeStart + head, afterStart + head)
    if oldEnd - old <= 1 && newEnd - new <= 1 {
      descend(before[old..<oldEnd], oldStart, after[new..<newEnd], newStart, height: height)
    } else {
      compareInside(before[old..<oldEnd], oldStart, after[new..<newEnd], newStart, height: height)
    }
    let tail = before[oldEnd...].reduce(0) { $0 + Int($1.count) }
    if tail > 0 {
      let gone = before[old..<oldEnd].reduce(oldStart) { $0 + Int($1.count) }
      let come = after[new..<newEnd].reduce(newStart) { $0 + Int($1.count) }
      share(gone, come, tail)
    }
  }

  /// Crosses off what is shared between the ends.
  @inlinable
  mutating func compareInside(
    _ before: ArraySlice<Child>, _ beforeStart: Int, _ after: ArraySlice<Child>, _ afterStart: Int, height: Int32
  ) {
    var (oldStart, newStart) = (beforeStart, afterStart)
    var (old, new) = (before.startIndex, after.startIndex)
    for pair in pairs(before, after) {
      let oldGap = before[old..<pair.before]
      let newGap = after[new..<pair.after]
      descend(oldGap, oldStart, newGap, newStart, height: height)
      oldStart += oldGap.reduce(0) { $0 + Int($1.count) }
      newStart += newGap.reduce(0) { $0 + Int($1.count) }
      let count = Int(before[pair.before].count)
      share(oldStart, newStart, count)
      oldStart += count
      newStart += count
      (old, new) = (pair.before + 1, pair.after + 1)
    }
    descend(before[old...], oldStart, after[new...], newStart, height: height)
  }

  /// The nodes that are on both sides, ascending on both.
  @inlinable
  func pairs(_ before: ArraySlice<Child>, _ after: ArraySlice<Child>) -> [SharedRun] {
    var pairs: [SharedRun] = []
    var next = before.startIndex
    if before.count * after.count <= 256 {
      for (index, child) in zip(after.indices, after) {
        let address = child.node.address
        guard let match = before[next...].firstIndex(where: { $0.node.address == address }) else { continue }
        pairs.append(SharedRun(before: match, after: index, count: 1))
        next = match + 1
      }
    } else {
      let places = Dictionary(zip(before.map(\.node.address), before.indices)) { first, _ in first }
      for (index, child) in zip(after.indices, after) {
        guard let match = places[child.node.address], match >= next else { continue }
        pairs.append(SharedRun(before: match, after: index, count: 1))
        next = match + 1
      }
    }
    return pairs
  }

  @inlinable
  mutating func descend(
    _ before: ArraySlice<Child>, _ beforeStart: Int, _ after: ArraySlice<Child>, _ afterStart: Int, height: Int32
  ) {
    if before.isEmpty && after.isEmpty { return }
    visited += before.count + after.count
    if height == 0 || before.isEmpty || after.isEmpty {
      gaps.append(Gap(before, beforeStart, after, afterStart))
    } else {
      compare(open(before), beforeStart, open(after), afterStart, height: height - 1)
    }
  }

  /// The children of nodes.
  @inlinable
  func open(_ nodes: ArraySlice<Child>) -> ArraySlice<Child> {
    if nodes.count == 1, let node = nodes.first?.node, case .inner(let children) = node { return children[...] }
    var all: [Child] = []
    for node in nodes { if case .inner(let children) = node.node { all += children } }
    return all[...]
  }

  @inlinable
  mutating func share(_ before: Int, _ after: Int, _ count: Int) {
    if count > 0 { shared.append(SharedRun(before: before, after: after, count: count)) }
  }
}

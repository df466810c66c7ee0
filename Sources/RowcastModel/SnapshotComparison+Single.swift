public import RowcastDiff

/// The shortest way to the difference of one event: lists of the same sections, of which one section has one leaf that
/// differs, where rows were updated or else came or went side by side.
///
/// It is what nearly every update is, and needs none of the bookkeeping of the general way: nothing is allocated but
/// the result. Whatever does not fit is left to that way before any row is compared by `==`.
extension SnapshotComparison {
  /// The difference, if it is that simple.
  @inlinable
  static func singleChange(_ before: Snapshot, _ after: Snapshot) -> ListChanges? {
    guard before.tree.count == after.tree.count,
      let section = singlePair(before.tree, after.tree),
      let index = singleSection(section.before, section.after)
    else { return nil }
    let (old, new) = (section.before[index].rows, section.after[index].rows)
    guard let leaf = singlePair(old, new) else { return nil }
    return changes(from: leaf.before, to: leaf.after, at: RowPath(section: section.start + index, row: leaf.start))
  }

  /// The leaves of two trees that differ, if it is one on either side at the same place.
  @inlinable
  static func singlePair<Kind>(
    _ before: Tree<Kind>, _ after: Tree<Kind>
  ) -> (before: [Kind.Element], after: [Kind.Element], start: Int)? {
    guard before.height == after.height else { return nil }
    return singlePair(before.root.node, after.root.node, start: 0)
  }

  @inlinable
  static func singlePair<Element>(
    _ before: TreeNode<Element>, _ after: TreeNode<Element>, start: Int
  ) -> (before: [Element], after: [Element], start: Int)? {
    switch (before, after) {
    case (.leaf(let old), .leaf(let new)): return (old, new, start)
    case (.inner(let old), .inner(let new)):
      guard old.count == new.count else { return nil }
      var start = start
      var index = 0
      while index < old.count, old[index].node.address == new[index].node.address {
        start += Int(old[index].count)
        index += 1
      }
      guard index < old.count else { return nil }
      for rest in index + 1..<old.count where old[rest].node.address != new[rest].node.address { return nil }
      return singlePair(old[index].node, new[index].node, start: start)
    default: return nil
    }
  }

  /// The index of the only section of two leaves whose rows differ, if nothing else does.
  @inlinable
  static func singleSection(_ old: [Entry], _ new: [Entry]) -> Int? {
    guard old.count == new.count else { return nil }
    var found: Int?
    for index in old.indices {
      guard old[index].model.id == new[index].model.id, old[index].model == new[index].model else { return nil }
      if old[index].rows.root.node.address == new[index].rows.root.node.address { continue }
      if found != nil { return nil }
      found = index
    }
    return found
  }

  /// The difference of two leaves that begin at the same path, if one of them has all rows of the other.
  @inlinable
  static func changes(from old: [Row], to new: [Row], at path: RowPath) -> ListChanges? {
    let common = Swift.min(old.count, new.count)
    var head = 0
    while head < common, old[head].id == new[head].id { head += 1 }
    var tail = 0
    while head + tail < common, old[old.count - 1 - tail].id == new[new.count - 1 - tail].id { tail += 1 }
    guard head + tail == common else { return nil }

    func paths(_ count: Int) -> [RowPath] {
      count == common ? [] : (head..<count - tail).map { RowPath(section: path.section, row: path.row + $0) }
    }
    var rows = Changeset(deletes: paths(old.count), inserts: paths(new.count))
    for index in 0..<common {
      let (from, to) = index < head ? (index, index) : (old.count - common + index, new.count - common + index)
      guard old[from] != new[to] else { continue }
      rows.updates.append(
        .init(
          from: RowPath(section: path.section, row: path.row + from),
          to: RowPath(section: path.section, row: path.row + to)))
    }
    return ListChanges(rows: rows)
  }
}

public import RowcastDiff

/// The short way to the difference of one event, and of two lists of a screen: lists whose trees have the same form and
/// differ in a few leaves.
///
/// It leaves these leaves to the same differ, and spares the walk the lists of what is shared. Two bounds need it: one
/// change in a list of any length is 0.2 µs here, 0.5 µs on the way for all lists; and lists of a few short sections are
/// compared without an allocation but those of the result.
extension SnapshotComparison {
  /// The changes, if the lists differ that little.
  @inlinable
  static func eventChanges(from before: Snapshot, to after: Snapshot) -> ListChanges? {
    let isRelated = before.lineage == after.lineage
    guard before.tree.count == after.tree.count, isRelated || before.tree.count <= LeafPairs<Row>.capacity else {
      return nil
    }
    // The leaves are lent by the two lists, which are held here for as long as they are read.
    return withExtendedLifetime((before, after)) {
      unsafe withUnsafeTemporaryAllocation(of: LentStretch<Row>.self, capacity: LeafPairs<Row>.capacity) { memory in
        var leaves = unsafe LeafPairs<Row>(in: memory, isRelated: isRelated)
        guard leaves.collect(before.tree, after.tree) else { return nil }
        return leaves.count == 0 ? ListChanges() : ListChanges(rows: Changeset(comparing: leaves.stretches))
      }
    }
  }
}

/// The pairs of leaves that differ between two lists of the same form: a few, in memory that is lent to them.
@usableFromInline
@safe
struct LeafPairs<Row: RowViewModel> {
  /// The most pairs there can be.
  @inlinable static var capacity: Int { 8 }

  @usableFromInline let pairs: UnsafeMutableBufferPointer<LentStretch<Row>>
  @usableFromInline var count = 0
  /// Whether the lists may share leaves. If not, a section of several leaves is better compared as one stretch.
  @usableFromInline let isRelated: Bool

  /// No pairs, in memory for ``capacity`` of them that holds for as long as the pairs do.
  @inlinable
  init(in memory: UnsafeMutableBufferPointer<LentStretch<Row>>, isRelated: Bool) {
    unsafe pairs = memory
    self.isRelated = isRelated
  }

  /// Goes through two lists in step, and collects the leaves of rows that differ.
  ///
  /// - Returns: Whether nothing else differs, and there is room for them.
  @inlinable
  mutating func collect<Section>(
    _ before: Tree<SectionKind<Section, Row>>, _ after: Tree<SectionKind<Section, Row>>
  ) -> Bool {
    unsafe before.forEachChangedLeaf(after) { old, oldStart, new, _ in
      guard old.count == new.count else { return false }
      for index in old.indices {
        guard unsafe old[index].model.id == new[index].model.id, unsafe old[index].model == new[index].model,
          unsafe collect(old[index].rows, new[index].rows, section: oldStart + index)
        else { return false }
      }
      return true
    }
  }

  /// Collects the leaves that differ in a section. Returns whether there is room for them.
  @inlinable
  mutating func collect(_ old: Tree<RowKind<Row>>, _ new: Tree<RowKind<Row>>, section: Int) -> Bool {
    guard isRelated || old.height == 0 else { return false }
    return unsafe old.forEachChangedLeaf(new) { old, oldStart, new, newStart in
      if count == Self.capacity { return false }
      let extent = StretchExtent(
        count: IndexPair(old: old.count, new: new.count), section: IndexPair(old: section, new: section),
        row: IndexPair(old: oldStart, new: newStart))
      if count > 0 { unsafe pairs[count - 1].extent.share(upTo: extent) }
      unsafe pairs.initializeElement(
        at: count, to: LentStretch(old: LentElements(old), new: LentElements(new), extent: extent))
      count += 1
      return true
    }
  }

  /// The pairs, as stretches of the list.
  @inlinable var stretches: LentStretches<Row> {
    unsafe LentStretches(UnsafeBufferPointer(rebasing: pairs[..<count]))
  }
}

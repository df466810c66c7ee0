public import RowcastDiff

/// The shortest way to the difference of one event: lists whose trees have the same form and differ in one or two
/// leaves, where rows were updated, came or went side by side, or one row moved.
///
/// It is what nearly every update is, and needs none of the bookkeeping of the general way: nothing is allocated but
/// the result. Whatever does not fit is left to that way before any row is compared by `==`.
extension SnapshotComparison {
  /// The difference, if it is that simple.
  @inlinable
  static func singleChange(_ before: Snapshot, _ after: Snapshot) -> ListChanges? {
    guard before.tree.count == after.tree.count else { return nil }
    // The leaves are read where they lie in the two lists.
    return withExtendedLifetime((before, after)) {
      var leaves = ChangedLeaves<Row>()
      return leaves.compare(before.tree, after.tree) ? leaves.changes : nil
    }
  }
}

/// The pairs of leaves that differ between two lists of the same form; one or two. They are read where they lie: both
/// lists are held for as long as this is used.
@usableFromInline
struct ChangedLeaves<Row: RowViewModel> {
  @usableFromInline var first: LeafPair<Row>?
  @usableFromInline var second: LeafPair<Row>?

  @inlinable
  init() {}

  /// Goes through two lists in step, and notes the leaves of rows that differ.
  ///
  /// - Returns: Whether nothing else differs, and they are two at most.
  @inlinable
  mutating func compare<Section>(
    _ before: Tree<SectionKind<Section, Row>>, _ after: Tree<SectionKind<Section, Row>>
  ) -> Bool {
    before.forEachChangedLeaf(after) { old, oldStart, new, _ in
      guard old.count == new.count else { return false }
      for index in old.indices {
        guard old[index].model.id == new[index].model.id, old[index].model == new[index].model,
          compare(old[index].rows, new[index].rows, section: oldStart + index)
        else { return false }
      }
      return true
    }
  }

  /// Notes the leaves that differ in a section. Returns whether there is room for them.
  @inlinable
  mutating func compare(_ old: Tree<RowKind<Row>>, _ new: Tree<RowKind<Row>>, section: Int) -> Bool {
    old.forEachChangedLeaf(new) { old, oldStart, new, newStart in
      let pair = LeafPair(
        before: old, after: new, beforeStart: RowPath(section: section, row: oldStart),
        afterStart: RowPath(section: section, row: newStart))
      if first == nil {
        first = pair
      } else if second == nil {
        second = pair
      } else {
        return false
      }
      return true
    }
  }

  /// The difference, if it is as simple as that.
  @inlinable var changes: ListChanges? {
    guard var rows = operations() else { return nil }
    first?.addUpdates(to: &rows)
    second?.addUpdates(to: &rows)
    if let way = rows.moves.first {
      if hasChangedContent(of: way) {
        rows.updates.append(way)
        rows.updates.sort { $0.to < $1.to }
      }
      rows.moves = Self.moves(over: way)
    }
    return ListChanges(rows: rows)
  }

  /// What came, went and moved, if it is as simple as that. A move is the way of a row, even if it led nowhere.
  @inlinable
  func operations() -> Changeset<RowPath>? {
    guard let first else { return Changeset() }
    guard let second else { return first.operations ?? first.rotation }
    guard var rows = first.operations, let others = second.operations else { return nil }
    rows.deletes += others.deletes
    rows.inserts += others.inserts
    if rows.deletes.isEmpty || rows.inserts.isEmpty { return rows }
    // Rows may have gone from one leaf to the other.
    guard rows.deletes.count == 1, rows.inserts.count == 1 else { return nil }
    let way = Changeset<RowPath>.Transition(from: rows.deletes[0], to: rows.inserts[0])
    return row(before: way.from)?.id == row(after: way.to)?.id ? Changeset(moves: [way]) : rows
  }

  /// The move that a row's way is, if it is one: from the end of a leaf to the beginning of the next one is none. Of two
  /// neighbours that changed places the one moves that comes first afterwards, as the differ has it.
  @inlinable
  static func moves(over way: Changeset<RowPath>.Transition) -> [Changeset<RowPath>.Transition] {
    if way.from == way.to { return [] }
    let isStepDown = way.from.section == way.to.section && way.to.row == way.from.row + 1
    return [isStepDown ? .init(from: way.to, to: way.from) : way]
  }

  /// Whether a row was updated on its way.
  @inlinable
  func hasChangedContent(of way: Changeset<RowPath>.Transition) -> Bool { row(before: way.from) != row(after: way.to) }

  @inlinable
  func row(before path: RowPath) -> Row? { first?.row(before: path) ?? second?.row(before: path) }

  @inlinable
  func row(after path: RowPath) -> Row? { first?.row(after: path) ?? second?.row(after: path) }
}

/// A leaf before and after a change.
@usableFromInline
struct LeafPair<Row: RowViewModel> {
  @usableFromInline typealias Leaf = UnsafeBufferPointer<Row>

  @usableFromInline let before: Leaf
  @usableFromInline let after: Leaf
  /// The path of the leaf's first row, before and after.
  @usableFromInline let beforeStart: RowPath
  @usableFromInline let afterStart: RowPath
  /// How many rows have the same ids at the beginning, and how many of the others at the end.
  @usableFromInline let head: Int
  @usableFromInline let tail: Int

  @inlinable
  init(before: Leaf, after: Leaf, beforeStart: RowPath, afterStart: RowPath) {
    (self.before, self.after) = (before, after)
    (self.beforeStart, self.afterStart) = (beforeStart, afterStart)
    let common = Swift.min(before.count, after.count)
    var head = 0
    while head < common, before[head].id == after[head].id { head += 1 }
    var tail = 0
    while head + tail < common, before[before.count - 1 - tail].id == after[after.count - 1 - tail].id { tail += 1 }
    (self.head, self.tail) = (head, tail)
  }

  @inlinable var beforeRest: Range<Int> { head..<before.count - tail }
  @inlinable var afterRest: Range<Int> { head..<after.count - tail }

  @inlinable
  func path(before index: Int) -> RowPath { RowPath(section: beforeStart.section, row: beforeStart.row + index) }

  @inlinable
  func path(after index: Int) -> RowPath { RowPath(section: afterStart.section, row: afterStart.row + index) }

  @inlinable
  func row(before path: RowPath) -> Row? {
    let index = path.row - beforeStart.row
    return path.section == beforeStart.section && before.indices.contains(index) ? before[index] : nil
  }

  @inlinable
  func row(after path: RowPath) -> Row? {
    let index = path.row - afterStart.row
    return path.section == afterStart.section && after.indices.contains(index) ? after[index] : nil
  }

  /// What came or went, if it is one of the two.
  @inlinable var operations: Changeset<RowPath>? {
    guard beforeRest.isEmpty || afterRest.isEmpty else { return nil }
    return Changeset(deletes: beforeRest.map { path(before: $0) }, inserts: afterRest.map { path(after: $0) })
  }

  /// The move of one row past some others.
  @inlinable var rotation: Changeset<RowPath>? {
    let (low, high) = (beforeRest.lowerBound, beforeRest.upperBound - 1)
    guard beforeRest == afterRest, low < high else { return nil }
    let (from, to, shift) = before[high].id == after[low].id ? (high, low, 1) : (low, high, -1)
    guard before[from].id == after[to].id else { return nil }
    for index in beforeRest where index != from && before[index].id != after[index + shift].id { return nil }
    return Changeset(moves: [.init(from: path(before: from), to: path(after: to))])
  }

  /// Adds the updates of rows that did not come, go or move. Those between the ends have stayed only in a rotation.
  @inlinable
  func addUpdates(to rows: inout Changeset<RowPath>) {
    for index in 0..<head where before[index] != after[index] { addUpdate(index, index, to: &rows) }
    if !beforeRest.isEmpty, !afterRest.isEmpty {
      let shift = before[beforeRest.upperBound - 1].id == after[afterRest.lowerBound].id ? 1 : -1
      for index in beforeRest.dropFirst(shift < 0 ? 1 : 0).dropLast(shift > 0 ? 1 : 0)
      where before[index] != after[index + shift] { addUpdate(index, index + shift, to: &rows) }
    }
    for offset in stride(from: tail, to: 0, by: -1) where before[before.count - offset] != after[after.count - offset] {
      addUpdate(before.count - offset, after.count - offset, to: &rows)
    }
  }

  @inlinable
  func addUpdate(_ old: Int, _ new: Int, to rows: inout Changeset<RowPath>) {
    rows.updates.append(.init(from: path(before: old), to: path(after: new)))
  }
}

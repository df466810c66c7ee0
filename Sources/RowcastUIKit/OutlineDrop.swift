package import RowcastStore
package import RowcastViews

/// The edit for rows that a person drops between two rows of an outline.
package struct OutlineDrop<SectionID: Hashable & Sendable, RowID: Hashable & Sendable>: Equatable, Sendable {
  /// Their move among the children of the parent, in the list that the outline is made of.
  package var move: RowMove<SectionID, RowID>
  /// Their parent after the drop.
  package var parent: RowID?
  /// The rows that are not its children yet.
  package var newcomers: [RowID]

  /// The drop of rows; `nil` between rows that move along with them.
  ///
  /// If the row below is a child of the row above, they become its first children. Otherwise they become siblings of the row
  /// above, or of one of its ancestors if no more descendants of that ancestor follow: if the first of them can keep its own
  /// parent, it does.
  ///
  /// - Parameters:
  ///   - move: The move in the outline. A row above or below that has no place counts as none.
  ///   - place: The place of a row in the outline.
  package init?(_ move: RowMove<SectionID, RowID>, at place: (RowID) -> OutlinePlace<RowID>?) {
    let moving = Set(move.ids)
    /// The row and its ancestors.
    func path(_ id: RowID) -> [RowID] {
      var path = [id]
      // Places that are made by hand may be wrong.
      while let parent = place(path[path.count - 1])?.parent, !path.contains(parent) { path.append(parent) }
      return path
    }
    let (above, below) = (move.previous.flatMap(place), move.next.flatMap(place))
    for (id, place) in [(move.previous, above), (move.next, below)] {
      if let id, place != nil, !moving.isDisjoint(with: path(id)) { return nil }
    }
    var dropped = move
    // Descendants of other dropped rows move along with them.
    dropped.ids.removeAll { !moving.isDisjoint(with: path($0).dropFirst()) }
    var parent = below?.parent
    if let above, let previous = move.previous, parent != previous {
      let own = dropped.ids.first.flatMap(place)?.parent
      let beside = path(previous).prefix { (place($0)?.depth ?? 0) >= (below?.depth ?? 0) }
      let sibling = beside.first { place($0)?.parent == own }
      (parent, dropped.previous) = sibling == nil ? (above.parent, previous) : (own, sibling)
    } else {
      // Directly before the first child that is shown: a parent may be anywhere.
      dropped.previous = nil
    }
    (self.move, self.parent) = (dropped, parent)
    newcomers = dropped.ids.filter { [parent] in place($0)?.parent != parent }
  }
}

extension ListEditor {
  /// Performs a drop. Nothing changes if the parent was removed, or would be among its own descendants.
  package mutating func moveRows<SectionID>(
    _ drop: OutlineDrop<SectionID, Row.ID>, parent: WritableKeyPath<Row, Row.ID?>
  ) throws {
    var (ancestor, seen) = (drop.parent, Set<Row.ID>())
    while let id = ancestor, seen.insert(id).inserted {
      guard let row = row(id) else {
        if id == drop.parent { return }
        break
      }
      if drop.move.ids.contains(id) { return }
      ancestor = row[keyPath: parent]
    }
    for id in drop.newcomers where row(id) != nil {
      try update(id) { $0[keyPath: parent] = drop.parent }
    }
    moveRows(drop.move)
  }

  /// Removes rows with all their descendants. Rows that the list no longer has are left out.
  ///
  /// - Complexity: O(n + m log n) for m of n rows.
  package mutating func removeRows(_ ids: [Row.ID], withThoseUnderThemBy parent: KeyPath<Row, Row.ID?>) throws {
    let children = Dictionary(grouping: snapshot.allRows) { $0[keyPath: parent] }
    var open = ids
    while let id = open.popLast() {
      guard path(ofRow: id) != nil else { continue }
      try remove(id)
      for child in children[id] ?? [] { open.append(child.id) }
    }
  }
}

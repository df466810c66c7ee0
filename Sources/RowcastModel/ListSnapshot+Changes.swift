public import RowcastDiff

extension ListSnapshot {
  /// What turns this list into another one.
  ///
  /// If one list came from the other by edits, both share most of their nodes, and what is shared is skipped. Lists that
  /// share nothing are compared row by row. If an edit moved one row and changed nothing else in the order, that row is told
  /// as the one that moved, and not the neighbour that it passed.
  ///
  /// - Parameter after: The list to arrive at.
  /// - Returns: The changes; empty exactly if both lists are equal. Moves are minimal.
  /// - Complexity: O(d log n) for d changed rows and sections if one list came from the other by edits of a store.
  ///   Otherwise O(n) comparisons for the n rows and sections of both lists, one hash for each id that comparing did
  ///   not find, and O(m log m) for m runs of survivors out of order. `==` is asked at most once for each survivor, and once
  ///   more, of itself, for each that it tells apart.
  @inlinable
  public func changes(to after: ListSnapshot) -> ListChanges {
    var comparison = SnapshotComparison<Section, Row>()
    var changes =
      SnapshotComparison<Section, Row>.eventChanges(from: self, to: after) ?? comparison.changes(from: self, to: after)
    if let up = after.movedUp { Self.tell(up, in: &changes) }
    return changes
  }

  /// Tells which of two neighbours an edit moved, where these changed places and nothing else says which.
  ///
  /// The differ tells the one that went down. Both are the same change, and so a list may be compared with any other one.
  ///
  /// - Parameters:
  ///   - up: The path after the change of the row that went up.
  ///   - changes: The changes.
  @usableFromInline
  static func tell(_ up: RowPath, in changes: inout ListChanges) {
    let down = RowPath(section: up.section, row: up.row + 1)
    guard changes.rows.moves.count == 1, changes.rows.moves[0] == .init(from: up, to: down),
      changes.rows.deletes.isEmpty, changes.rows.inserts.isEmpty, !changes.sections.hasStructure
    else { return }
    // Of two neighbours one of which has other content, that one is told.
    func isUpdated(_ path: RowPath) -> Bool { changes.rows.updates.contains { $0.to == path } }
    if !isUpdated(down) || isUpdated(up) { changes.rows.moves = [.init(from: down, to: up)] }
  }

  /// The list that changes lead to, starting from this one.
  ///
  ///     before.applying(before.changes(to: after), inserting: after)  // == after
  ///
  /// - Parameters:
  ///   - changes: What to change: deletes and sources by the paths of this list.
  ///   - after: Where to find what is inserted and updated, by the paths after the change.
  /// - Returns: The list after the change.
  /// - Precondition: The changes lead from this list to one with the section and row counts of `after`.
  /// - Complexity: O(n) for n rows and sections, and O(k log n) for k operations. The result shares what does not change.
  public func applying(_ changes: ListChanges, inserting after: ListSnapshot) -> ListSnapshot {
    var draft = ListDraft(self)
    draft.edit(ListPatch(changes, to: after))
    return draft.snapshot
  }
}

extension Changeset {
  /// Whether anything comes, goes or moves.
  @inlinable package var hasStructure: Bool { !deletes.isEmpty || !inserts.isEmpty || !moves.isEmpty }
}

extension ListSnapshot {
  /// Whether both lists are one: they share all nodes.
  @inlinable
  package func isIdentical(to other: ListSnapshot) -> Bool { tree.root.node.address == other.tree.root.node.address }
}

extension ListSnapshot: Equatable {
  /// Whether both lists have equal sections with equal rows in the same order. What they share is not compared. Of values
  /// that are not equal to themselves those are equal that show the same; see ``RowViewModel``.
  ///
  /// - Complexity: O(d log n) for d rows and sections that are not shared.
  @inlinable
  public static func == (lhs: ListSnapshot, rhs: ListSnapshot) -> Bool {
    lhs.rowCount == rhs.rowCount
      && lhs.tree.isSame(as: rhs.tree) {
        ($0.model == $1.model || showSame($0.model, $1.model)) && $0.rows.hasSameRows(as: $1.rows)
      }
  }
}

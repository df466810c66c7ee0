public import RowcastDiff

/// A list of any rows that can be compared.
///
/// It is a protocol so that the compiler finds the differ only where it is specialised: otherwise each module with code for lists
/// of any rows would optimise the differ, which it does not use.
@usableFromInline
package protocol DifferingList {
  associatedtype Row
  var rowCount: Int { get }
  func changes(to after: Self) -> ListChanges
  static func changes(from before: Self, to after: Self) -> ListChanges
  static func changes(from before: [Row], to after: [Row]) -> Changeset<Int>
}

@inlinable
@inline(never)
func differ<List: DifferingList>(from before: List, to after: List) -> ListChanges {
  List.changes(from: before, to: after)
}

@inlinable
@inline(never)
func differ<List: DifferingList>(
  from before: [List.Row], to after: [List.Row], in list: List.Type
) -> Changeset<Int> {
  list.changes(from: before, to: after)
}

extension ListSnapshot: DifferingList {
  /// The difference of this list and another one.
  ///
  /// If one list was made from the other by edits, both share most of their nodes, and shared nodes are skipped. Lists that
  /// share nothing are compared row by row.
  ///
  /// - Parameter after: The list to arrive at.
  /// - Returns: The changes; empty exactly if both lists are equal. Moves are minimal.
  /// - Complexity: O(d log n) for d changed rows and sections if one list was made from the other by edits of a store.
  ///   Otherwise O(n) comparisons for the n rows and sections of both lists, one hash for each id that comparing did
  ///   not find, and O(m log m) for m runs of survivors out of order. `==` is called at most once for each survivor, and for
  ///   each that is unequal once more, with itself.
  @inlinable
  public func changes(to after: ListSnapshot) -> ListChanges { differ(from: self, to: after) }

  @inlinable
  package static func changes(from before: ListSnapshot, to after: ListSnapshot) -> ListChanges {
    // Lists of different lineages share nothing, and need not be searched for it.
    let isRelated = before.lineage == after.lineage
    // Both trees of sections, and then the trees of rows of each surviving section, are reduced to gaps for the differ.
    return withExtendedLifetime((before, after)) {
      withScratch { scratch in
        var sections = TreeComparison<SectionKind<Section, Row>>(&scratch)
        sections.compare(before.tree, after.tree, isRelated: isRelated)
        if sections.gaps.isEmpty { return ListChanges() }
        var rows = TreeComparison<RowKind<Row>>(&scratch)
        let changes = changes(ofSectionsIn: sections.gaps) {
          rows.compare(
            $0.old[$2.old].rows, $1.new[$2.new].rows,
            section: IndexPair(old: $0.offset.row.old + $2.old, new: $1.offset.row.new + $2.new), isRelated: isRelated)
        }
        return ListChanges(sections: changes, rows: Changeset(comparing: rows.gaps))
      }
    }
  }

  @inlinable
  package static func changes(from before: [Row], to after: [Row]) -> Changeset<Int> {
    Changeset(from: before, to: after)
  }

  @usableFromInline typealias SectionGap = Gap<SectionEntry<Section, Row>>

  /// The difference of the sections, which are in gaps. `body` gets each survivor, as for ``Changeset``.
  ///
  /// Most often all sections keep their places, and are compared with those at the same index. The differ for other cases is
  /// not specialised: that would be a seventh of the code that a program compiles for each kind of list. It takes 2 to 3 µs more
  /// for a section that is inserted or moved, and 2.5 times as long for many: 4 ms for 10,000 in another order.
  @inlinable
  static func changes(
    ofSectionsIn gaps: borrowing ScratchArray<SectionGap>,
    forEachSurvivor body: (_ old: SectionGap, _ new: SectionGap, _ index: IndexPair) -> Void
  ) -> Changeset<Int> {
    for gap in 0..<gaps.count {
      let (old, new) = (gaps[gap].old, gaps[gap].new)
      if old.count != new.count { return match(gaps, forEachSurvivor: body) }
      for index in 0..<old.count where old[index].model.id != new[index].model.id {
        return match(gaps, forEachSurvivor: body)
      }
    }
    var changes = Changeset<Int>()
    for gap in 0..<gaps.count {
      let gap = gaps[gap]
      let row = gap.offset.row
      for index in 0..<gap.old.count {
        body(gap, gap, IndexPair(old: index, new: index))
        let (old, new) = (gap.old[index].model, gap.new[index].model)
        if areUnchanged(old, new) { continue }
        changes.updates.append(Changeset.Transition(from: row.old + index, to: row.new + index))
      }
    }
    return changes
  }

  @usableFromInline
  static func match(
    _ gaps: borrowing ScratchArray<SectionGap>,
    forEachSurvivor body: (_ old: SectionGap, _ new: SectionGap, _ index: IndexPair) -> Void
  ) -> Changeset<Int> {
    Changeset(comparing: gaps, SectionKind<Section, Row>(), forEachSurvivor: body)
  }

  /// The list that changes lead to, starting from this one.
  ///
  ///     before.applying(before.changes(to: after), inserting: after)  // == after
  ///
  /// - Parameters:
  ///   - changes: The changes: deletes and sources by the paths of this list.
  ///   - after: The list that has the inserted and updated rows and sections, by the paths after the change.
  /// - Returns: The list after the change.
  /// - Precondition: The changes lead from this list to one with the section and row counts of `after`.
  /// - Complexity: O(n) for n rows and sections, and O(k log n) for k operations. The result shares the unchanged parts.
  public func applying(_ changes: ListChanges, inserting after: ListSnapshot) -> ListSnapshot {
    var draft = ListDraft(self)
    draft.edit(ListPatch(changes, to: after))
    return draft.snapshot
  }
}

extension Changeset {
  /// A Boolean value that tells if anything is deleted, inserted or moved.
  @inlinable package var hasStructure: Bool { !deletes.isEmpty || !inserts.isEmpty || !moves.isEmpty }
}

extension ListSnapshot {
  /// A Boolean value that tells if both lists are identical: they share all nodes.
  @inlinable
  package func isIdentical(to other: ListSnapshot) -> Bool { tree.root.node.address == other.tree.root.node.address }
}

extension ListSnapshot: Equatable {
  /// Returns `true` if both lists have equal sections with equal rows in the same order. Shared nodes are not compared. Values
  /// that are unequal to themselves are equal if they have the same content; see ``RowViewModel``.
  ///
  /// - Complexity: O(d log n) for d rows and sections that are not shared.
  @inlinable
  public static func == (lhs: ListSnapshot, rhs: ListSnapshot) -> Bool {
    lhs.rowCount == rhs.rowCount
      && lhs.tree.isSame(as: rhs.tree) {
        areUnchanged($0.model, $1.model) && $0.rows.hasSameRows(as: $1.rows)
      }
  }
}

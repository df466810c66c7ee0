public import RowcastDiff

extension ListDraft {
  /// Makes the list equal to a snapshot.
  ///
  /// The difference is computed once and then applied, so that the list still shares equal parts with its former snapshots. If
  /// nearly everything differs, the snapshot replaces the list.
  ///
  /// - Complexity: The cost of the difference, and O(d log n) for d operations or O(n), whichever is less.
  @inlinable
  package mutating func replace(with target: ListSnapshot<Section, Row>) {
    let changes = list.changes(to: target)
    if changes.isEmpty { return }
    var work = changes.count
    for index in changes.sections.deletes { work += list.rowCount(inSection: index) }
    for index in changes.sections.inserts { work += target.rowCount(inSection: index) }
    if work > 64 + target.rowCount / 4 {
      if committedIndex.isEmpty { committedIndex = [nodeIndex] }
      (list, nodeIndex) = Self.adopt(target)
      nodeIndex.commit()
      edits += 1
    } else {
      let before = edits
      edit(ListPatch(changes, to: target))
      edits = before + 1
    }
    checkInvariants()
  }

  /// Gives a section other rows. Rows that it has are moved and updated, not replaced.
  ///
  /// - Precondition: The index lies within the list. The ids of the rows are unique, and in no other section.
  /// - Complexity: O(m) for the m rows of the section before and after, as far as they differ.
  @inlinable
  package mutating func replaceRows(inSection index: Int, with rows: [Row]) {
    let old = Array(list.rows(inSection: index))
    let changes = differ(from: old, to: rows, in: ListSnapshot<Section, Row>.self)
    if changes.isEmpty { return }
    let before = edits
    if changes.count > 64 + rows.count / 4 {
      list.totalRows += rows.count - old.count
      list.tree.modify(at: index, &nodeIndex) { entry, nodeIndex in
        entry.rows.replaceSubrange(0..<old.count, with: rows, &nodeIndex)
      }
    } else {
      edit(
        ListPatch(
          ListChanges(rows: changes.onRows(ofSection: index)), insertedSections: [],
          insertedRows: changes.inserts.map { rows[$0] }, updatedRows: changes.updates.map { rows[$0.to] }))
    }
    edits = before + 1
    checkInvariants(inSection: index)
  }
}

extension Changeset<Int> {
  /// The same operations on the rows of a section.
  @usableFromInline
  func onRows(ofSection section: Int) -> Changeset<RowPath> {
    func path(_ row: Int) -> RowPath { RowPath(section: section, row: row) }
    func paths(_ all: [Transition]) -> [Changeset<RowPath>.Transition] {
      all.map { .init(from: path($0.from), to: path($0.to)) }
    }
    return Changeset<RowPath>(
      deletes: deletes.map(path), inserts: inserts.map(path), moves: paths(moves), updates: paths(updates))
  }
}

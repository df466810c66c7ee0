public import RowcastDiff

extension ListDraft {
  /// Makes the list equal to a snapshot.
  ///
  /// The difference is computed once and then applied, so that the list still shares equal parts with its former snapshots. If
  /// nearly everything differs, the snapshot replaces the list.
  ///
  /// - Complexity: That of the difference, and O(d log n) for d operations or O(n), whichever is less.
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

  /// Applies changes that start from this list: departures from high to low, arrivals from low to high, then updates.
  @inlinable
  package mutating func edit(_ patch: ListPatch<Section, Row>) {
    let (sections, rows) = (patch.changes.sections, patch.changes.rows)
    let arriving = patch.insertedRows + rows.moves.map { list.row(at: $0.from) }
    for path in (rows.deletes + rows.moves.map { $0.from }).ascending.reversed() { removeRow(at: path) }
    apply(sections) { patch.insertedSections[$1] }
    let paths = rows.inserts + rows.moves.map { $0.to }
    for index in indexesInOrder(paths.count, by: { paths[$0] < paths[$1] }) {
      insertRow(arriving[index], at: paths[index])
    }
    for (place, update) in sections.updates.enumerated() where place < patch.updatedSections.count {
      replaceSection(at: update.to, with: patch.updatedSections[place])
    }
    for (place, update) in rows.updates.enumerated() where place < patch.updatedRows.count {
      replaceRow(at: update.to, with: patch.updatedRows[place])
    }
  }

  /// Applies the deletes, inserts and moves of sections. Sections move with their rows.
  ///
  /// - Parameters:
  ///   - changes: The changes, which start from this list.
  ///   - section: Makes the section of an insertion, by its index in the list and its place among the insertions.
  @inlinable
  package mutating func apply(
    _ changes: Changeset<Int>, section: (_ index: Int, _ place: Int) -> ListSection<Section, Row>
  ) {
    changes.apply(
      element: { list.entry(at: $0) },
      remove: { index, isMoving in
        if isMoving { _ = list.tree.remove(at: index, &nodeIndex) } else { removeSection(at: index) }
      },
      insert: { index, place in
        let arrival = section(index, place)
        insertSection(arrival.model, rows: arrival.rows, at: index)
      },
      move: { index, entry in
        list.tree.insert(entry, at: index, &nodeIndex)
        edits += 1
      })
    checkInvariants()
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

extension Changeset {
  /// Applies deletes, inserts and moves: departures from high to low, then arrivals from low to high.
  ///
  /// - Parameters:
  ///   - element: The element at a position before the change. It is read of those that move.
  ///   - remove: Takes out the element at a position. The flag is `true` if it moves.
  ///   - insert: Puts in a new element at a position, by its place among the insertions.
  ///   - move: Puts in an element that was taken out.
  @inlinable
  func apply<Element>(
    element: (Position) -> Element, remove: (Position, _ isMoving: Bool) -> Void,
    insert: (Position, _ place: Int) -> Void, move: (Position, Element) -> Void
  ) {
    if !hasStructure { return }
    let moving = moves.map { element($0.from) }
    let leaving = deletes + moves.map { $0.from }
    for place in indexesInOrder(leaving.count, by: { leaving[$0] > leaving[$1] }) {
      remove(leaving[place], place >= deletes.count)
    }
    let arriving = inserts + moves.map { $0.to }
    for place in indexesInOrder(arriving.count, by: { arriving[$0] < arriving[$1] }) {
      if place < inserts.count {
        insert(arriving[place], place)
      } else {
        move(arriving[place], moving[place - inserts.count])
      }
    }
  }
}

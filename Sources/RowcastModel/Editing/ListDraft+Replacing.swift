public import RowcastDiff

extension ListDraft {
  /// Makes the list equal to a snapshot.
  ///
  /// The difference is made once and then edited in, so that the list goes on sharing what does not differ with the
  /// snapshots that were taken of it. If nearly all differs, the snapshot takes the place of the list.
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
    let changes = Changeset(from: old, to: rows)
    if changes.isEmpty { return }
    let before = edits
    if changes.count > 64 + rows.count / 4 {
      list.totalRows += rows.count - old.count
      list.tree.modify(at: index, &nodeIndex) { entry, nodeIndex in
        entry.rows.replaceSubrange(0..<old.count, with: rows, &nodeIndex)
      }
    } else {
      func path(_ row: Int) -> RowPath { RowPath(section: index, row: row) }
      let leaving = changes.deletes + changes.moves.map { $0.from }
      for row in leaving.sorted(by: >) { removeRow(at: path(row)) }
      let arriving = changes.inserts + changes.moves.map { $0.to }
      for row in arriving.sorted() { insertRow(rows[row], at: path(row)) }
      for update in changes.updates { replaceRow(at: path(update.to), with: rows[update.to]) }
    }
    edits = before + 1
    checkInvariants(inSection: index)
  }

  /// Edits in changes that start from this list: departures from high to low, arrivals from low to high, then updates.
  @inlinable
  package mutating func edit(_ patch: ListPatch<Section, Row>) {
    let (sections, rows) = (patch.changes.sections, patch.changes.rows)
    let arriving = patch.insertedRows + rows.moves.map { list.row(at: $0.from) }
    for path in (rows.deletes + rows.moves.map { $0.from }).sorted(by: >) { removeRow(at: path) }
    let arrivals = Dictionary(zip(sections.inserts, patch.insertedSections)) { first, _ in first }
    apply(sections) { index in
      guard let section = arrivals[index] else { preconditionFailure("No section arrives at \(index)") }
      return section
    }
    let paths = rows.inserts + rows.moves.map { $0.to }
    for index in paths.indices.sorted(by: { paths[$0] < paths[$1] }) { insertRow(arriving[index], at: paths[index]) }
    for (update, section) in zip(sections.updates, patch.updatedSections) {
      replaceSection(at: update.to, with: section)
    }
    for (update, row) in zip(rows.updates, patch.updatedRows) { replaceRow(at: update.to, with: row) }
  }

  /// Edits in what changes of sections do to the order. Sections that move bring their rows along.
  @inlinable
  package mutating func apply(_ changes: Changeset<Int>, section: (Int) -> ListSection<Section, Row>) {
    if !changes.hasStructure { return }
    var moving: [Int: SectionEntry<Section, Row>] = [:]
    for move in changes.moves { moving[move.to] = list.entry(at: move.from) }
    let movesFrom = Set(changes.moves.map { $0.from })
    for index in (changes.deletes + movesFrom).sorted(by: >) {
      if movesFrom.contains(index) { _ = list.tree.remove(at: index, &nodeIndex) } else { removeSection(at: index) }
    }
    for index in (changes.inserts + changes.moves.map { $0.to }).sorted() {
      if let entry = moving[index] {
        list.tree.insert(entry, at: index, &nodeIndex)
        edits += 1
      } else {
        let arrival = section(index)
        insertSection(arrival.model, rows: arrival.rows, at: index)
      }
    }
    checkInvariants()
  }
}

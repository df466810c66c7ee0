public import RowcastDiff

/// Changes with the content that they insert and update, which can be applied without the list that they lead to.
@usableFromInline
package struct ListPatch<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// The operations on sections and rows.
  @usableFromInline package let changes: ListChanges
  /// The inserted sections, with all their rows, in the order of `changes.sections.inserts`.
  @usableFromInline package let insertedSections: [ListSection<Section, Row>]
  /// The sections as they are after the change, in the order of `changes.sections.updates`.
  @usableFromInline package let updatedSections: [Section]
  /// The inserted rows, in the order of `changes.rows.inserts`.
  @usableFromInline package let insertedRows: [Row]
  /// The rows as they are after the change, in the order of `changes.rows.updates`.
  @usableFromInline package let updatedRows: [Row]

  /// Creates a patch of parts that have an element for each of their operations. Updates without content are left out.
  @inlinable
  package init(
    _ changes: ListChanges, insertedSections: [ListSection<Section, Row>], updatedSections: [Section] = [],
    insertedRows: [Row], updatedRows: [Row] = []
  ) {
    self.changes = changes
    self.insertedSections = insertedSections
    self.updatedSections = updatedSections
    self.insertedRows = insertedRows
    self.updatedRows = updatedRows
  }

  /// Creates a patch from changes and the list that they lead to.
  ///
  /// - Complexity: O(k log n) for k operations, those of inserted sections included.
  @inlinable
  package init(_ changes: ListChanges, to after: ListSnapshot<Section, Row>) {
    self.init(
      changes,
      insertedSections: changes.sections.inserts.map {
        ListSection(after.section(at: $0), rows: Array(after.rows(inSection: $0)))
      },
      updatedSections: changes.sections.updates.map { after.section(at: $0.to) },
      insertedRows: changes.rows.inserts.map { after.row(at: $0) },
      updatedRows: changes.rows.updates.map { after.row(at: $0.to) })
  }
}

extension ListDraft {
  /// Applies changes of unknown origin, if they fit the list.
  ///
  /// - Parameter patch: The changes, which may start from any list.
  /// - Throws: `ListError` for changes that a strict table would refuse, ids that the list has already or that are not
  ///   equal to themselves, and updates that change an id. The list is then as it was.
  /// - Complexity: O(k log n) for k operations on n rows, those of inserted and deleted sections included.
  @inlinable
  package mutating func apply(_ patch: ListPatch<Section, Row>) throws(ListError<Section.ID, Row.ID>) {
    try check(patch)
    edit(patch)
  }

  @inlinable
  func check(_ patch: ListPatch<Section, Row>) throws(ListError<Section.ID, Row.ID>) {
    let counts = patch.insertedSections.map { $0.rows.count }
    do {
      try BatchValidator(
        patch.changes, sectionCount: list.sectionCount, insertedRowCounts: counts
      ) { [list] in list.rowCount(inSection: $0) }
      .validate()
    } catch {
      throw .refused(error)
    }
    try checkArrivals(of: patch)
    for (place, update) in patch.changes.sections.updates.enumerated() where place < patch.updatedSections.count {
      let (known, id) = (list.section(at: update.from).id, patch.updatedSections[place].id)
      guard known == id else { throw .changedSectionID(from: known, to: id) }
    }
    for (place, update) in patch.changes.rows.updates.enumerated() where place < patch.updatedRows.count {
      let (known, id) = (list.row(at: update.from).id, patch.updatedRows[place].id)
      guard known == id else { throw .changedRowID(from: known, to: id) }
    }
  }

  /// Checks that each arriving id is new, or belongs to a row or section that leaves.
  @inlinable
  func checkArrivals(of patch: ListPatch<Section, Row>) throws(ListError<Section.ID, Row.ID>) {
    let (sections, rows) = (patch.changes.sections, patch.changes.rows)
    let (deletedSections, deletedRows) = (Set(sections.deletes), Set(rows.deletes))
    var seenSections: [Section.ID: Int] = [:]
    var seenRows: [Row.ID: RowPath] = [:]

    func checkRow(_ row: Row, at path: RowPath) throws(ListError<Section.ID, Row.ID>) {
      try checkArrival(of: row.id, at: path, &seenRows) {
        deletedRows.contains($0) || deletedSections.contains($0.section)
      }
    }

    for (place, index) in sections.inserts.enumerated() {
      let id = patch.insertedSections[place].model.id
      let staying = self.index(ofSection: id).flatMap { deletedSections.contains($0) ? nil : $0 }
      try ListError<Section.ID, Row.ID>.check(
        id, at: index, known: staying ?? seenSections.updateValue(index, forKey: id))
      for row in patch.insertedSections[place].rows.indices {
        try checkRow(patch.insertedSections[place].rows[row], at: RowPath(section: index, row: row))
      }
    }
    for (place, path) in rows.inserts.enumerated() { try checkRow(patch.insertedRows[place], at: path) }
  }

  /// Checks that a row may be inserted at a path: its id is equal to itself, and no row that stays or was inserted before has
  /// it.
  ///
  /// - Throws: `nonReflexiveRowID`, `duplicateRow`.
  @inlinable
  package func checkArrival(
    of id: Row.ID, at path: RowPath, _ arrivals: inout [Row.ID: RowPath], isLeaving: (RowPath) -> Bool
  ) throws(ListError<Section.ID, Row.ID>) {
    let staying = self.path(ofRow: id).flatMap { isLeaving($0) ? nil : $0 }
    try ListError<Section.ID, Row.ID>.check(id, at: path, known: staying ?? arrivals.updateValue(path, forKey: id))
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

extension Changeset {
  /// Applies deletes, inserts and moves: departures from high to low, then arrivals from low to high.
  ///
  /// - Parameters:
  ///   - element: The element at a position before the change. It is called for elements that move.
  ///   - remove: Removes the element at a position. The flag is `true` if it moves.
  ///   - insert: Inserts a new element at a position, by its place among the insertions.
  ///   - move: Inserts an element that was removed.
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

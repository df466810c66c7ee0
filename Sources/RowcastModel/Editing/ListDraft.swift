public import RowcastDiff

/// A list that is being edited: the newest snapshot, and an index that finds its rows and sections by id.
///
/// This is the core of a store, for code that owns a list without an actor. Edits name places: places must be within the list,
/// and the caller keeps ids unique. Snapshots taken between edits share their unchanged parts, and are never changed.
///
///     var draft = ListDraft(snapshot)
///     if let path = draft.path(ofRow: id) { draft.removeRow(at: path) }
///     let changes = snapshot.changes(to: draft.snapshot)  // costs what was edited
///
/// Edits belong to a transaction until ``commit()``; ``rollBack(to:)`` undoes it. Unless stated otherwise, an edit and a look-up
/// take O(log n), and O(m) more for m rows.
@usableFromInline
package struct ListDraft<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @inlinable package var snapshot: ListSnapshot<Section, Row> { list }

  /// The number of edits, since the last commit, that each changed the list. Together they may have changed nothing.
  @inlinable package var editCount: Int { edits }

  @usableFromInline package var list: ListSnapshot<Section, Row>
  /// Finds the rows and sections of ``list``.
  @usableFromInline package var nodeIndex: NodeIndex
  /// The node index of the last commit, with its journal, if the transaction has made a new one. One at most.
  @usableFromInline var committedIndex: [NodeIndex] = []
  @usableFromInline var edits = 0
  /// Where the first of them removed or inserted a row.
  @usableFromInline var firstPath: RowPath?

  @inlinable
  package init(_ snapshot: ListSnapshot<Section, Row> = .init()) {
    (list, nodeIndex) = Self.adopt(snapshot)
    nodeIndex.commit()
  }

  @inlinable
  package mutating func commit() {
    nodeIndex.commit()
    if !committedIndex.isEmpty { committedIndex = [] }
    (edits, firstPath) = (0, nil)
  }

  /// Returns true if the edits since the last commit, when the list was `former`, changed it. A single edit cannot cancel itself;
  /// several may cancel out.
  @inlinable
  package func hasChanged(from former: ListSnapshot<Section, Row>) -> Bool {
    edits == 1 || edits > 1 && !isUndone(since: former)
  }

  /// Usually another row is where the first edit was, which is found at once: comparing the lists takes 0.5 µs and more. Not
  /// inlined: it is rare and long.
  @inlinable
  @inline(never)
  func isUndone(since former: ListSnapshot<Section, Row>) -> Bool {
    guard let path = firstPath, list.contains(path), former.contains(path) else { return list == former }
    return list.row(at: path).id == former.row(at: path).id && list == former
  }

  /// Ends the transaction and undoes its edits.
  ///
  /// - Parameter snapshot: The list at the last commit.
  /// - Complexity: O(e log n) for e edits.
  @inlinable
  package mutating func rollBack(to snapshot: ListSnapshot<Section, Row>) {
    if let nodeIndex = committedIndex.popLast() { self.nodeIndex = nodeIndex }
    nodeIndex.rollBack()
    list = snapshot
    (edits, firstPath) = (0, nil)
    checkInvariants()
  }

  /// Makes a node index for a list. Keeps the list's nodes if their numbers can be used.
  @inlinable
  static func adopt(_ list: ListSnapshot<Section, Row>) -> (ListSnapshot<Section, Row>, NodeIndex) {
    let count = list.rowCount + list.sectionCount
    let limit = 4 * count + 64
    var nodeIndex = NodeIndex(minimumCapacity: count)
    let isKept = list.tree.adopt(into: &nodeIndex, parent: 0, limit: limit) { entry, leaf, nodeIndex in
      entry.rows.adopt(into: &nodeIndex, parent: leaf, limit: limit) { _, _, _ in true }
    }
    if isKept {
      nodeIndex.finishAdoption()
      return (list, nodeIndex)
    }
    var fresh = NodeIndex(minimumCapacity: count)
    let copy = ListSnapshot(list.material, sectionShape: list.tree.shape, rowShape: list.rowShape, &fresh)
    return (copy, fresh)
  }

  // MARK: - Finding

  @inlinable
  package func index(ofSection id: Section.ID) -> Int? { list.tree.position(of: id, nodeIndex) }

  @inlinable
  package func path(ofRow id: Row.ID) -> RowPath? { find(id)?.path }

  @inlinable
  package func find(_ id: Row.ID) -> (path: RowPath, row: Row)? { list.find(id, nodeIndex) }

  /// Does what ``find(_:)`` does, for a draft that is a property of an object. Such a property is copied before it is read, with
  /// ten references to count, which takes as long as finding; a mutating access does not copy it.
  @inlinable
  package mutating func locate(_ id: Row.ID) -> (path: RowPath, row: Row)? { list.find(id, nodeIndex) }
}

extension ListSnapshot {
  /// See ``ListDraft/find(_:)``. It needs two parts of the draft, and a closure in a method of the draft would copy all of it.
  @inlinable
  func find(_ id: Row.ID, _ nodeIndex: borrowing NodeIndex) -> (path: RowPath, row: Row)? {
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: NodeIndex.longestChain) { memory in
      let tag = NodeIndex.tag(of: id)
      var probe = 0
      // This loop is not shared with `Tree.position(of:_:)`: with a closure in it, finding a row takes a fifth longer.
      while true {
        let number = nodeIndex.table.candidate(for: tag, &probe)
        if number == 0 { return nil }
        if let found = unsafe find(id, along: nodeIndex.chain(from: number, in: memory)) { return found }
      }
    }
  }

  @inlinable
  func find(_ id: Row.ID, along chain: TreeChain) -> (path: RowPath, row: Row)? {
    var level = unsafe chain.count
    var path = RowPath(section: 0, row: 0)
    guard let entries = unsafe tree.leaf(along: chain, &level, &path.section), level > 0 else { return nil }
    guard let section = entries.indices.first(where: { unsafe entries[$0].rows.root.number == chain[level - 1] }),
      let rows = unsafe entries[section].rows.leaf(along: chain, &level, &path.row),
      let row = rows.indices.first(where: { rows[$0].id == id })
    else { return nil }
    path.section += section
    path.row += row
    return (path, rows[row])
  }
}

extension ListDraft {
  /// Checks, in debug builds, that the node index has as many elements as the list, and the right parent of the rows of a
  /// section. Every mutator ends here; whole lists are checked by tests.
  ///
  /// - Parameter section: The index of a section that was edited.
  @inlinable
  func checkInvariants(inSection section: Int? = nil) {
    #if DEBUG
      check(section)
    #endif
  }

  #if DEBUG
    @usableFromInline
    func check(_ section: Int?) {
      precondition(
        nodeIndex.elementCount == list.rowCount + list.sectionCount,
        "The index of \(Row.self) has \(nodeIndex.elementCount) elements, and the list \(list.rowCount) rows in "
          + "\(list.sectionCount) sections")
      list.checkRowCount()
      guard let section else { return }
      let root = list.entry(at: section).rows.root.number
      let leaf = list.tree.leafNumber(at: section)
      precondition(
        nodeIndex.parent(of: root) == leaf,
        "The rows of section \(section), of type \(Row.self), are known in node \(nodeIndex.parent(of: root)), not \(leaf)"
      )
    }
  #endif
}

extension ListSnapshot {
  /// Checks, in debug builds, that a list of few sections counts its rows.
  @inlinable
  func checkRowCount() { assert(hasCountedRows, "The list of \(Row.self) has not \(rowCount) rows") }

  /// True if the first sections have no more rows than the list counts. Sections that are being moved are in no tree.
  @usableFromInline var hasCountedRows: Bool {
    sectionCount > 16 || tree.reduce(0) { $0 + $1.rows.count } <= rowCount
  }
}

extension ListDraft {
  /// Counts an edit that removed or inserted rows at a path.
  @inlinable
  mutating func note(_ path: RowPath) {
    edits += 1
    if firstPath == nil { firstPath = path }
  }

  @inlinable
  package mutating func insertRow(_ row: Row, at path: RowPath) {
    list.tree.modify(at: path.section, &nodeIndex) { $0.rows.insert(row, at: path.row, &$1) }
    list.totalRows += 1
    note(path)
    checkInvariants(inSection: path.section)
  }

  @inlinable
  package mutating func insertRows(_ rows: [Row], at path: RowPath) {
    if rows.isEmpty { return }
    list.tree.modify(at: path.section, &nodeIndex) { entry, nodeIndex in
      if rows.count <= 2 * entry.rows.shape.leaf {
        for (offset, row) in rows.enumerated() { entry.rows.insert(row, at: path.row + offset, &nodeIndex) }
      } else {
        entry.rows.replaceSubrange(path.row..<path.row, with: rows, &nodeIndex)
      }
    }
    list.totalRows += rows.count
    note(path)
    checkInvariants(inSection: path.section)
  }

  @inlinable
  @discardableResult
  package mutating func removeRow(at path: RowPath) -> Row {
    let row = list.tree.modify(at: path.section, &nodeIndex) { $0.rows.remove(at: path.row, &$1) }
    list.totalRows -= 1
    note(path)
    checkInvariants(inSection: path.section)
    return row
  }

  /// Removes neighbouring rows of a section.
  @inlinable
  package mutating func removeRows(_ rows: Range<Int>, inSection section: Int) {
    if rows.isEmpty { return }
    list.tree.modify(at: section, &nodeIndex) { entry, nodeIndex in
      if rows.count <= 2 * entry.rows.shape.leaf {
        for row in rows.reversed() { _ = entry.rows.remove(at: row, &nodeIndex) }
      } else {
        entry.rows.replaceSubrange(rows, with: [], &nodeIndex)
      }
    }
    list.totalRows -= rows.count
    note(RowPath(section: section, row: rows.lowerBound))
    checkInvariants(inSection: section)
  }

  /// Gives the row at a path new content. Changes nothing if it has that content.
  @inlinable
  package mutating func replaceRow(at path: RowPath, with row: Row) {
    replaceRow(list.row(at: path), at: path, with: row)
  }

  /// Gives a row that was just found at a path new content. Changes nothing if it has that content.
  @inlinable
  package mutating func replaceRow(_ old: Row, at path: RowPath, with row: Row) {
    if areUnchanged(old, row) { return }
    // The context is the count of edits: an empty value has no address, and thread checkers report a race on it.
    list.tree.modify(at: path.section, &edits) { entry, edits in
      entry.rows.modify(at: path.row, &edits) { old, edits in
        old = row
        edits += 1
      }
    }
    checkInvariants(inSection: path.section)
  }

  /// Moves the row at a path to its path afterwards, in its section or another one.
  @inlinable
  package mutating func moveRow(from source: RowPath, to destination: RowPath) {
    if source == destination { return }
    if source.section == destination.section {
      list.tree.modify(at: source.section, &nodeIndex) { entry, nodeIndex in
        let row = entry.rows.remove(at: source.row, &nodeIndex)
        entry.rows.insert(row, at: destination.row, &nodeIndex)
      }
      note(source)
    } else {
      insertRow(removeRow(at: source), at: destination)
      edits -= 1
    }
    checkInvariants(inSection: destination.section)
  }

  @inlinable
  package mutating func insertSection(_ section: Section, rows: [Row] = [], at index: Int) {
    let tree = ListSnapshot<Section, Row>.Rows(rows, shape: list.rowShape, &nodeIndex)
    list.tree.insert(SectionEntry(section, rows: tree), at: index, &nodeIndex)
    list.totalRows += rows.count
    edits += 1
    checkInvariants(inSection: index)
  }

  /// Removes a section and its rows, and returns both.
  @inlinable
  @discardableResult
  package mutating func removeSection(at index: Int) -> ListSection<Section, Row> {
    let entry = list.tree.remove(at: index, &nodeIndex)
    entry.rows.removeAll(from: &nodeIndex)
    list.totalRows -= entry.rows.count
    edits += 1
    checkInvariants()
    return ListSection(entry.model, rows: Array(entry.rows))
  }

  /// Gives the section at an index new content, not its rows. Changes nothing if it has that content.
  @inlinable
  package mutating func replaceSection(at index: Int, with section: Section) {
    let old = list.section(at: index)
    if areUnchanged(old, section) { return }
    list.tree.modify(at: index, &edits) { entry, edits in
      entry.model = section
      edits += 1
    }
    checkInvariants(inSection: index)
  }

  /// Replaces the section at an index, even by an equal one that can be distinguished; that is no change.
  @inlinable
  package mutating func exchangeSection(at index: Int, with section: Section) {
    let old = list.section(at: index)
    let isSame = areUnchanged(old, section)
    list.tree.modify(at: index, &edits) { entry, edits in
      entry.model = section
      edits += isSame ? 0 : 1
    }
    checkInvariants(inSection: index)
  }

  /// Moves a section to its index afterwards, with its rows, which are not copied.
  @inlinable
  package mutating func moveSection(from source: Int, to destination: Int) {
    if source == destination { return }
    let entry = list.tree.remove(at: source, &nodeIndex)
    list.tree.insert(entry, at: destination, &nodeIndex)
    edits += 1
    checkInvariants(inSection: destination)
  }
}

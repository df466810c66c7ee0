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

  /// Makes a node index for a list. Keeps the list's nodes if their numbers are of use.
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
}

extension ListSnapshot {
  /// Checks, in debug builds, that a list of few sections counts its rows.
  @inlinable
  func checkRowCount() { assert(hasCountedRows, "The list of \(Row.self) has not \(rowCount) rows") }

  /// True if the first sections have no more rows than the list counts. Sections on their way to another place are in no tree.
  @usableFromInline var hasCountedRows: Bool {
    sectionCount > 16 || tree.reduce(0) { $0 + $1.rows.count } <= rowCount
  }
}

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

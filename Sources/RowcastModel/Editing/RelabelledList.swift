public import RowcastDiff

/// A list whose sections have the rows of another list's sections, and other section models.
///
/// The rows are not copied: both lists share the trees that hold them. It finds nothing by id.
@usableFromInline
package struct RelabelledList<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline package var list = ListSnapshot<Section, Row>()
  @usableFromInline var numbers = NodeIndex.numbering()

  @inlinable
  package init() {}

  /// Rebuilds the list of all sections of another one.
  ///
  /// - Complexity: O(s) for s sections.
  @inlinable
  package mutating func rebuild<Input>(
    from source: ListSnapshot<Input, Row>, _ section: (Input) -> Section
  ) {
    numbers = .numbering()
    list = ListSnapshot(
      tree: .init(
        source.tree.map { SectionEntry(section($0.model), rows: $0.rows) }, shape: .sections, &numbers),
      rowCount: source.rowCount, rowShape: source.rowShape)
    list.checkRowCount()
  }

  /// Follows the changes of the other list.
  ///
  /// - Parameters:
  ///   - changes: The changes of the other list.
  ///   - after: The other list after the changes.
  ///   - section: Makes the model of a section that is inserted, or that differs in anything, by its index after the change.
  /// - Complexity: O(d log s) for d operations and s sections.
  @inlinable
  package mutating func follow<Input>(
    _ changes: ListChanges, to after: ListSnapshot<Input, Row>, _ section: (Int) -> Section
  ) {
    let (sections, rows) = (changes.sections, changes.rows)
    sections.apply(
      element: { list.entry(at: $0) },
      remove: { index, _ in remove(at: index) },
      insert: { index, _ in insert(SectionEntry(section(index), rows: after.entry(at: index).rows), at: index) },
      move: { insert($1, at: $0) })
    let map = IndexMap(sections)
    let left = (rows.deletes + rows.moves.map { $0.from }).compactMap { map.destination(of: $0.section) }
    let entered = rows.inserts.map { $0.section } + (rows.moves + rows.updates).map { $0.to.section }
    for index in Set(sections.updates.map { $0.to } + left + entered) {
      replace(at: index, with: section(index), rowsOf: index, in: after)
    }
    assert(
      list.sectionCount == after.sectionCount && list.rowCount == after.rowCount,
      "\(list.rowCount) rows in \(list.sectionCount) sections, not \(after.rowCount) in \(after.sectionCount)")
  }

  /// Inserts a section with the rows of a section of another list.
  @inlinable
  package mutating func insert<Input>(
    _ section: Section, rowsOf source: Int, in other: ListSnapshot<Input, Row>, at index: Int
  ) {
    insert(SectionEntry(section, rows: other.entry(at: source).rows), at: index)
  }

  /// Gives a section, whose id stays, another model and the rows of a section of another list.
  @inlinable
  package mutating func replace<Input>(
    at index: Int, with section: Section, rowsOf source: Int, in other: ListSnapshot<Input, Row>
  ) {
    let rows = other.entry(at: source).rows
    list.totalRows += rows.count
    list.tree.modify(at: index, &list.totalRows) { entry, totalRows in
      totalRows -= entry.rows.count
      entry = SectionEntry(section, rows: rows)
    }
    list.checkRowCount()
  }

  @inlinable
  package mutating func remove(at index: Int) {
    list.totalRows -= list.tree.remove(at: index, &numbers).rows.count
    list.checkRowCount()
  }

  @inlinable
  mutating func insert(_ entry: SectionEntry<Section, Row>, at index: Int) {
    list.tree.insert(entry, at: index, &numbers)
    list.totalRows += entry.rows.count
    list.checkRowCount()
  }
}

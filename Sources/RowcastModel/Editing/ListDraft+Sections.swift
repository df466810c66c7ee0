public import RowcastDiff

extension ListDraft {
  @inlinable
  package mutating func insertSection(_ section: Section, rows: [Row] = [], at index: Int) {
    let tree = ListSnapshot<Section, Row>.Rows(rows, shape: list.rowShape, &nodeIndex)
    list.tree.insert(SectionEntry(section, rows: tree), at: index, &nodeIndex)
    list.totalRows += rows.count
    edits += 1
    checkInvariants(inSection: index)
  }

  /// Takes out a section and its rows, and returns both.
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
    if old == section || showSame(old, section) { return }
    list.tree.modify(at: index, &edits) { entry, edits in
      entry.model = section
      edits += 1
    }
    checkInvariants(inSection: index)
  }

  /// Moves a section to where it stands afterwards, with its rows, which are not touched.
  @inlinable
  package mutating func moveSection(from source: Int, to destination: Int) {
    if source == destination { return }
    let entry = list.tree.remove(at: source, &nodeIndex)
    list.tree.insert(entry, at: destination, &nodeIndex)
    edits += 1
    checkInvariants(inSection: destination)
  }
}

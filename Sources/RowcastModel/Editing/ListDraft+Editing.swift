public import RowcastDiff

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

  /// Moves a section to its index afterwards, with its rows, which are not touched.
  @inlinable
  package mutating func moveSection(from source: Int, to destination: Int) {
    if source == destination { return }
    let entry = list.tree.remove(at: source, &nodeIndex)
    list.tree.insert(entry, at: destination, &nodeIndex)
    edits += 1
    checkInvariants(inSection: destination)
  }
}

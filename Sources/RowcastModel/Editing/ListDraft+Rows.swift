public import RowcastDiff

extension ListDraft {
  @inlinable
  package mutating func insertRow(_ row: Row, at path: RowPath) {
    list.tree.modify(at: path.section, &nodeIndex) { $0.rows.insert(row, at: path.row, &$1) }
    list.totalRows += 1
    edits += 1
    checkInvariants(inSection: path.section)
  }

  @inlinable
  package mutating func insertRows(_ rows: [Row], at path: RowPath) {
    if rows.isEmpty { return }
    list.tree.modify(at: path.section, &nodeIndex) { entry, nodeIndex in
      if rows.count <= 2 * Int(entry.rows.shape.leaf) {
        for (offset, row) in rows.enumerated() { entry.rows.insert(row, at: path.row + offset, &nodeIndex) }
      } else {
        entry.rows.replaceSubrange(path.row..<path.row, with: rows, &nodeIndex)
      }
    }
    list.totalRows += rows.count
    edits += 1
    checkInvariants(inSection: path.section)
  }

  @inlinable
  @discardableResult
  package mutating func removeRow(at path: RowPath) -> Row {
    let row = list.tree.modify(at: path.section, &nodeIndex) { $0.rows.remove(at: path.row, &$1) }
    list.totalRows -= 1
    edits += 1
    checkInvariants(inSection: path.section)
    return row
  }

  /// Gives the row at a path new content. Changes nothing if it has that content.
  @inlinable
  package mutating func replaceRow(at path: RowPath, with row: Row) {
    replaceRow(list.row(at: path), at: path, with: row)
  }

  /// Gives a row that was just found at a path new content. Changes nothing if it has that content.
  @inlinable
  package mutating func replaceRow(_ old: Row, at path: RowPath, with row: Row) {
    if old == row || showSame(old, row) { return }
    // The context is the count of edits: an empty value has no address, and thread checkers report a race on it.
    list.tree.modify(at: path.section, &edits) { entry, edits in
      entry.rows.modify(at: path.row, &edits) { old, edits in
        old = row
        edits += 1
      }
    }
    checkInvariants(inSection: path.section)
  }

  /// Moves the row at a path to where it stands afterwards, within its section or not.
  @inlinable
  package mutating func moveRow(from source: RowPath, to destination: RowPath) {
    if source == destination { return }
    if source.section == destination.section {
      list.tree.modify(at: source.section, &nodeIndex) { entry, nodeIndex in
        let row = entry.rows.remove(at: source.row, &nodeIndex)
        entry.rows.insert(row, at: destination.row, &nodeIndex)
      }
      edits += 1
    } else {
      insertRow(removeRow(at: source), at: destination)
      edits -= 1
    }
    checkInvariants(inSection: destination.section)
  }
}

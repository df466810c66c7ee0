import RowcastDiff
public import RowcastModel

extension RetainedTable {
  /// Shows the list after an update.
  ///
  /// Rows that stay on the screen keep their cells, wherever they moved; one whose content changed has its cell
  /// configured again. The first visible row stays in place when rows above it come and go, unless the table is at its
  /// top or follows its tail.
  ///
  /// - Parameter update: The next update of the stream that the table shows. The first update of any stream is the whole
  ///   list, and is accepted at any time.
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError``; the table is then as it was.
  /// - Complexity: O(s + v + k log k) for s sections, v visible rows and k operations.
  @discardableResult
  public func apply(_ update: ListUpdate<Section, Row>) throws(TableError) -> ApplyReport {
    var changes = update.changes
    if let previous = update.previous {
      guard previous == revision else { throw .wrongRevision(table: revision, updateStartsAt: previous) }
    } else if revision != nil {
      changes = snapshot.changes(to: update.snapshot)
    }
    let newGeometry = TableGeometry(rowCounts: update.snapshot.rowCounts, headerHeight: headerHeight)
    do {
      try BatchValidator(changes, rowCountsBefore: geometry.rowCounts, rowCountsAfter: newGeometry.rowCounts)
        .validate()
    } catch {
      throw .invalidBatch(error)
    }
    let top = topLine(after: changes, in: newGeometry)
    let plan = try plan(update.snapshot, geometry: newGeometry, top: top)
    let before = snapshot
    snapshot = update.snapshot
    revision = update.revision
    geometry = newGeometry
    followFocus(changes, from: before)
    dropDeletedSelection(changes, from: before)
    return commit(plan, changes: changes)
  }

  /// The first line to show after a change, so that what is on the screen stays where it is.
  func topLine(after changes: ListChanges, in newGeometry: TableGeometry) -> Int {
    let last = max(0, newGeometry.height - height)
    if followsTail, topLine >= max(0, geometry.height - height) { return last }
    if topLine == 0 { return 0 }
    let map = PathMap(changes)
    for visible in visibleRows {
      if let path = map.after(visible.path) {
        let shift = geometry.line(of: visible.path) - topLine
        return min(max(0, newGeometry.line(of: path) - shift), last)
      }
    }
    return min(topLine, last)
  }
}

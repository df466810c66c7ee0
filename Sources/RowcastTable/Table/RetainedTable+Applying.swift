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
  /// - Complexity: O(s + v log n + k log n) for s sections, v elements on the screen or kept ready, k operations and n
  ///   rows: integers are compared for each section, rows are touched for the rest. Rows off the screen that nothing
  ///   happened to cost nothing.
  @discardableResult
  public func apply(_ update: ListUpdate<Section, Row>) throws(TableError) -> ApplyReport {
    let changes = try changes(of: update)
    let following = Following(changes, from: snapshot, to: update.snapshot)
    var geometry = geometry
    geometry.apply(
      changes, rowCount: { update.snapshot.rows(inSection: $0).count }, estimates: estimates(for: update.snapshot))
    let anchor = anchor(following, in: geometry)
    let plan = try plan(anchor, update.snapshot, geometry)
    snapshot = update.snapshot
    revision = update.revision
    followFocus(following)
    dropDeletedSelection(following)
    return show(plan, changes: changes)
  }

  /// The changes that an update brings to this table, if it is one that the table can take.
  private func changes(of update: ListUpdate<Section, Row>) throws(TableError) -> ListChanges {
    var changes = update.changes
    if let previous = update.previous {
      guard previous == revision else { throw .wrongRevision(table: revision, updateStartsAt: previous) }
    } else if revision != nil {
      changes = snapshot.changes(to: update.snapshot)
    }
    do {
      try BatchValidator(changes, rowCountsBefore: snapshot.rowCounts, rowCountsAfter: update.snapshot.rowCounts)
        .validate()
    } catch {
      throw .invalidBatch(error)
    }
    return changes
  }

  private func estimates(for list: ListSnapshot<Section, Row>) -> TableGeometry.Estimates {
    TableGeometry.Estimates(
      header: providers.headers == nil ? 0 : 1, footer: providers.footers == nil ? 0 : 1
    ) { [estimatedRowHeight, estimate = providers.rows.estimatedHeight] start, count in
      guard let estimate else { return RunTree(RowRun(count: count, height: estimatedRowHeight)) }
      var runs = RunTree<RowRun>()
      for row in start.row..<start.row + count {
        let height = estimate(list.row(at: RowPath(section: start.section, row: row)))
        runs.append(RowRun(count: 1, height: max(1, height)))
      }
      return runs
    }
  }

  /// What is to stand where after a change, so that what is on the screen stays where it is.
  private func anchor(_ following: Following<Section, Row>, in geometry: TableGeometry) -> Anchor? {
    guard geometry.height > 0 else { return nil }
    if followsTail, isAtEnd { return end(of: geometry) }
    if topLine == 0, showsArrivalsAtTop { return Anchor(element: geometry.element(atLine: 0), place: .line(0)) }
    var places: [Row.ID: RowPath] = [:]
    for shown in display.visible { if let row = shown.content.row { places[row.id] = shown.element.rowPath } }
    let paths = following.paths(of: places)
    for shown in display.visible {
      if let row = shown.content.row, let path = paths[row.id] {
        return Anchor(element: .row(path), place: .line(shown.line))
      }
    }
    return place(ofLine: topLine, in: geometry)
  }
}

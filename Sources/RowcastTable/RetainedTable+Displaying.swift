import RowcastDiff
import RowcastModel

extension RetainedTable {
  /// What is to be shown, with the adapters that show it: all that can fail is behind it.
  struct Plan {
    var top: Int
    var rows: [(path: RowPath, row: Row, adapter: CellAdapter<Row>)]
  }

  func plan(
    _ snapshot: ListSnapshot<Section, Row>, geometry: TableGeometry, top: Int
  ) throws(TableError) -> Plan {
    var plan = Plan(top: top, rows: [])
    for case .row(let path) in geometry.lines(in: top..<(top + height)) {
      let row = snapshot.row(at: path)
      plan.rows.append((path, row, try registry.adapter(for: row)))
    }
    return plan
  }

  /// Brings the cells into the state that a plan asks for.
  func commit(_ plan: Plan, changes: ListChanges) -> ApplyReport {
    var report = ApplyReport(changes: changes, cells: [])
    // By id, so that a row that moved, even out of a deleted section, is recognised and keeps its cell.
    var shown = Dictionary(visibleRows.map { ($0.row.id, $0) }) { first, _ in first }
    let staying = Set(plan.rows.map(\.row.id))
    for visible in visibleRows where !staying.contains(visible.row.id) {
      shown[visible.row.id] = nil
      pool.enqueue(visible.cell)
      report.note(.recycled, visible.path, visible.cell)
      events.send(.didEndDisplaying(visible.row))
    }
    topLine = plan.top
    visibleRows = plan.rows.map { path, row, adapter in
      let former = shown[row.id]
      let (cell, event) = self.cell(for: row, shownBy: former, adapter: adapter)
      if let event { report.note(event, path, cell) }
      if former == nil { events.send(.willDisplay(row, at: path)) }
      return VisibleRow(path: path, row: row, cell: cell)
    }
    reportEnds()
    checkInvariants()
    return report
  }

  /// Says that the start or the end of the list came onto the screen, or that it is another row now.
  func reportEnds() {
    let first = topLine == 0 ? visibleRows.first?.row.id : nil
    let last = topLine + height >= geometry.height ? visibleRows.last?.row.id : nil
    if let first, first != ends.start { events.send(.reachedStart) }
    if let last, last != ends.end { events.send(.reachedEnd) }
    ends = (first, last)
  }

  /// The cell for a row that is to be shown, and what had to be done to it.
  func cell(
    for row: Row, shownBy shown: VisibleRow?, adapter: CellAdapter<Row>
  ) -> (Cell, ApplyReport.Event?) {
    if let shown, shown.cell.reuseIdentifier == adapter.identifier {
      if shown.row == row { return (shown.cell, nil) }
      configure(shown.cell, with: row, adapter)
      return (shown.cell, .reconfigured)
    }
    let (cell, isReused) = pool.dequeue(adapter.identifier, make: adapter.make)
    configure(cell, with: row, adapter)
    if let shown {
      pool.enqueue(shown.cell)
      return (cell, .replaced)
    }
    return (cell, isReused ? .reused : .created)
  }

  func configure(_ cell: Cell, with row: Row, _ adapter: CellAdapter<Row>) {
    adapter.configure(cell, row)
    configurationCount += 1
  }

  /// Takes all cells off the screen and into the pool. They come back with the next update, scroll or resize.
  public func reloadAll() {
    for visible in visibleRows {
      pool.enqueue(visible.cell)
      events.send(.didEndDisplaying(visible.row))
    }
    visibleRows = []
    checkInvariants()
  }

  /// Discards all pooled cells, as after a memory warning.
  public func drain() {
    pool.drain()
    checkInvariants()
  }

  func checkInvariants() {
    assert(totals.visible == visibleRows.count, "\(totals) does not match \(visibleRows.count) visible cells")
    assert(
      Set((visibleRows.map(\.cell) + pool.cells).map(ObjectIdentifier.init)).count
        == visibleRows.count + totals.pooled, "A cell is in two places")
  }
}

extension ApplyReport {
  mutating func note(_ event: Event, _ path: RowPath, _ cell: Cell) {
    cells.append(.init(event: event, path: path, reuseIdentifier: cell.reuseIdentifier))
  }
}

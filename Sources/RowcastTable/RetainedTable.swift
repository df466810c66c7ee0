public import RowcastDiff
public import RowcastModel

/// A headless table: it keeps a cell for each visible row, and reuses cells as rows come and go.
///
/// It obeys the rules that UIKit's table view enforces by exception: an update that breaks one is refused with a typed
/// error, and the table stays as it was.
///
///     let table = RetainedTable<Channel, Message>(registry: registry, height: 20)
///     for await update in store.updates() {
///       let report = try table.apply(update)
///     }
///
/// The content is a column of lines: each section's header, if headers are shown, then its rows, one line each. The
/// table is confined to whoever draws it; it is not `Sendable`.
public final class RetainedTable<Section: SectionViewModel, Row: RowViewModel> {
  /// A row that is on the screen, with its cell.
  public struct VisibleRow {
    /// The path of the row in ``RetainedTable/snapshot``.
    public var path: RowPath
    /// The row, as the cell was configured.
    public var row: Row
    /// The cell that shows it.
    public var cell: Cell
  }

  /// The list that is shown.
  public private(set) var snapshot: ListSnapshot<Section, Row> = .init()
  /// The revision of the list that is shown, or `nil` before the first update.
  public private(set) var revision: Int?
  /// The rows on the screen, from top to bottom.
  public private(set) var visibleRows: [VisibleRow] = []
  /// The first line of the content that is on the screen.
  public private(set) var topLine = 0
  /// The number of lines that the screen has for the table.
  public private(set) var height: Int
  /// Whether the table keeps its last line on the screen when rows are added, once it is there.
  public var followsTail = false
  /// How many times a cell was configured.
  public private(set) var configurationCount = 0

  private let registry: CellRegistry<Row>
  private let headerHeight: Int
  private var pool: ReusePool
  private var geometry: TableGeometry

  /// Creates an empty table.
  ///
  /// - Parameters:
  ///   - registry: Which cell shows which row.
  ///   - height: The number of lines that the screen has for the table.
  ///   - showsHeaders: Whether each section starts with a line for its header.
  ///   - poolCap: The most cells of one kind that wait out of sight.
  /// - Precondition: `height` and `poolCap` are not negative.
  public init(registry: CellRegistry<Row>, height: Int, showsHeaders: Bool = false, poolCap: Int = 5) {
    precondition(height >= 0, "A table cannot have \(height) lines; use 0 or more")
    self.registry = registry
    self.height = height
    headerHeight = showsHeaders ? 1 : 0
    pool = ReusePool(cap: poolCap)
    geometry = TableGeometry(rowCounts: [], headerHeight: headerHeight)
  }
}

// MARK: - Updates

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
    snapshot = update.snapshot
    revision = update.revision
    geometry = newGeometry
    return commit(plan, changes: changes)
  }

  /// The first line to show after a change, so that what is on the screen stays where it is.
  private func topLine(after changes: ListChanges, in newGeometry: TableGeometry) -> Int {
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

// MARK: - Scrolling

extension RetainedTable {
  /// The number of lines of the whole content.
  public var contentHeight: Int { geometry.height }

  /// What stands on each line of the screen that the content reaches, from top to bottom.
  public var lines: [TableLine] { geometry.lines(in: topLine..<(topLine + height)) }

  /// Brings a line of the content to the top of the screen, as far as the content reaches.
  ///
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  @discardableResult
  public func scroll(toLine line: Int) throws(TableError) -> ApplyReport {
    let top = min(max(0, line), max(0, geometry.height - height))
    return commit(try plan(snapshot, geometry: geometry, top: top), changes: ListChanges())
  }

  /// Moves the content by a number of lines: up, showing what follows, if positive.
  ///
  /// - Returns: What happened to which cell.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table is then as it was.
  @discardableResult
  public func scroll(byLines lines: Int) throws(TableError) -> ApplyReport {
    try scroll(toLine: topLine + lines)
  }

  /// Gives the table another number of lines on the screen.
  ///
  /// - Returns: What happened to which cell.
  /// - Precondition: `height` is not negative.
  /// - Throws: ``TableError`` if a row that would come into view has no cell; the table then shows no more than before.
  @discardableResult
  public func resize(toHeight height: Int) throws(TableError) -> ApplyReport {
    precondition(height >= 0, "A table cannot have \(height) lines; use 0 or more")
    let followed = followsTail && topLine >= max(0, geometry.height - self.height)
    let top = followed ? geometry.height : topLine
    let former = self.height
    self.height = height
    do {
      return try scroll(toLine: top)
    } catch {
      self.height = former
      throw error
    }
  }
}

// MARK: - Cells

extension RetainedTable {
  /// What is to be shown, with the adapters that show it: all that can fail is behind it.
  private struct Plan {
    var top: Int
    var rows: [(path: RowPath, row: Row, adapter: CellAdapter<Row>)]
  }

  private func plan(
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
  private func commit(_ plan: Plan, changes: ListChanges) -> ApplyReport {
    var report = ApplyReport(changes: changes, cells: [])
    // By id, so that a row that moved, even out of a deleted section, is recognised and keeps its cell.
    var shown = Dictionary(visibleRows.map { ($0.row.id, $0) }) { first, _ in first }
    let staying = Set(plan.rows.map(\.row.id))
    for visible in visibleRows where !staying.contains(visible.row.id) {
      shown[visible.row.id] = nil
      pool.enqueue(visible.cell)
      report.note(.recycled, visible.path, visible.cell)
    }
    topLine = plan.top
    visibleRows = plan.rows.map { path, row, adapter in
      let (cell, event) = self.cell(for: row, shownBy: shown[row.id], adapter: adapter)
      if let event { report.note(event, path, cell) }
      return VisibleRow(path: path, row: row, cell: cell)
    }
    checkInvariants()
    return report
  }

  /// The cell for a row that is to be shown, and what had to be done to it.
  private func cell(
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

  private func configure(_ cell: Cell, with row: Row, _ adapter: CellAdapter<Row>) {
    adapter.configure(cell, row)
    configurationCount += 1
  }

  /// Takes all cells off the screen and into the pool. They come back with the next update, scroll or resize.
  public func reloadAll() {
    for visible in visibleRows { pool.enqueue(visible.cell) }
    visibleRows = []
    checkInvariants()
  }

  /// Discards all pooled cells, as after a memory warning.
  public func drain() {
    pool.drain()
    checkInvariants()
  }

  /// What became of the cells, for each reuse identifier.
  public var statistics: [String: PoolStatistics] { pool.statistics }

  /// What became of all cells.
  public var totals: PoolStatistics { pool.statistics.values.reduce(.init(), +) }

  private func checkInvariants() {
    assert(totals.visible == visibleRows.count, "\(totals) does not match \(visibleRows.count) visible cells")
    assert(
      Set((visibleRows.map(\.cell) + pool.cells).map(ObjectIdentifier.init)).count
        == visibleRows.count + totals.pooled, "A cell is in two places")
  }
}

extension ApplyReport {
  fileprivate mutating func note(_ event: Event, _ path: RowPath, _ cell: Cell) {
    cells.append(.init(event: event, path: path, reuseIdentifier: cell.reuseIdentifier))
  }
}

extension ListSnapshot {
  /// The row count of each section.
  fileprivate var rowCounts: [Int] { (0..<sectionCount).map { rows(inSection: $0).count } }
}

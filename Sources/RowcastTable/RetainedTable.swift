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
  public internal(set) var snapshot: ListSnapshot<Section, Row> = .init()
  /// The revision of the list that is shown, or `nil` before the first update.
  public internal(set) var revision: Int?
  /// The rows on the screen, from top to bottom.
  public internal(set) var visibleRows: [VisibleRow] = []
  /// The first line of the content that is on the screen.
  public internal(set) var topLine = 0
  /// The number of lines that the screen has for the table.
  public internal(set) var height: Int
  /// Whether the table keeps its last line on the screen when rows are added, once it is there.
  public var followsTail = false
  /// How many times a cell was configured.
  public internal(set) var configurationCount = 0

  /// How many rows can be selected at a time. Setting it deselects what is selected.
  public var selectionMode = SelectionMode.single {
    didSet { deselectAll() }
  }

  /// The path of the focused row, the one that keys act on, or `nil` for none.
  public internal(set) var focusedPath: RowPath?
  /// The selected rows, as they were last seen, by id.
  var selectedRows: [Row.ID: Row] = [:]
  var events = EventBroadcast<TableEvent<Row>>()
  /// The first and the last row when they were last on the screen, to tell when others are.
  var ends: (start: Row.ID?, end: Row.ID?)

  let registry: CellRegistry<Row>
  let headerHeight: Int
  var pool: ReusePool
  var geometry: TableGeometry

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

extension RetainedTable {
  /// What happens from now on, for whoever listens. A stream that is dropped costs nothing; all end with the table.
  ///
  /// - Returns: A stream that keeps the events that its listener has not come for yet.
  public func eventStream() -> AsyncStream<TableEvent<Row>> { events.stream() }

  /// The ids of the selected rows.
  public var selection: Set<Row.ID> { Set(selectedRows.keys) }

  /// The number of lines of the whole content.
  public var contentHeight: Int { geometry.height }

  /// What stands on each line of the screen that the content reaches, from top to bottom.
  public var lines: [TableLine] { geometry.lines(in: topLine..<(topLine + height)) }

  /// What became of the cells, for each reuse identifier.
  public var statistics: [String: PoolStatistics] { pool.statistics }

  /// What became of all cells.
  public var totals: PoolStatistics { pool.statistics.values.reduce(.init(), +) }
}

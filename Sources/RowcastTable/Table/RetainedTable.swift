public import RowcastDiff
public import RowcastModel

/// A headless table: it keeps a cell for each visible row, and reuses cells as rows come and go.
///
/// It obeys the rules that UIKit's table view enforces by exception: an update that breaks one is refused with a typed
/// error, and the table stays as it was.
///
///     let table = RetainedTable<Channel, Message>(cells: registry, height: 20)
///     for await update in store.updates() {
///       let report = try table.apply(update)
///     }
///
/// The content is a column of lines: each section's header, if there are headers, then its rows, then its footer. Each
/// takes as many lines as its cell says; until it comes into view, an estimate stands in. The table is confined to
/// whoever draws it; it is not `Sendable`.
public final class RetainedTable<Section: SectionViewModel, Row: RowViewModel> {
  /// The list that is shown.
  public internal(set) var snapshot: ListSnapshot<Section, Row> = .init()
  /// The revision of the list that is shown, or `nil` before the first update.
  public internal(set) var revision: Int?
  /// The first line of the content that is on the screen.
  public internal(set) var topLine = 0
  /// The number of lines that the screen has for the table.
  public internal(set) var height: Int
  /// Whether the table keeps its last line on the screen when rows are added, once it is there.
  public var followsTail = false
  /// Whether rows that come above the first one push it down while the table is at its top. If not, what is on the screen
  /// stays in place there as well, as when the history of a chat is loaded.
  public var showsArrivalsAtTop = true
  /// How many elements above and below the screen are kept ready: configured, and not displayed. Obeyed from the next
  /// update or scroll on.
  public var workingRange = 0 {
    didSet { precondition(workingRange >= 0, "A table cannot keep \(workingRange) rows ready; use 0 or more") }
  }
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
  let providers: TableProviders<Section, Row>
  let estimatedRowHeight: Int
  var geometry = TableGeometry()
  var display: Display<Section, Row>

  /// Creates an empty table.
  ///
  /// - Parameters:
  ///   - cells: Which cell shows which row.
  ///   - headers: Which view stands above the rows of a section; `nil` for none.
  ///   - footers: Which view stands below the rows of a section; `nil` for none.
  ///   - height: The number of lines that the screen has for the table.
  ///   - estimatedRowHeight: The number of lines that a row is taken to have until it comes into view.
  ///   - poolCap: The most cells of one kind that wait out of sight.
  /// - Precondition: `height` and `poolCap` are not negative, `estimatedRowHeight` is at least 1.
  public init(
    cells: some CellProvider<Row>, headers: (any CellProvider<Section>)? = nil,
    footers: (any CellProvider<Section>)? = nil, height: Int, estimatedRowHeight: Int = 1, poolCap: Int = 5
  ) {
    precondition(height >= 0, "A table cannot have \(height) lines; use 0 or more")
    precondition(estimatedRowHeight >= 1, "A row cannot have \(estimatedRowHeight) lines; use 1 or more")
    providers = TableProviders(rows: cells, headers: headers, footers: footers)
    self.height = height
    self.estimatedRowHeight = estimatedRowHeight
    display = Display(poolCap: poolCap)
  }
}

// MARK: - Reading

extension RetainedTable {
  /// A row that is on the screen, with its cell.
  public struct VisibleRow {
    /// The path of the row in ``RetainedTable/snapshot``.
    public var path: RowPath
    /// The row, as the cell was configured.
    public var row: Row
    /// The cell that shows it.
    public var cell: Cell
  }

  /// A row, header or footer that is on the screen, with its cell.
  public struct VisibleElement {
    /// What it is, in ``RetainedTable/snapshot``.
    public var element: TableElement
    /// The cell that shows it.
    public var cell: Cell
    /// The first line on the screen; negative if the element starts above it.
    public var line: Int
    /// The number of lines, those outside of the screen included.
    public var height: Int
  }

  /// What is on the screen, from top to bottom.
  public var visibleElements: [VisibleElement] {
    display.visible.map { VisibleElement(element: $0.element, cell: $0.cell, line: $0.line, height: $0.height) }
  }

  /// The rows on the screen, from top to bottom.
  public var visibleRows: [VisibleRow] { display.visible.compactMap(Self.row(of:)) }

  /// The rows that are kept ready near the screen.
  public var prefetchedRows: [VisibleRow] { display.prefetched.compactMap(Self.row(of:)) }

  private static func row(of shown: ShownElement<Section, Row>) -> VisibleRow? {
    guard let path = shown.element.rowPath, let row = shown.content.row else { return nil }
    return VisibleRow(path: path, row: row, cell: shown.cell)
  }

  /// The number of lines of the whole content: as measured, and as estimated for rows that were never in view.
  public var contentHeight: Int { geometry.height }

  /// What stands on each line of the screen that the content reaches, from top to bottom.
  public var lines: [TableLine] {
    display.visible.flatMap { shown in
      (0..<shown.height).filter { (0..<height).contains(shown.line + $0) }
        .map { TableLine(element: shown.element, offset: $0) }
    }
  }

  /// How many times a cell was configured.
  public var configurationCount: Int { display.configurationCount }

  /// What became of the cells of rows, for each reuse identifier.
  public var statistics: [String: PoolStatistics] { display.rowPool.statistics }

  /// What became of all cells of rows.
  public var totals: PoolStatistics { statistics.values.reduce(.init(), +) }

  /// What became of the cells of headers and footers, for each reuse identifier.
  public var sectionStatistics: [String: PoolStatistics] { display.sectionPool.statistics }

  /// What happens from now on, for whoever listens. A stream that is dropped costs nothing; all end with the table.
  ///
  /// - Returns: A stream that keeps the events that its listener has not come for yet.
  public func eventStream() -> AsyncStream<TableEvent<Row>> { events.stream() }
}

public import RowcastDiff
public import RowcastModel

/// A headless table: it keeps a cell for each visible row, and reuses cells as rows appear and disappear.
///
/// It obeys the rules that UIKit's table view enforces by exception: an update that breaks one is refused with a typed
/// error, and the table stays as it was.
///
///     let table = RetainedTable<Channel, Message>(cells: registry, height: 20)
///     for await update in store.updates() {
///       let report = try table.apply(update)
///     }
///
/// The content is a column of lines: each section's header, if there are headers, then its rows, then its footer. Each takes
/// as many lines as its cell says; until it appears, an estimate is used. The table is not `Sendable`: it belongs to the task
/// or the actor that draws it.
///
/// Cells may use the table while it calls them. Reading gives the state after the change, ``deliver(to:as:_:)`` reaches the
/// cell that is being configured, and selection, focus and the table's switches may be set. Another update, scroll or resize
/// is refused with ``TableError/changeInProgress``. The same is true in cell providers and in closures that make cells; but
/// there reading gives the state before the change, which may still be refused.
public final class RetainedTable<Section: SectionViewModel, Row: RowViewModel> {
  /// The list that is shown.
  public internal(set) var snapshot = ListSnapshot<Section, Row>()
  /// The position of the list that is shown, or `nil` before the first update.
  public internal(set) var position: ListPosition?
  /// True if a person has edited the list since that update.
  var isEdited = false
  /// The first line of the content that is on the screen.
  public internal(set) var topLine = 0
  /// The number of lines that the screen has for the table.
  public internal(set) var height: Int
  /// The last width that the table was given, in the unit of ``resize(toHeight:width:)``; `nil` for none yet.
  package internal(set) var width: Int?
  /// True if the last line stays on the screen when rows are added, once it is there.
  public var followsTail = false
  /// True if rows inserted above the first one push it down while the table is at its top. If false, the rows on the
  /// screen stay in place there as well, as when the history of a chat is loaded.
  public var showsArrivalsAtTop = true
  /// The number of elements above and below the screen that are kept ready, configured and not displayed, from the next
  /// change on.
  public var workingRange = 0 {
    didSet { require(workingRange >= 0, "A table cannot keep \(workingRange) rows ready; use 0 or more") }
  }
  /// True if the header of the first section on the screen stays at the top, above its rows, until the next section pushes it
  /// out; from the next change on.
  ///
  /// The header covers the lines below it, and ``visibleElements`` has it first. A row is scrolled to below it, and the
  /// topmost line that it does not cover is the one that stays in place. A header that would leave no line to the rows is not
  /// pinned.
  public var pinsHeaders = false
  /// The number of rows that can be selected at a time. Setting it deselects all rows.
  public var selectionMode = SelectionMode.single {
    didSet { deselectAll() }
  }
  /// The path of the focused row, the one that keys act on, or `nil` for none.
  public internal(set) var focusedPath: RowPath?

  /// The selected rows, as they were last seen, by id.
  var selectedRows = Dictionary<Row.ID, Row>()
  /// The paths of all rows by their ids; made at the second look-up since the list changed its structure.
  var paths: [Row.ID: RowPath]?
  /// True if a row was found by scanning the list since then.
  var hasScanned = false
  let events = EventBroadcast<TableEvent<Row>>()
  /// The first and the last row of the list, each if it was on the screen after the last change.
  var ends: (start: RowPath?, end: RowPath?) = (nil, nil)
  var reader: TableReader<Section, Row>
  /// The row counts of the sections of the list that is shown.
  var rowCounts: [Int] = []
  var estimates: TableEstimates
  /// True if rows are estimated to have the mean height of those on the screen, once measured heights were forgotten.
  let estimatesByMean: Bool
  var geometry = TableGeometry()
  var display: Display
  /// True while a change is prepared or made. Another change is then refused.
  var isChanging = false
  /// The first update that was refused since the last one shown, if the list continued from it, and its error.
  var refusal: (position: ListPosition, error: TableError)?
  /// True if elements that cannot be shown get an empty cell, as they do once a whole list after a refusal has such elements.
  var showsEmptyCells = false
  /// True if pooled cells are to be discarded when the change is done.
  var drainsAfterChange = false

  /// Creates an empty table.
  ///
  /// - Parameters:
  ///   - cells: Chooses the cell for each row.
  ///   - headers: Chooses the cell above the rows of a section, of height 0 for a section without one; `nil` for none at all.
  ///   - footers: Chooses the cell below the rows of a section in the same way.
  ///   - height: The number of lines that the screen has for the table.
  ///   - estimatedRowHeight: The estimated number of lines of a row until it appears, if the provider does not estimate it.
  ///     Numbers above 1,000,000 count as that. `nil` for 1 line, and once measured heights were forgotten, the mean height
  ///     of the rows that were on the screen then.
  ///   - poolCap: The maximum number of pooled cells of one kind.
  /// - Precondition: `height` and `poolCap` are not negative, `estimatedRowHeight` is at least 1.
  @inlinable
  public convenience init(
    cells: some CellProvider<Row>, headers: (any CellProvider<Section>)? = nil,
    footers: (any CellProvider<Section>)? = nil, height: Int, estimatedRowHeight: Int? = nil, poolCap: Int = 5
  ) {
    self.init(
      TableReader(cells, headers: headers, footers: footers), height: height,
      estimates: (header: headers == nil ? 0 : 1, row: estimatedRowHeight ?? 1, footer: footers == nil ? 0 : 1),
      estimatesByMean: estimatedRowHeight == nil, poolCap: poolCap)
  }

  @usableFromInline
  init(
    _ reader: TableReader<Section, Row>, height: Int, estimates: TableEstimates, estimatesByMean: Bool, poolCap: Int
  ) {
    require(height >= 0, "A table cannot have \(height) lines; use 0 or more")
    require(estimates.row >= 1, "A row cannot have \(estimates.row) lines; use 1 or more")
    self.reader = reader
    self.height = height
    self.estimatesByMean = estimatesByMean
    self.estimates = (estimates.header, CellRequest.clamped(estimates.row), estimates.footer)
    display = Display(poolCap: poolCap)
  }

  // MARK: - Reading

  /// The revision of the list that is shown, or `nil` before the first update.
  public var revision: Int? { position?.revision }

  /// A row that is on the screen, with its cell.
  public typealias VisibleRow = RowcastTable.VisibleRow<Row>

  /// The elements on the screen, from top to bottom. A pinned header covers the lines of those below it.
  public var visibleElements: [VisibleElement] { display.visibleElements }

  /// The rows on the screen, from top to bottom, including one that a pinned header covers.
  public var visibleRows: [VisibleRow] { rows(of: Array(display.visible)) }

  /// The rows that are kept ready near the screen.
  public var prefetchedRows: [VisibleRow] { rows(of: display.ready) }

  private func rows(of indexes: [Int]) -> [VisibleRow] {
    let (paths, cells) = display.rows(of: indexes)
    return reader.visibleRows(paths, cells, snapshot)
  }

  /// The path of the first row on the screen that a pinned header does not cover, if there is one.
  var firstVisiblePath: RowPath? {
    // Used for each update that moves rows at the top, so no row is read.
    var (line, first) = (display.firstLine, RowPath?.none)
    for slot in display.slots[display.visible] {
      line += slot.height
      guard let path = slot.element.rowPath else { continue }
      if line > coveredLines { return path }
      first = first ?? path
    }
    return first
  }

  /// The lines at the top of the screen that a pinned header covers.
  package var coveredLines: Int { display.coveredLines }

  /// The rows on the screen, without those that a pinned header covers completely.
  package var uncoveredRows: [VisibleRow] {
    var (line, indexes): (Int, [Int]) = (display.firstLine, [])
    for index in display.visible {
      line += display.slots[index].height
      if line > coveredLines { indexes.append(index) }
    }
    return rows(of: indexes)
  }

  /// The number of lines of the whole content: as measured, and as estimated for rows that never appeared.
  public var contentHeight: Int { geometry.height }

  /// The elements on the screen, from top to bottom, each with the lines that no element above covers.
  package var uncoveredElements: [(shown: VisibleElement, offsets: Range<Int>)] {
    var free = 0
    return visibleElements.map { shown in
      let start = max(0, free - shown.line)
      let offsets = start..<max(start, min(shown.height, screenHeight - shown.line))
      free += offsets.count
      return (shown, offsets)
    }
  }

  /// The element on each line of the screen that the content reaches, from top to bottom, and which of its lines it is.
  package var lines: [(element: TableElement, offset: Int)] {
    uncoveredElements.flatMap { shown, offsets in offsets.map { (shown.element, $0) } }
  }

  /// The height of the screen, restricted to the range of ``TableGeometry/clamped(_:)``.
  var screenHeight: Int { TableGeometry.clamped(height) }

  /// True if the last line of the content is on the screen.
  var isAtEnd: Bool { topLine >= max(0, geometry.height - screenHeight) }

  /// The number of times that a cell was configured.
  public var configurationCount: Int { display.configurationCount }

  /// The statistics of the cells of rows, for each reuse identifier.
  public var statistics: [String: PoolStatistics] { display.statistics(ofRows: true) }

  /// The statistics of all cells of rows.
  public var totals: PoolStatistics { statistics.values.reduce(.init(), +) }

  /// The statistics of the cells of headers and footers, for each reuse identifier.
  public var sectionStatistics: [String: PoolStatistics] { display.statistics(ofRows: false) }

  /// The events from now on. Each call makes another stream; a released one costs nothing. All end with the table.
  ///
  /// - Parameter limit: The maximum number of pending events for a slow listener. If there are more, the oldest are dropped.
  /// - Returns: A stream of the events.
  /// - Precondition: `limit` is at least 1.
  public func eventStream(keeping limit: Int = 1_024) -> AsyncStream<TableEvent<Row>> { events.stream(keeping: limit) }

  // MARK: - Checking

  /// Checks, in debug builds, that all parts belong to the list that is shown. Every change ends here.
  func checkInvariants() {
    #if DEBUG
      let list = snapshot
      // Long lists are checked as far as they are on the screen.
      let sections = 0..<(list.sectionCount > 16 ? 0 : list.sectionCount)
      let counts = sections.map { list.rowCount(inSection: $0) }
      let paths = display.slots.compactMap(\.element.rowPath) + [focusedPath].compactMap(\.self)
      let most = selectionMode == .multiple ? list.rowCount : selectionMode == .single ? 1 : 0
      assert(rowCounts.count == list.sectionCount && rowCounts.starts(with: counts), "\(rowCounts) are not \(counts)")
      assert(geometry.extent.sections == list.sectionCount, "there are heights of \(geometry.extent.sections) sections")
      assert(sections.map(geometry.rowCount) == counts, "there are heights of other rows than \(counts)")
      assert(paths.allSatisfy(list.contains), "\(paths) are in use and not all in the list")
      assert(topLine >= 0 && topLine <= geometry.height, "line \(topLine) of \(geometry.height) is the first")
      assert(
        display.slots.allSatisfy { geometry.lines(of: $0.element).count == $0.height },
        "\(display.slots) have other heights than \(display.slots.map { geometry.lines(of: $0.element) })")
      if let first = display.slots[display.visible].first?.element {
        let line = geometry.lines(of: first).lowerBound - display.firstLine
        assert(topLine == line, "line \(topLine) is the first and should be \(line)")
      }
      assert(selectedRows.count <= most, "\(selectedRows.count) rows are selected, \(most) can be")
    #endif
  }
}

/// The lines of elements until they appear; 0 for headers or footers that do not exist.
@usableFromInline
typealias TableEstimates = (header: Int, row: Int, footer: Int)

/// Reads lists and asks the cell providers of a table.
///
/// The closures are made, and so compiled, where the types of rows are known. Their callers work on integers.
@usableFromInline
final class TableReader<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias List = ListSnapshot<Section, Row>

  /// Returns the cell for an element.
  @usableFromInline let request: (TableElement, List) throws(TableError) -> CellRequest
  /// Returns true if an element has other content in the next list.
  @usableFromInline let isChanged: (_ before: TableElement, List, _ after: TableElement, _ next: List) -> Bool
  /// Returns the row counts of the sections of the next list, from those of the list before it.
  @usableFromInline let rowCounts: ([Int], List, _ next: List) -> [Int]
  /// Returns the places after changes of everything in the list before them.
  @usableFromInline let map: (ListChanges, List, _ next: List) -> PathMap
  /// Returns the provider's estimates for a number of consecutive rows, or `nil` if it makes none.
  @usableFromInline let estimates: (_ start: RowPath, _ count: Int, List) -> [Int]?
  /// Returns the rows at some paths, each with one of as many cells.
  @usableFromInline let visibleRows: ([RowPath], [Cell], List) -> [VisibleRow<Row>]

  @inlinable
  init(
    _ cells: some CellProvider<Row>, headers: (any CellProvider<Section>)?, footers: (any CellProvider<Section>)?
  ) {
    requireDistinctCells(of: [cells, headers, footers])
    request = { (element: TableElement, list: List) throws(TableError) -> CellRequest in
      if case .row(let path) = element { return try cells.request(for: list.row(at: path)) }
      let section = list.section(at: element.section)
      let provider = if case .header = element { headers } else { footers }
      guard let provider else { throw .unregistered(identifier: section.reuseIdentifier) }
      return try provider.request(for: section)
    }
    isChanged = { before, list, after, next in
      if let before = before.rowPath, let after = after.rowPath { return list.row(at: before) != next.row(at: after) }
      return list.section(at: before.section) != next.section(at: after.section)
    }
    rowCounts = { counts, list, next in next.rowCounts(startingFrom: list, counts) }
    map = { changes, list, next in PathMap(changes, crossings: changes.crossings(from: list, to: next)) }
    estimates = { start, count, list in
      guard let estimate = cells.estimatedHeight else { return nil }
      var (heights, path): ([Int], RowPath) = ([], start)
      while heights.count < count {
        heights.append(estimate(list.row(at: path)))
        path.row += 1
      }
      return heights
    }
    visibleRows = { paths, cells, list in
      var rows: [VisibleRow<Row>] = []
      for (index, path) in paths.enumerated() {
        rows.append(VisibleRow(path: path, row: list.row(at: path), cell: cells[index]))
      }
      return rows
    }
  }
}

/// A row that is on the screen of a table, with its cell.
public struct VisibleRow<Row> {
  /// The path of the row in ``RetainedTable/snapshot``.
  public var path: RowPath
  /// The row, as the cell was configured.
  public var row: Row
  /// The cell that shows the row.
  public var cell: Cell

  @inlinable
  init(path: RowPath, row: Row, cell: Cell) { (self.path, self.row, self.cell) = (path, row, cell) }
}

/// A row, header or footer that is on the screen of a table, with its cell.
public struct VisibleElement {
  /// The element in ``RetainedTable/snapshot``.
  public var element: TableElement
  /// The cell that shows the element.
  public var cell: Cell
  /// The first line on the screen; negative if the element starts above it.
  public var line: Int
  /// The number of lines, including those outside of the screen.
  public var height: Int
}

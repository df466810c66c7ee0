public import RowcastDiff
public import RowcastModel

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
    map = { changes, list, next in PathMap(changes, from: list, to: next) }
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

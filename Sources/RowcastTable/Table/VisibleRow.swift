public import RowcastDiff

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

import RowcastModel
public import RowcastTable

/// A cell that shows a row as one line of text.
public final class ConsoleCell<Row: ConsoleRow>: Cell, RowCell {
  /// The text that is shown, as it came from outside.
  public private(set) var line = ""

  /// Shows a row.
  public func configure(with row: Row) { line = row.line }

  /// Forgets the row that was shown.
  public override func prepareForReuse() { line = "" }
}

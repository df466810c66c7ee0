import RowcastModel
public import RowcastTable

/// A cell that shows a row as one line of text.
public final class ConsoleCell<Row: ConsoleRow>: Cell, RowCell {
  /// The main text that is shown, as it came from outside.
  public private(set) var title = ""
  /// What stands behind the title, if anything, as it came from outside.
  public private(set) var subtitle: String?

  /// Shows a row.
  public func configure(with row: Row) {
    title = row.title
    subtitle = row.subtitle
  }

  /// Forgets the row that was shown.
  public override func prepareForReuse() {
    title = ""
    subtitle = nil
  }
}

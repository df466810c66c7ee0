public import RowcastModel

/// A retained view of one row: made once, shown, pooled, and reused for another row.
///
/// Subclass it and conform to ``RowCell`` to show a type of row.
open class Cell {
  /// The kind of this cell: cells of one kind stand in for each other.
  public let reuseIdentifier: String

  /// Creates a fresh cell of a kind.
  public required init(reuseIdentifier: String) {
    self.reuseIdentifier = reuseIdentifier
  }

  /// Forgets the row that was shown. Called once each time the cell leaves the pool, before it is configured.
  open func prepareForReuse() {}
}

/// A cell that knows how to show one type of row.
///
///     final class MessageCell: Cell, RowCell {
///       var text = ""
///       func configure(with row: Message) { text = row.text }
///     }
public protocol RowCell<Row>: Cell {
  /// The rows that the cell can show.
  associatedtype Row: RowViewModel

  /// The kind of the cell, and the name of its reuse stack. The default is the fully qualified name of the type.
  static var reuseIdentifier: String { get }

  /// Makes the cell show a row. Called when the row comes into view and when its content changes, at no other time.
  func configure(with row: Row)
}

extension RowCell {
  /// The fully qualified name of the cell's type.
  public static var reuseIdentifier: String { String(reflecting: Self.self) }
}

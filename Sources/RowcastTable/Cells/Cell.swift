/// A retained view of one row or section header: made once, shown, pooled, and reused for another one.
///
/// Subclass it and conform to ``RowCell`` to show a type of row.
open class Cell {
  /// The kind of this cell: cells of one kind can be used in place of each other.
  public let reuseIdentifier: String
  /// Names the current use of the cell. It changes with each reuse, so that a result of work that was started for one row
  /// does not land on the next: see ``RetainedTable/deliver(to:as:_:)``.
  public internal(set) var token = ReuseToken()

  /// Creates a fresh cell of a kind.
  public required init(reuseIdentifier: String) { self.reuseIdentifier = reuseIdentifier }

  /// Forgets the row that was shown. Called once each time the cell leaves the pool, before it is configured.
  open func prepareForReuse() {}

  /// Called when the cell, already configured, comes onto the screen.
  open func willDisplay() {}

  /// Called when the cell has left the screen; once for each ``willDisplay()``.
  open func didEndDisplaying() {}
}

/// Identifies one use of a cell, from the moment it is assigned to a row until it is returned to the pool.
public struct ReuseToken: Hashable, Sendable {
  /// Counts the uses of the cells of one pool; 0 in the null token, which names no use.
  var use: UInt64 = 0
  /// A random number for each pool, so that no two tables have equal tokens.
  var pool: UInt64 = 0
}

/// A retained view of one row or section header: made once, shown, pooled, and reused for another one.
///
/// Subclass it and conform to ``RowCell`` to show a type of row.
open class Cell {
  /// The kind of this cell: cells of one kind stand in for each other.
  public let reuseIdentifier: String
  /// Names what the cell shows now. It changes when the cell is reused, so that results of work that was started for one
  /// row do not land on the next: see ``RetainedTable/deliver(to:as:_:)``.
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

/// Names one use of a cell, from the moment it is taken for a row until it is given back.
public struct ReuseToken: Hashable, Sendable {
  /// No two uses have the same, in whatever table: a counter with a random start in each pool.
  private var use: UInt64
  private var pool: UInt64

  /// A name that no use has.
  init() { (use, pool) = (0, 0) }

  /// The name of the first use of a new pool.
  static func first() -> ReuseToken {
    var token = ReuseToken()
    token.pool = UInt64.random(in: 1...UInt64.max)
    return token
  }

  /// The name of the next use of the same pool.
  var next: ReuseToken {
    var token = self
    token.use += 1
    return token
  }
}

public import RowcastDiff

/// What an update, or a scroll, did to the cells of a table.
public struct ApplyReport: Hashable, Sendable {
  /// What happened to one cell.
  public enum Event: Hashable, Sendable {
    /// A new cell was made for the row.
    case created
    /// A cell came out of the pool for the row.
    case reused
    /// The row's cell was configured again, because its content changed.
    case reconfigured
    /// The row's cell gave way to one of another kind, which was new or came out of the pool.
    case replaced
    /// The row left the screen, and its cell went to the pool or, if that was full, was let go.
    case recycled
  }

  /// What happened to the cell of one row.
  public struct CellEvent: Hashable, Sendable {
    /// What happened.
    public var event: Event
    /// The row: its path after the update; for ``Event/recycled``, before.
    public var path: RowPath
    /// The kind of the cell.
    public var reuseIdentifier: String
  }

  /// What changed in the list.
  public var changes: ListChanges
  /// What happened to cells: first those that were recycled, then the others, each from top to bottom.
  public var cells: [CellEvent]

  /// The number of cells that were configured.
  public var configuredCount: Int { cells.count { $0.event != .recycled } }
}

public import RowcastDiff

/// The effect of an update, or a scroll, on the cells of a table.
public struct ApplyReport: Hashable, Sendable {
  /// A kind of event of a cell.
  public enum Event: Hashable, Sendable {
    /// A new cell was made for the element.
    case created
    /// The pool provided a cell for the element.
    case reused
    /// The element's cell was configured again, because its content changed.
    case reconfigured
    /// The element's cell was replaced by one of another kind, new or from the pool.
    case replaced
    /// The element left the screen and its surroundings, and its cell was returned to the pool or, if that was full, released.
    case recycled
  }

  /// An event of the cell of one element.
  public struct CellEvent: Hashable, Sendable {
    /// The kind of event.
    public var event: Event
    /// The row, header or footer: its place after the update; for ``Event/recycled``, before.
    public var element: TableElement
    /// The kind of the cell.
    public var reuseIdentifier: String
  }

  /// The changes of the list.
  public var changes: ListChanges
  /// The events of cells: first those recycled, then those on the screen, from top to bottom, then those kept ready.
  public var cells: [CellEvent]
  /// Non-fatal problems: rows that have an empty cell.
  public var diagnostics: [TableDiagnostic] = []
}

/// How many rows of a table can be selected at a time.
public enum SelectionMode: Hashable, Sendable {
  /// None.
  case none
  /// At most one: selecting another row deselects it.
  case single
  /// Any number.
  case multiple
}

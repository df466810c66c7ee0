public import RowcastModel

/// The reason for which a table refused an update or a row. The table is as it was.
public enum TableError: Error, Hashable {
  /// The update breaks a rule of strict tables.
  case invalidBatch(BatchError)
  /// The update starts from another revision than the table shows.
  case wrongRevision(table: Int?, updateStartsAt: Int)
  /// No cell is registered for rows of this kind.
  case unregistered(identifier: String)
  /// The cell that is registered for this kind shows rows of another type.
  case mismatch(identifier: String, rowType: String)
  /// Two classes of cells have one reuse identifier, so the pool could hand out the wrong one.
  case ambiguousIdentifier(String, cells: String, and: String)
  /// A cell, a cell provider or a closure that makes cells asked for another change while the table is changing.
  case changeInProgress
  /// A result was delivered to a cell of another class.
  case wrongCell(identifier: String, expected: String)

  @usableFromInline
  static func mismatch(identifier: String, _ row: some ListViewModel) -> TableError {
    .mismatch(identifier: identifier, rowType: row.typeName)
  }
}

extension TableError: CustomStringConvertible {
  /// Describes the problem with its values, and its remedy.
  public var description: String {
    switch self {
    case .invalidBatch(let error):
      error.description
    case .wrongRevision(let table, let start):
      "the update starts at revision \(start), but the table shows "
        + (table.map { "revision \($0)" } ?? "nothing yet")
        + "; apply every update of one stream, in order, from its first"
    case .unregistered(let identifier):
      "unable to dequeue a cell with identifier \(identifier) - must register a nib or a class for the identifier or "
        + "connect a prototype cell in a storyboard (here: CellRegistry.register)"
    case .mismatch(let identifier, let rowType):
      "the cell registered for \(identifier) cannot show a row of type \(rowType); register a cell for that type, or "
        + "give its rows a reuse identifier of their own"
    case .ambiguousIdentifier(let identifier, let first, let second):
      "the reuse identifier \(identifier) stands for cells of \(first) already and cannot stand for \(second) as well; "
        + "give one of them another"
    case .changeInProgress:
      "the table is in the middle of a change and calls cells or their provider; change it when that change is done"
    case .wrongCell(let identifier, let expected):
      "the cell with identifier \(identifier) is no \(expected); deliver to the class that asked for the result"
    }
  }
}

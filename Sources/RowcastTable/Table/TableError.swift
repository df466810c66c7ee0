import RowcastDiff
public import RowcastModel

/// The reason why a table refused an update or a row. The table is unchanged.
public indirect enum TableError: Error, Hashable {
  /// The update breaks a rule of strict tables.
  case invalidBatch(BatchError)
  /// The update starts from another revision than the table shows.
  case wrongRevision(table: Int?, updateStartsAt: Int)
  /// The update is of another list than the table shows. Epochs identify lists; a list without one is named by an empty text.
  case otherEpoch(table: String, update: String)
  /// The table refused an earlier update, so this one does not start where the table is. A new stream of the list helps: its
  /// first update, the whole list, is accepted in any case.
  case stopped(at: ListPosition, by: TableError)
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
      """
      the update starts at revision \(start), but the table shows \(table.map { "revision \($0)" } ?? "nothing yet"); apply \
      every update of one stream, in order, from its first
      """
    case .otherEpoch(let table, let update):
      """
      the update is of \(list(update)), but the table shows \(list(table)); give it the whole list, the first update of a \
      stream, before others of that stream
      """
    case .stopped(let position, let error):
      """
      the table stopped at \(position), which caused this error: \(error); give it a new stream, whose first update is \
      the whole list
      """
    case .unregistered(let identifier):
      """
      unable to dequeue a cell with identifier \(identifier) - must register a nib or a class for the identifier or connect a \
      prototype cell in a storyboard (here: CellRegistry.register, or the cellTypes of a CellFactory)
      """
    case .mismatch(let identifier, let rowType):
      """
      the cell for \(identifier) cannot show a row of type \(rowType); register a cell for that type, give its rows a reuse \
      identifier of their own, or, in a CellStrategy, return content for them
      """
    case .ambiguousIdentifier(let identifier, let first, let second):
      """
      the reuse identifier \(identifier) is used for cells of \(first) already and cannot be used for \(second) as well; give \
      one of them another
      """
    case .changeInProgress:
      "the table is in the middle of a change and calls cells or their provider; change it when that change is done"
    case .wrongCell(let identifier, let expected):
      "the cell with identifier \(identifier) is no \(expected); deliver to the class that asked for the result"
    }
  }
}

extension TableError {
  /// A class of cells, and its reuse identifier.
  @usableFromInline typealias CellClass = (identifier: String, type: Cell.Type)

  /// Stops the process if two of some classes of cells have the same reuse identifier.
  @usableFromInline
  static func requireDistinct(_ classes: [CellClass]) {
    if let error = ambiguity(of: classes) { stop(error.description) }
  }

  /// The error for two classes with the same reuse identifier, if there are any.
  static func ambiguity(of classes: [CellClass]) -> TableError? {
    for (index, next) in classes.enumerated() {
      for former in classes[..<index] where former.identifier == next.identifier && former.type != next.type {
        return .ambiguity(next.identifier, former.type, next.type)
      }
    }
    return nil
  }

  static func ambiguity(_ identifier: String, _ first: Cell.Type, _ second: Cell.Type) -> TableError {
    .ambiguousIdentifier(identifier, cells: String(reflecting: first), and: String(reflecting: second))
  }

  private func list(_ epoch: String) -> String { epoch.isEmpty ? "a list without an epoch" : "the list \"\(epoch)\"" }
}

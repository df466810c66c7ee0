import RowcastModel

/// The tie between a kind of row and a kind of cell, with both types erased.
struct CellAdapter<Row: RowViewModel> {
  /// The reuse identifier of the cells.
  var identifier: String
  /// Makes a cell with a reuse identifier.
  let make: (String) -> Cell
  /// Whether a row is of the type that the cells show.
  let accepts: (Row) -> Bool
  /// Shows a row in a cell. Does nothing for a row that is not accepted.
  let configure: (Cell, Row) -> Void

  /// - Parameters:
  ///   - type: The cells.
  ///   - make: Makes a cell with a reuse identifier, if not by its class.
  ///   - unwrap: The row as the cells know it; `nil` for a row of another type.
  init<Content: RowCell>(
    _ type: Content.Type, make: ((String) -> Content)?, unwrap: @escaping (Row) -> Content.Row?
  ) {
    identifier = Content.reuseIdentifier
    self.make = make ?? { Content(reuseIdentifier: $0) }
    accepts = { unwrap($0) != nil }
    configure = { cell, row in
      guard let cell = cell as? Content, let content = unwrap(row) else { return }
      cell.configure(with: content)
    }
  }
}

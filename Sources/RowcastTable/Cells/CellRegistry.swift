import RowcastDiff
public import RowcastModel

/// Chooses cells by a map of typed adapters, found by the row's reuse identifier.
///
/// Unless a row type chooses otherwise, its reuse identifier is the name of the type. A new type of row then takes one line
/// here, and nothing else changes:
///
///     var registry = CellRegistry<AnyRow<UUID>>()
///     registry.register(TextCell.self)
///     registry.register(ImageCell.self)
///
/// Registering a cell for rows that it cannot show does not compile. The cell's class determines the reuse identifier, the
/// height and the way to make cells, unless the registration says otherwise.
public struct CellRegistry<Row: ListViewModel>: CellProvider {
  /// Requests the cell for a row; returns `nil` for a row that the cell cannot show.
  @usableFromInline typealias Adapter = (Row) -> CellRequest?

  /// The class of the cells of each kind of row, and a closure that requests one.
  @usableFromInline var cells: [String: (cellClass: TableError.CellClass, adapter: Adapter)] = [:]
  @usableFromInline var fallback: Adapter?

  /// Creates a registry without cells.
  public init() {}

  /// Registers the cell of a list whose rows are all of one type.
  ///
  /// - Parameters:
  ///   - cell: The cells.
  ///   - kind: The reuse identifier of the rows to show; by default the name of their type.
  ///   - make: Makes a cell with a given reuse identifier from a prototype; by default cells are made as the class says.
  @inlinable
  public mutating func register<Content: RowCell>(
    _ cell: Content.Type, forRowsOf kind: String? = nil, make: ((String) -> Content)? = nil
  ) where Content.Row == Row {
    register(cell, forRowsOf: kind ?? qualifiedName(of: Row.self), make: make, showing: { $0 })
  }

  /// Registers the cell of one of several row types.
  ///
  /// - Parameters:
  ///   - cell: The cells.
  ///   - kind: The reuse identifier of the rows to show; by default the name of their type.
  ///   - make: Makes a cell with a given reuse identifier from a prototype; by default cells are made as the class says.
  @inlinable
  public mutating func register<Content: RowCell>(
    _ cell: Content.Type, forRowsOf kind: String? = nil, make: ((String) -> Content)? = nil
  ) where Row == AnyRow<Content.Row.ID>, Content.Row: RowViewModel {
    register(
      cell, forRowsOf: kind ?? qualifiedName(of: Content.Row.self), make: make, showing: { $0.base as? Content.Row })
  }

  /// Registers the cell of rows that carry the content of the cell, as the cases of an enum do.
  ///
  /// - Parameters:
  ///   - cell: The cells.
  ///   - kind: The reuse identifier of the rows to show.
  ///   - make: Makes a cell with a given reuse identifier from a prototype; by default cells are made as the class says.
  ///   - content: Returns the part of a row that the cell shows; `nil` for a row that is not of the kind after all.
  @inlinable
  public mutating func register<Content: RowCell>(
    _ cell: Content.Type, forRowsOf kind: String, make: ((String) -> Content)? = nil,
    showing content: @escaping (Row) -> Content.Row?
  ) {
    let identifier = Content.reuseIdentifier
    let registration = make.map { CellRegistration.prototype($0) }
    cells[kind] = (
      (identifier, cell),
      { row in
        content(row).map {
          CellRequest(cell, showing: $0, reuseIdentifier: identifier, registration: registration)
        }
      }
    )
  }

  /// Registers the cell for rows without a registered cell. Each kind of them has its own reuse stack.
  ///
  /// - Parameters:
  ///   - cell: The cells.
  ///   - make: Makes a cell with a given reuse identifier from a prototype; by default cells are made as the class says.
  @inlinable
  public mutating func registerFallback<Content: RowCell>(
    _ cell: Content.Type, make: ((String) -> Content)? = nil
  ) where Content.Row == Row {
    let registration = make.map { CellRegistration.prototype($0) }
    fallback = { CellRequest(cell, showing: $0, reuseIdentifier: $0.reuseIdentifier, registration: registration) }
  }

  /// Checks that no reuse identifier is used for two of the registered classes. A table throws the same error when the second
  /// class appears.
  ///
  /// - Throws: ``TableError/ambiguousIdentifier(_:cells:and:)`` with the two.
  public func check() throws(TableError) {
    // Sorted, so that the order does not depend on the run.
    var classes: [TableError.CellClass] = []
    for kind in Array(cells.keys).inOrder(<) { if let cell = cells[kind] { classes.append(cell.cellClass) } }
    if let error = TableError.ambiguity(of: classes) { throw error }
  }

  /// Requests the cell that is registered for a row.
  @inlinable
  public func request(for row: Row) throws(TableError) -> CellRequest {
    let identifier = row.reuseIdentifier
    guard let adapter = cells[identifier]?.adapter ?? fallback else { throw .unregistered(identifier: identifier) }
    guard let request = adapter(row) else { throw .mismatch(identifier: identifier, row) }
    return request
  }
}

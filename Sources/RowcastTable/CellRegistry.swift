public import RowcastModel

/// Which cell shows which row: a map of typed adapters, found by the row's reuse identifier.
///
/// Unless a row type chooses otherwise its reuse identifier is the name of the type, so that a new type of row is added
/// by one line here, and nothing else changes:
///
///     var registry = CellRegistry<AnyRow<UUID>>()
///     registry.register(TextCell.self)
///     registry.register(ImageCell.self)
///
/// A cell that cannot show a row of the type that it is registered for does not compile.
public struct CellRegistry<Row: RowViewModel> {
  private var adapters: [String: CellAdapter<Row>] = [:]
  private var fallback: CellAdapter<Row>?

  /// Creates a registry without cells.
  public init() {}

  /// Registers the cell of a list whose rows are all of one type.
  ///
  /// - Parameters:
  ///   - cell: The cells.
  ///   - kind: The reuse identifier of the rows to show; by default the name of their type.
  ///   - make: Makes a cell that has a given reuse identifier, from a prototype; by default the class is asked.
  public mutating func register<Content: RowCell>(
    _ cell: Content.Type, forRowsOf kind: String? = nil, make: ((String) -> Content)? = nil
  ) where Content.Row == Row {
    adapters[kind ?? String(reflecting: Row.self)] = CellAdapter(cell, make: make) { $0 }
  }

  /// Registers the cell of one of several row types.
  ///
  /// - Parameters:
  ///   - cell: The cells.
  ///   - kind: The reuse identifier of the rows to show; by default the name of their type.
  ///   - make: Makes a cell that has a given reuse identifier, from a prototype; by default the class is asked.
  public mutating func register<Content: RowCell>(
    _ cell: Content.Type, forRowsOf kind: String? = nil, make: ((String) -> Content)? = nil
  ) where Row == AnyRow<Content.Row.ID> {
    adapters[kind ?? String(reflecting: Content.Row.self)] = CellAdapter(cell, make: make) { $0.base as? Content.Row }
  }

  /// Registers the cell for rows that no other cell was registered for. Each kind of them has its own reuse stack.
  public mutating func registerFallback<Content: RowCell>(_ cell: Content.Type) where Content.Row == Row {
    fallback = CellAdapter(cell, make: nil) { $0 }
  }

  /// The adapter for a row.
  ///
  /// - Throws: ``TableError/unregistered(identifier:)`` if no cell is registered for rows of this kind,
  ///   ``TableError/mismatch(identifier:rowType:)`` if the cell cannot show a row of this type.
  func adapter(for row: Row) throws(TableError) -> CellAdapter<Row> {
    let identifier = row.reuseIdentifier
    guard var adapter = adapters[identifier] ?? fallback else { throw .unregistered(identifier: identifier) }
    if adapters[identifier] == nil { adapter.identifier = identifier }
    guard adapter.accepts(row) else {
      throw .mismatch(identifier: identifier, rowType: String(reflecting: type(of: row.unerased)))
    }
    return adapter
  }
}

extension RowViewModel {
  /// The row itself, out of its erasure.
  fileprivate var unerased: any RowViewModel { (self as? AnyRow<ID>)?.base ?? self }
}

public import RowcastModel

/// The kinds of cells of a table as an enum. Each kind has a drawer for its cells.
///
/// Every row names its kind. A new kind is a case, and the compiler requires its drawer:
///
///     enum ProfileKind: CellStrategy {
///       case information, picture
///
///       var drawer: CellDrawer<ProfileRow> {
///         switch self {
///         case .information: CellDrawer(InformationCell.self) { $0.information }
///         case .picture: CellDrawer(PictureCell.self) { $0.picture }
///         }
///       }
///     }
///
///     let table = RetainedTable<Part, ProfileRow>(cells: StrategyCells<ProfileKind> { $0.kind }, height: 20)
public protocol CellStrategy: CaseIterable, Hashable {
  /// The rows.
  associatedtype Row: ListViewModel

  /// Draws the cells of this kind.
  var drawer: CellDrawer<Row> { get }
}

/// Draws rows of one kind: chooses the class of the cell and the part of a row that it shows.
public struct CellDrawer<Row: ListViewModel> {
  @usableFromInline let request: (Row) -> CellRequest?
  /// The class of the cells, and their reuse identifier.
  @usableFromInline let cellClass: TableError.CellClass

  /// Draws rows of one kind in cells of one class.
  ///
  /// - Parameters:
  ///   - cell: The cells.
  ///   - content: Returns the part of a row that a cell shows; `nil` for a row that is not of the kind after all.
  @inlinable
  public init<Content: RowCell>(_ cell: Content.Type, showing content: @escaping (Row) -> Content.Row?) {
    request = { row in content(row).map { CellRequest(cell, showing: $0) } }
    cellClass = (Content.reuseIdentifier, cell)
  }
}

/// Chooses cells by strategy: a row has a kind, and a kind has a drawer.
public struct StrategyCells<Strategy: CellStrategy>: CellProvider {
  @usableFromInline let kind: (Strategy.Row) -> Strategy
  @usableFromInline let drawers: [Strategy: CellDrawer<Strategy.Row>]

  /// Registers the drawers of all kinds.
  ///
  /// - Parameter kind: The kind of a row.
  /// - Precondition: No two kinds have cells of different classes with the same reuse identifier.
  @inlinable
  public init(of kind: @escaping (Strategy.Row) -> Strategy) {
    self.kind = kind
    var (drawers, classes): ([Strategy: CellDrawer<Strategy.Row>], [TableError.CellClass]) = ([:], [])
    for kind in Strategy.allCases where drawers[kind] == nil {
      let drawer = kind.drawer
      drawers[kind] = drawer
      classes.append(drawer.cellClass)
    }
    self.drawers = drawers
    TableError.requireDistinct(classes)
  }

  /// Requests the cell that the drawer of the row's kind chooses.
  @inlinable
  public func request(for row: Strategy.Row) throws(TableError) -> CellRequest {
    let kind = kind(row)
    guard let drawer = drawers[kind] else { throw .unregistered(identifier: "\(kind)") }
    guard let request = drawer.request(row) else { throw .mismatch(identifier: "\(kind)", row) }
    return request
  }
}

public import RowcastModel

/// Which cell is to show a row, and how: what all ways to choose a cell come to, and all that the table's dequeue knows.
///
/// Cell and row belong together by their types: a request that pairs a cell with a row that it cannot show does not
/// compile. What was one type is then erased, without a cast to get it back but in one place, here.
public struct CellRequest {
  /// The name of the reuse stack.
  public let reuseIdentifier: String
  /// The lines that the cell has for the row, at least 1.
  public let height: Int
  /// The class of the cells.
  let cellType: Cell.Type
  /// Makes a fresh cell.
  let make: () -> Cell
  /// Shows the row in a cell. Returns whether the cell is of the right class.
  let configure: (Cell) -> Bool
  /// Why this is not the cell that the row should have, if so.
  var diagnostic: TableDiagnostic?

  /// Asks for a cell that shows a row.
  ///
  /// - Parameters:
  ///   - cell: The class of the cell.
  ///   - row: What it is to show.
  ///   - reuseIdentifier: The name of the reuse stack; by default that of the class.
  ///   - registration: How a fresh cell is made; by default as the class says.
  public init<Content: RowCell>(
    _ cell: Content.Type, showing row: Content.Row, reuseIdentifier: String? = nil,
    registration: CellRegistration<Content>? = nil
  ) {
    self.init(
      cell, reuseIdentifier: reuseIdentifier ?? Content.reuseIdentifier, height: Content.height(of: row),
      registration: registration ?? Content.registration
    ) { $0.configure(with: row) }
  }

  /// Asks for a cell, whatever it shows.
  init<Content: Cell>(
    _ cell: Content.Type, reuseIdentifier: String, height: Int, registration: CellRegistration<Content>,
    configure: @escaping (Content) -> Void
  ) {
    self.reuseIdentifier = reuseIdentifier
    cellType = cell
    self.height = max(1, height)
    make = { registration.make(reuseIdentifier) }
    self.configure = { cell in
      guard let cell = cell as? Content else { return false }
      configure(cell)
      return true
    }
  }

  /// Asks for an empty cell, because there is none for the row.
  static func empty(_ diagnostic: TableDiagnostic) -> CellRequest {
    var request = CellRequest(EmptyCell.self, showing: EmptyCell.Nothing())
    request.diagnostic = diagnostic
    return request
  }
}

/// A cell that shows nothing, for rows that nobody knows a cell for.
public final class EmptyCell: Cell, RowCell {
  /// What there is to show.
  public struct Nothing: ListViewModel {
    /// All nothings are one.
    public var id: Int { 0 }
  }

  /// Shows nothing.
  public func configure(with row: Nothing) {}
}

/// Something that is not as it should be, and that the table went on with.
public struct TableDiagnostic: Hashable, Sendable {
  /// The kind of the row that has no cell of its own.
  public let reuseIdentifier: String
  /// The type of the row.
  public let rowType: String

  /// For a row that has no cell of its own.
  init(unknown row: some ListViewModel) {
    reuseIdentifier = row.reuseIdentifier
    rowType = String(reflecting: type(of: row.unerased))
  }
}

extension TableDiagnostic: CustomStringConvertible {
  /// What is wrong, and what to do about it.
  public var description: String {
    "there is no cell for a row of type \(rowType) with reuse identifier \(reuseIdentifier), so its place is empty; "
      + "register one"
  }
}

extension ListViewModel {
  /// The row itself, out of its erasure.
  var unerased: any ListViewModel { (self as? any ErasedRow)?.wrapped ?? self }
}

/// A row that holds another one.
private protocol ErasedRow {
  var wrapped: any ListViewModel { get }
}

extension AnyRow: ErasedRow {
  fileprivate var wrapped: any ListViewModel { base }
}

import RowcastDiff
import RowcastModel

/// Asks a table for a cell that shows a row. Every way to choose a cell returns a request.
///
/// A request that pairs a cell with a row that it cannot show does not compile. Types are erased and cast back only here.
public struct CellRequest {
  /// The name of the reuse stack.
  @usableFromInline package let reuseIdentifier: String
  /// The lines that the cell has for the row: 1 to ``maximumHeight``, or 0 for a header or footer that does not exist.
  @usableFromInline package let height: Int
  /// The class of the cells.
  @usableFromInline let cellType: Cell.Type
  /// Makes a fresh cell with a reuse identifier.
  @usableFromInline let makeCell: (String) -> Cell
  /// Shows the row in a cell. Returns false if the cell is of another class.
  @usableFromInline let configure: (Cell) -> Bool
  /// The reason why the row has an empty cell.
  var diagnostic: TableDiagnostic?

  /// The maximum number of lines of a cell. A cell that asks for more gets this number, so that sums of heights stay in
  /// range.
  package static var maximumHeight: Int { 1_000_000 }

  /// Requests a cell that shows a row.
  ///
  /// - Parameters:
  ///   - cell: The class of the cell.
  ///   - row: The row that it shows.
  ///   - reuseIdentifier: The name of the reuse stack; by default the identifier of the class.
  ///   - registration: The way to make a fresh cell; by default as the class says.
  @inlinable
  public init<Content: RowCell>(
    _ cell: Content.Type, showing row: Content.Row, reuseIdentifier: String? = nil,
    registration: CellRegistration<Content>? = nil
  ) {
    self.init(
      cell, reuseIdentifier: reuseIdentifier ?? Content.reuseIdentifier, height: Content.height(of: row),
      make: { (registration ?? Content.registration).make($0) }
    ) { $0.configure(with: row) }
  }

  /// Requests a cell that is configured by a closure.
  @inlinable
  package init<Content: Cell>(
    _ cell: Content.Type, reuseIdentifier: String, height: Int, make: @escaping (String) -> Content,
    configure: @escaping (Content) -> Void
  ) {
    self.reuseIdentifier = reuseIdentifier
    cellType = cell
    self.height = height <= 0 ? 0 : Self.clamped(height)
    makeCell = make
    self.configure = { cell in
      guard let cell = cell as? Content else { return false }
      configure(cell)
      return true
    }
  }

  /// A height, clamped to the numbers of lines that the cell of a row can have.
  @usableFromInline
  static func clamped(_ height: Int) -> Int { max(1, min(height, maximumHeight)) }

  /// Makes a fresh cell.
  ///
  /// - Precondition: A prototype makes cells that have the reuse identifier that it is given.
  func make() -> Cell {
    let cell = makeCell(reuseIdentifier)
    require(
      cell.reuseIdentifier == reuseIdentifier,
      "A prototype for \(reuseIdentifier) made a cell with the reuse identifier \(cell.reuseIdentifier)")
    return cell
  }

  /// Requests an empty cell, because there is none for the row.
  static func empty(_ diagnostic: TableDiagnostic) -> CellRequest {
    var request = CellRequest(
      EmptyCell.self, reuseIdentifier: qualifiedName(of: EmptyCell.self), height: 1,
      make: { EmptyCell(reuseIdentifier: $0) }, configure: { _ in })
    request.diagnostic = diagnostic
    return request
  }
}

/// A cell that shows nothing, for rows whose kind has no registered cell.
public final class EmptyCell: Cell {}

/// A non-fatal problem that a table reports: a row, header or footer has an empty cell because there is none for it.
public struct TableDiagnostic: Hashable, Sendable {
  /// The kind of the row.
  public let reuseIdentifier: String
  /// The type of the row.
  public let rowType: String
  /// The error that left the row without a cell; `nil` if its provider gives it an empty one.
  public let error: TableError?

  init(unknown row: some ListViewModel, _ error: TableError? = nil) {
    self.error = error
    reuseIdentifier = row.reuseIdentifier
    rowType = row.typeName
  }
}

extension TableDiagnostic: CustomStringConvertible {
  /// Describes the problem and its remedy.
  public var description: String {
    "there is no cell for a row of type \(rowType) with reuse identifier \(reuseIdentifier), so its place is empty; "
      + (error.map { "\($0)" } ?? "register one")
  }
}

extension ListViewModel {
  /// The name of the row's type; for an erased row, the type of the row inside.
  var typeName: String { String(reflecting: type(of: (self as? AnyRow<ID>)?.base ?? self as any ListViewModel)) }
}

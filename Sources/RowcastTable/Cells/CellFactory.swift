import RowcastModel

/// A factory that knows all cells of a table and makes the right one for each row; injected into the table as it is.
///
///     struct MessageFactory: CellFactory {
///       var cellTypes: [any RowCell.Type] { [TextCell.self] }
///
///       func generateCell(for row: AnyRow<Int>) -> CellRequest? {
///         switch row.base {
///         case let text as Text: CellRequest(TextCell.self, showing: text)
///         default: nil
///         }
///       }
///     }
///
/// A row for which the factory makes nothing gets an empty cell and a ``TableDiagnostic``, never a crash.
public protocol CellFactory<Row>: CellProvider {
  /// The rows.
  associatedtype Row

  /// The classes of the cells that the factory makes. Others are refused.
  ///
  /// - Precondition: They have different reuse identifiers. A table checks this when it is created with the factory.
  var cellTypes: [any RowCell.Type] { get }

  /// The cell for a row, or `nil` if the factory does not know the row.
  func generateCell(for row: Row) -> CellRequest?
}

extension CellFactory {
  /// The cell that the factory makes, or an empty one for a row that it does not know.
  public func request(for row: Row) throws(TableError) -> CellRequest {
    guard let request = generateCell(for: row) else { return .empty(TableDiagnostic(unknown: row)) }
    guard cellTypes.contains(where: { $0 == request.cellType }) else {
      throw .unregistered(identifier: request.reuseIdentifier)
    }
    return request
  }
}

/// Checks the providers that know all classes of their cells when a table is created with them.
@usableFromInline
func requireDistinctCells(of providers: [(any CellProvider)?]) {
  for case let factory as any CellFactory in providers {
    TableError.requireDistinct(factory.cellTypes.map { ($0.reuseIdentifier, $0) })
  }
}

public import RowcastModel

/// A way to choose the cell for a row.
///
/// The four built-in ways, ``CellRegistry``, ``StrategyCells``, ``CellFactory`` and the provider of a ``StaticTable``, have
/// no privilege over others.
public protocol CellProvider<Row> {
  /// The rows, or the sections if it is for headers or footers.
  associatedtype Row: ListViewModel

  /// Requests the cell for a row. Called for rows that appear, and for visible rows whose content changed;
  /// ``RetainedTable/reloadAll()`` calls it for all visible rows. For headers and footers it is called for each new or
  /// changed section, too: a request of height 0 says that the section has none.
  ///
  /// - Throws: ``TableError/unregistered(identifier:)`` if there is no cell for rows of this kind,
  ///   ``TableError/mismatch(identifier:rowType:)`` if the cell cannot show a row of this type.
  func request(for row: Row) throws(TableError) -> CellRequest

  /// Returns the estimated lines of a row until it appears; `nil` for the table's own estimate.
  ///
  /// Called for each row that is new in the list, on the screen or not.
  var estimatedHeight: ((Row) -> Int)? { get }
}

extension CellProvider {
  /// The table's own estimate. The provider is not asked about rows off the screen.
  public var estimatedHeight: ((Row) -> Int)? { nil }
}

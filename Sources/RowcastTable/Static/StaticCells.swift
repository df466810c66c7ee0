public import RowcastModel

/// Chooses the cells of a static table, and makes the list of its rows.
public struct StaticCells<Table: StaticTable>: CellProvider {
  /// The description.
  public let table: Table

  /// Creates a provider for the table that is described.
  public init(_ table: Table) { self.table = table }

  /// Makes the list that is described now.
  ///
  /// - Throws: `ListError.duplicateRow` if a model occurs twice.
  public func snapshot() throws(ListError<Int, Table.Model>) -> ListSnapshot<StaticSection, StaticRow<Table.Model>> {
    let rows = table.models.map { model in
      StaticRow(
        id: model, capabilities: table.capabilities(of: model),
        reuseIdentifier: String(reflecting: table.cellType(for: model)))
    }
    return try ListSnapshot([ListSection(StaticSection(), rows: rows)])
  }

  /// Requests the cell for a row.
  public func request(for row: StaticRow<Table.Model>) throws(TableError) -> CellRequest {
    request(for: row.id, row.capabilities)
  }

  /// Requests the cell for a model.
  ///
  /// - Parameters:
  ///   - model: The model, which decides on the cell.
  ///   - capabilities: The capabilities that the cell is filled with.
  /// - Returns: The request.
  public func request(for model: Table.Model, _ capabilities: Capabilities) -> CellRequest {
    request(table.cellType(for: model), for: model, capabilities)
  }

  /// The estimate of the cell's class.
  public var estimatedHeight: ((StaticRow<Table.Model>) -> Int)? {
    { table.cellType(for: $0.id).estimatedHeight }
  }

  private func request<Content: CapableCell>(
    _ cell: Content.Type, for model: Table.Model, _ capabilities: Capabilities
  ) -> CellRequest {
    CellRequest(
      cell, reuseIdentifier: String(reflecting: cell), height: Content.preferredHeight,
      make: { Content.registration.make($0) }
    ) { cell in
      for slot in Content.slots { slot.fill(cell, capabilities) }
      table.configure(cell, for: model)
    }
  }
}

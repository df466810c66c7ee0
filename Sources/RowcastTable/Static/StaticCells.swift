public import RowcastModel

/// Chooses the cells of a static table, and makes the list of its rows.
public struct StaticCells<Table: StaticTable>: CellProvider {
  /// The description.
  public let table: Table

  /// Takes the description of a table.
  public init(_ table: Table) { self.table = table }

  /// The list as the description has it now.
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

  /// The cell that is to show a row.
  public func request(for row: StaticRow<Table.Model>) throws(TableError) -> CellRequest {
    request(for: row.id, row.capabilities)
  }

  /// The cell that is to show a model.
  ///
  /// - Parameters:
  ///   - model: The model, which decides on the cell.
  ///   - capabilities: What the cell is filled with.
  /// - Returns: What to ask the table for.
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

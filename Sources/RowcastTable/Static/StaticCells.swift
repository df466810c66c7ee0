public import RowcastModel

/// Chooses the cells of a static table, and makes the list of its rows.
public struct StaticCells<Table: StaticTable>: CellProvider {
  /// The description.
  public let table: Table

  /// Takes the description of a table.
  public init(_ table: Table) {
    self.table = table
  }

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
    request(table.cellType(for: row.id), for: row)
  }

  /// The estimate of the cell's class.
  public var estimatedHeight: ((StaticRow<Table.Model>) -> Int)? {
    { table.cellType(for: $0.id).estimatedHeight }
  }

  private func request<Content: CapableCell>(
    _ cell: Content.Type, for row: StaticRow<Table.Model>
  ) -> CellRequest {
    CellRequest(
      cell, reuseIdentifier: String(reflecting: cell), height: Content.preferredHeight,
      registration: Content.registration
    ) { cell in
      for slot in Content.slots { slot.fill(cell, row.capabilities) }
      table.configure(cell, for: row.id)
    }
  }
}

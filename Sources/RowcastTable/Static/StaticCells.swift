package import RowcastModel

/// Chooses the cells of a static table, and makes the list of its rows.
package struct StaticCells<Table: StaticTable>: CellProvider {
  /// The description.
  package let table: Table

  /// Creates a provider for the table of a description.
  package init(_ table: Table) { self.table = table }

  /// Makes the list of the current description.
  ///
  /// - Throws: `ListError.duplicateRow` if a model occurs twice, `ListError.duplicateSection` if the id of a group does.
  package func snapshot() throws(ListError<Int, Table.Model>) -> ListSnapshot<StaticSection, StaticRow<Table.Model>> {
    var sections: [ListSection<StaticSection, StaticRow<Table.Model>>] = []
    for group in table.groups {
      let section = StaticSection(id: group.id ?? sections.count, heading: group.heading, footer: group.footer)
      var rows: [StaticRow<Table.Model>] = []
      for model in group.models { rows.append(row(of: model)) }
      sections.append(ListSection(section, rows: rows))
    }
    return try ListSnapshot(sections)
  }

  private func row(of model: Table.Model) -> StaticRow<Table.Model> {
    StaticRow(
      id: model, capabilities: table.capabilities(of: model),
      reuseIdentifier: String(reflecting: table.cellType(for: model)))
  }

  /// Requests the cell for a row.
  package func request(for row: StaticRow<Table.Model>) throws(TableError) -> CellRequest {
    request(for: row.id, row.capabilities)
  }

  /// Requests the cell for a model.
  ///
  /// - Parameters:
  ///   - model: The model, which decides on the cell.
  ///   - capabilities: The capabilities that the cell is filled with.
  /// - Returns: The request.
  package func request(for model: Table.Model, _ capabilities: Capabilities) -> CellRequest {
    request(table.cellType(for: model), for: model, capabilities)
  }

  /// The estimate of the cell's class.
  package var estimatedHeight: ((StaticRow<Table.Model>) -> Int)? {
    { table.cellType(for: $0.id).estimatedHeight }
  }

  private func request<Content: CapableCell>(
    _ cell: Content.Type, for model: Table.Model, _ capabilities: Capabilities
  ) -> CellRequest {
    CellRequest(cell, filledWith: capabilities) { table.configure($0, for: model) }
  }
}

extension CellRegistry where Row == StaticSection {
  /// Headings, or footers, in cells of a class; of height 0 for a group without the text.
  init<Content: CapableCell>(_ cell: Content.Type, showing text: KeyPath<StaticSection, String?>) {
    fallback = { section in
      let text = section[keyPath: text]
      return CellRequest(
        cell, filledWith: Capabilities().setting(.title, to: text), height: text == nil ? 0 : Content.preferredHeight)
    }
  }
}

extension CellRequest {
  /// Requests a cell that is filled with capabilities, and completed by a closure.
  fileprivate init<Content: CapableCell>(
    _ cell: Content.Type, filledWith capabilities: Capabilities, height: Int = Content.preferredHeight,
    completing complete: @escaping (Content) -> Void = { _ in }
  ) {
    self.init(
      cell, reuseIdentifier: String(reflecting: cell), height: height, make: { Content.registration.make($0) }
    ) { cell in
      for slot in Content.slots { slot.fill(cell, capabilities) }
      complete(cell)
    }
  }
}

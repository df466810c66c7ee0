import RowcastDiff
import RowcastModel

/// A static table at work: the retained table that shows a description, selection and reloading.
///
/// Like any table it is not `Sendable`: it belongs to the task or the actor that draws it.
public final class StaticTableView<Table: StaticTable> {
  /// The table that keeps the cells.
  public let table: RetainedTable<StaticSection, StaticRow<Table.Model>>
  private let cells: StaticCells<Table>
  private let epoch = ListPosition.randomEpoch()
  private var revision = -1

  /// Shows the table that is described.
  ///
  /// - Parameters:
  ///   - description: The models, their cells and the effect of selecting them.
  ///   - height: The number of lines that the screen has for the table.
  /// - Throws: `ListError` if a model or the id of a group occurs twice, ``TableError`` if a model has no cell.
  /// - Precondition: `height` is not negative.
  public init(_ description: Table, height: Int) throws {
    cells = StaticCells(description)
    let cell = description.headingType
    table = RetainedTable(
      cells: cells, headers: cell.map { StaticHeadings(cell: $0, text: \.heading) },
      footers: cell.map { StaticHeadings(cell: $0, text: \.footer) }, height: height)
    try reload()
  }

  /// Reads the description again and shows the difference. Cells of models without a change are left alone.
  ///
  /// - Returns: The events of the cells.
  /// - Throws: `ListError` if a model or the id of a group occurs twice, ``TableError`` if a model has no cell;
  ///   the table is then as it was.
  @discardableResult
  public func reload() throws -> ApplyReport {
    // The whole list follows whatever the table shows, and the table finds the difference.
    let list = try cells.snapshot()
    revision += 1
    return try table.apply(ListUpdate(initial: list, revision: revision, epoch: epoch))
  }

  /// Configures the cells of models again whose look depends on what `==` ignores; see ``RetainedTable/refresh(_:)``.
  ///
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError`` if a model on the screen has no cell by now; the table is then as it was.
  @discardableResult
  public func refresh(_ models: some Sequence<Table.Model>) throws(TableError) -> ApplyReport {
    try table.refresh(models)
  }

  /// Selects the row of a model, and tells the description. A row that is selected already can be selected again.
  ///
  /// - Returns: True if the table has the model.
  @discardableResult
  public func select(_ model: Table.Model) -> Bool {
    guard table.select(model) else { return false }
    cells.table.itemSelected(model)
    return true
  }

  /// Selects the row that keys act on, if there is one.
  ///
  /// - Returns: True if a row was selected.
  @discardableResult
  package func selectFocusedRow() -> Bool { table.focusedID.map { select($0) } ?? false }
}

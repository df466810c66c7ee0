import RowcastDiff
public import RowcastModel

/// A table whose rows are known in advance: settings, an about page.
///
/// It is described in one place: its models, usually the cases of an enum, and for each its cell, its capabilities and the
/// effect of selecting it. No indexes are needed, so models can change places without consequences. Models may be in
/// ``groups``, which may have a heading and a footer.
///
///     struct About: StaticTable {
///       enum Model { case version, gap, licence }
///       var models: [Model] { [.version, .gap, .licence] }
///
///       func cellType(for model: Model) -> any CapableCell.Type { model == .gap ? EmptyLine.self : TextCell.self }
///
///       func capabilities(of model: Model) -> Capabilities {
///         switch model {
///         case .version: Capabilities().setting(.title, to: "Version 1")
///         case .gap: Capabilities()
///         case .licence: Capabilities().setting(.title, to: "MIT licence")
///         }
///       }
///
///       func itemSelected(_ model: Model) { … }
///     }
public protocol StaticTable {
  /// The ids of the rows.
  associatedtype Model: Hashable & Sendable

  /// The models, from top to bottom. None occurs twice. A table with groups returns `groups.flatMap(\.models)`.
  var models: [Model] { get }

  /// The models in groups, from top to bottom. The default is one group without a heading.
  var groups: [StaticGroup<Model>] { get }

  /// The class of the cells for headings and footers of groups, which show the capability `title`. The default is `nil`: they
  /// are not shown. Read once, when the view is created.
  var headingType: (any CapableCell.Type)? { get }

  /// The class of the cell for a model.
  func cellType(for model: Model) -> any CapableCell.Type

  /// The content of a model.
  func capabilities(of model: Model) -> Capabilities

  /// Completes a cell that is filled with its capabilities. The default does nothing.
  func configure(_ cell: Cell, for model: Model)

  /// Called when a row was selected. The default does nothing.
  func itemSelected(_ model: Model)
}

extension StaticTable {
  /// All models in one group.
  public var groups: [StaticGroup<Model>] { [StaticGroup(models: models)] }

  /// Headings and footers are not shown.
  public var headingType: (any CapableCell.Type)? { nil }

  /// Does nothing.
  public func configure(_ cell: Cell, for model: Model) {}

  /// Does nothing.
  public func itemSelected(_ model: Model) {}
}

/// The row of a model in a static table.
public struct StaticRow<Model: Hashable & Sendable>: RowViewModel {
  /// The model.
  public let id: Model
  /// The content of the model.
  package var capabilities: Capabilities
  /// The kind of its cell: the fully qualified name of the class.
  public var reuseIdentifier: String
}

/// Models of a static table that belong together.
public struct StaticGroup<Model: Hashable & Sendable>: Sendable {
  /// Identifies the group when groups are inserted, removed or moved; `nil` for its place among them.
  package var id: Int?
  /// The text above the rows, if any.
  package var heading: String?
  /// The text below the rows, if any.
  package var footer: String?
  /// The models, from top to bottom.
  public var models: [Model]

  /// Creates a group.
  public init(_ heading: String? = nil, footer: String? = nil, id: Int? = nil, models: [Model]) {
    (self.heading, self.footer, self.id, self.models) = (heading, footer, id, models)
  }
}

/// The section of a group of a static table.
public struct StaticSection: SectionViewModel {
  /// The id of the group, or its place.
  public let id: Int
  /// The text above the rows, if any.
  package var heading: String?
  /// The text below the rows, if any.
  package var footer: String?

  /// Creates the section of a group; by default the section of the only group.
  package init(id: Int = 0, heading: String? = nil, footer: String? = nil) {
    (self.id, self.heading, self.footer) = (id, heading, footer)
  }
}

/// A static table at work: the retained table that shows a description, selection and reloading.
///
/// Like any table it is not `Sendable`: it belongs to the task or the actor that draws it.
public final class StaticTableView<Table: StaticTable> {
  /// The table that keeps the cells.
  public let table: RetainedTable<StaticSection, StaticRow<Table.Model>>
  private let cells: StaticCells<Table>
  private let epoch = ListPosition.randomEpoch()
  private var revision = -1

  /// Shows the table of a description.
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
      cells: cells, headers: cell.map { CellRegistry($0, showing: \.heading) },
      footers: cell.map { CellRegistry($0, showing: \.footer) }, height: height)
    try reload()
  }

  /// Reads the description again and shows the difference. Cells of models without a change are left alone.
  ///
  /// - Returns: The events of the cells.
  /// - Throws: `ListError` if a model or the id of a group occurs twice, ``TableError`` if a model has no cell; the table is
  ///   then unchanged.
  @discardableResult
  public func reload() throws -> ApplyReport {
    // A whole list is accepted whatever the table shows, and the table finds the difference.
    let list = try cells.snapshot()
    revision += 1
    return try table.apply(ListUpdate(initial: list, revision: revision, epoch: epoch))
  }

  /// Configures again the cells of models whose look depends on what `==` ignores; see ``RetainedTable/refresh(_:)``.
  ///
  /// - Returns: The events of the cells.
  /// - Throws: ``TableError`` if a model on the screen has no cell by now; the table is then unchanged.
  @discardableResult
  public func refresh(_ models: some Sequence<Table.Model>) throws(TableError) -> ApplyReport {
    try table.refresh(models)
  }

  /// Selects the row of a model, and tells the description. A row that is selected already can be selected again.
  ///
  /// - Returns: True if the table has the model, and rows can be selected.
  @discardableResult
  public func select(_ model: Table.Model) -> Bool {
    guard table.select(model) else { return false }
    cells.table.itemSelected(model)
    return true
  }
}

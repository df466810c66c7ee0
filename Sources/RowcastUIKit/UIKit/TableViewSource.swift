#if canImport(UIKit) && !os(watchOS)
  public import Rowcast
  public import UIKit

  /// Shows a list in a table view: its data source.
  ///
  ///     source = TableViewSource<Channel, Message>(tableView)
  ///     source.register(UITableViewCell.self) { cell, message in
  ///       var content = cell.defaultContentConfiguration()
  ///       content.text = message.text
  ///       cell.contentConfiguration = content
  ///     }
  ///     source.header = { $0.title }
  ///     source.follow(messages)
  ///
  /// Rows with a `reuseIdentifier` of their own have the cells that are registered for it. People delete rows by a swipe and move
  /// them by a drag if ``ListDataSource/edits(in:onFailure:)`` names a store. Taps are reported to the view's delegate, which is
  /// the app's.
  ///
  /// The class may be subclassed to answer more of `UITableViewDataSource`.
  open class TableViewSource<Section: SectionViewModel, Row: RowViewModel>: ListDataSource<Section, Row>,
    UITableViewDataSource
  {
    private weak var tableView: UITableView?
    private var configurations: [String: (UITableViewCell, Row) -> Void] = [:]
    #if !os(tvOS)
      private let drag = TableDrag()
    #endif

    /// The title of the header of a section; `nil` for none.
    public var header: ((Section) -> String?)?

    /// Creates the data source of a table view, and sets it.
    ///
    /// - Parameters:
    ///   - tableView: The view. It is not retained.
    ///   - snapshot: The list that the view shows first.
    public init(_ tableView: UITableView, showing snapshot: ListSnapshot<Section, Row> = .init()) {
      self.tableView = tableView
      super.init(BatchDriver(tableView, showing: snapshot))
      tableView.dataSource = self
      core.keepSelection { [weak tableView] in
        (tableView?.indexPathsForSelectedRows ?? []).map(RowPath.init)
      } select: { [weak tableView] paths in
        for path in paths { tableView?.selectRow(at: IndexPath(path), animated: false, scrollPosition: .none) }
      }
      driver.configureHeader = { [weak self] in self?.configureHeader(at: $0, from: $1, to: $2) ?? true }
      #if !os(tvOS)
        drag.canMove = { [weak core] in core?.onMove != nil }
        tableView.dragDelegate = drag
        tableView.dragInteractionEnabled = true
      #endif
    }

    /// A header gets another title without a reload of its section, which would interrupt what a person does there.
    private func configureHeader(at index: Int, from before: Section, to after: Section) -> Bool {
      let titles = (header?(before), header?(after))
      if (titles.0 == nil) != (titles.1 == nil) { return false }
      let view = titles.0 == titles.1 ? nil : tableView?.headerView(forSection: index)
      view?.textLabel?.text = titles.1
      view?.setNeedsLayout()
      return true
    }

    /// Registers a class of cells.
    ///
    /// - Parameters:
    ///   - cell: The class.
    ///   - reuseIdentifier: The identifier of the rows that have such cells; `nil` for all rows without cells of their own.
    ///   - configure: Shows a row in a cell, which may have shown another one.
    public func register<Cell: UITableViewCell>(
      _ cell: Cell.Type, for reuseIdentifier: String? = nil, configure: @escaping (Cell, Row) -> Void
    ) {
      let identifier = reuseIdentifier ?? Self.anyRow
      tableView?.register(cell, forCellReuseIdentifier: identifier)
      configurations[identifier] = { view, row in (view as? Cell).map { configure($0, row) } }
    }

    private static var anyRow: String { "rowcast.any" }

    /// The row at an index path of the view.
    ///
    /// - Precondition: The list that the view shows has the row.
    public func row(at path: IndexPath) -> Row { snapshot.row(at: RowPath(path)) }

    /// The number of sections.
    open func numberOfSections(in tableView: UITableView) -> Int { snapshot.sectionCount }

    /// The number of rows of a section.
    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      snapshot.rowCount(inSection: section)
    }

    /// The title of the header of a section.
    open func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
      header?(snapshot.section(at: section))
    }

    /// The cell of a row. If none is registered for it, the cell is empty.
    open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      let row = row(at: indexPath)
      let identifier = configurations[row.reuseIdentifier] == nil ? Self.anyRow : row.reuseIdentifier
      guard let configure = configurations[identifier] else {
        assertionFailure("No cell is registered for \(row.reuseIdentifier)")
        // The view configures again only cells that it has made itself.
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "rowcast.none")
        return tableView.dequeueReusableCell(withIdentifier: "rowcast.none", for: indexPath)
      }
      let cell = tableView.dequeueReusableCell(withIdentifier: identifier, for: indexPath)
      configure(cell, row)
      return cell
    }

    /// True if people can delete rows.
    open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { onDelete != nil }

    /// Deletes a row that was swiped: an update removes it from the view.
    open func tableView(
      _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {
      guard editingStyle == .delete else { return }
      let id = row(at: indexPath).id
      core.delete([id]) { [weak self] in
        Task { [weak self] in
          await self?.driver.settled()
          // A row that was not deleted is still pushed aside.
          guard let self, let tableView = self.tableView else { return }
          tableView.reloadRows(at: snapshot.paths(ofRows: [id]).map(IndexPath.init), with: .automatic)
        }
      }
    }

    /// True if people can move rows.
    open func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { onMove != nil }

    /// Takes over a move that the view has performed.
    open func tableView(_ tableView: UITableView, moveRowAt source: IndexPath, to destination: IndexPath) {
      core.viewDidMove(from: RowPath(source), to: RowPath(destination))
    }
  }

  #if !os(tvOS)
    /// Begins the drag of a row outside of the editing mode. A class of its own, as an extension of a generic class cannot
    /// have methods of Objective-C.
    final class TableDrag: NSObject, UITableViewDragDelegate {
      var canMove: () -> Bool = { false }

      func tableView(
        _ tableView: UITableView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
      ) -> [UIDragItem] {
        canMove() ? [UIDragItem(itemProvider: NSItemProvider())] : []
      }
    }
  #endif
#endif

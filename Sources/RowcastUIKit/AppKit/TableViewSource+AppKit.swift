#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import Rowcast

  /// Shows a list in a table view: its data source and delegate.
  ///
  ///     source = TableViewSource<Channel, Message>(tableView)
  ///     source.register { NSTextField(labelWithString: "") } configure: { label, message, _ in label.stringValue = message.text }
  ///     source.header = { NSTextField(labelWithString: $0.title) }
  ///     source.follow(messages)
  ///
  /// Rows with a `reuseIdentifier` of their own have the views that are registered for it. People move rows by a drag if
  /// ``ListDataSource/edits(in:onFailure:)`` names a store; a command of the app deletes rows with ``delete(at:)``.
  ///
  /// The class may be subclassed to answer more of `NSTableViewDelegate`.
  open class TableViewSource<Section: SectionViewModel, Row: RowViewModel>: ListDataSource<Section, Row>,
    NSTableViewDataSource, NSTableViewDelegate
  {
    private var views: [String: (NSTableView, Row, NSTableColumn?) -> NSView?] = [:]
    /// The rows that are dragged. An update may move them in the view during the drag.
    private var dragged: [Row.ID] = []

    /// The view of a section's header.
    public var header: ((Section) -> NSView?)?

    /// Creates the data source of a table view, and sets it, as its delegate, too.
    ///
    /// - Parameters:
    ///   - tableView: The view. It is not retained.
    ///   - hasHeaders: True if each section begins with a row for its header.
    ///   - snapshot: The list that the view shows first.
    public init(
      _ tableView: NSTableView, hasHeaders: Bool = true, showing snapshot: ListSnapshot<Section, Row> = .init()
    ) {
      super.init(BatchDriver(flat: tableView, hasHeaders: hasHeaders, showing: snapshot))
      tableView.dataSource = self
      tableView.delegate = self
      tableView.registerForDraggedTypes([Self.pasteboardType])
      core.keepSelection { [weak self, weak tableView] in
        self?.paths(at: tableView?.selectedRowIndexes ?? []) ?? []
      } select: { [weak self, weak tableView] paths in
        guard let layout = self?.layout else { return }
        tableView?.selectRowIndexes(IndexSet(paths.map(layout.index)), byExtendingSelection: false)
      }
    }

    private static var pasteboardType: NSPasteboard.PasteboardType { .init("rowcast.row") }
    private static var anyRow: String { "rowcast.any" }

    /// Registers the views of rows.
    ///
    /// - Parameters:
    ///   - reuseIdentifier: The identifier of the rows that have such views; `nil` for all rows without views of their own.
    ///   - make: Makes a view.
    ///   - configure: Shows a row in a view, which may have shown another one, in a column of the table.
    public func register<View: NSView>(
      for reuseIdentifier: String? = nil, make: @escaping () -> View,
      configure: @escaping (View, Row, NSTableColumn?) -> Void
    ) {
      let identifier = NSUserInterfaceItemIdentifier(reuseIdentifier ?? Self.anyRow)
      views[identifier.rawValue] = { tableView, row, column in
        let view = tableView.makeView(withIdentifier: identifier, owner: nil) as? View ?? make()
        view.identifier = identifier
        configure(view, row, column)
        return view
      }
    }

    /// The places of sections and rows in the view, laid out once for each list.
    public var layout: FlatLayout { driver.layout }

    /// Deletes the rows at some rows of the view. An update removes them from the view; headers stay.
    public func delete(at rows: IndexSet) { core.delete(ids(at: rows)) }

    private func ids(at rows: IndexSet) -> [Row.ID] { paths(at: rows).map { snapshot.row(at: $0).id } }

    private func paths(at rows: IndexSet) -> [RowPath] {
      let layout = layout
      // A view that has not loaded the list may have selected rows of another one.
      return rows.compactMap { if $0 < layout.count, case .row(let path) = layout[$0] { path } else { nil } }
    }

    /// The number of rows, headers included.
    open func numberOfRows(in tableView: NSTableView) -> Int { layout.count }

    /// True for headers.
    open func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool {
      if case .header = layout[row] { true } else { false }
    }

    /// False for headers.
    open func tableView(_ tableView: NSTableView, shouldSelectRow row: Int) -> Bool {
      if case .header = layout[row] { false } else { true }
    }

    /// The view of a row or a header.
    open func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView? {
      switch layout[row] {
      case .header(let section): return header?(snapshot.section(at: section))
      case .row(let path):
        let row = snapshot.row(at: path)
        return (views[row.reuseIdentifier] ?? views[Self.anyRow])?(tableView, row, tableColumn)
      }
    }

    /// Lets people drag the rows that can be moved.
    open func tableView(_ tableView: NSTableView, pasteboardWriterForRow row: Int) -> (any NSPasteboardWriting)? {
      guard onMove != nil, case .row = layout[row] else { return nil }
      let item = NSPasteboardItem()
      item.setString("", forType: Self.pasteboardType)
      return item
    }

    /// Notes the rows that are dragged.
    open func tableView(
      _ tableView: NSTableView, draggingSession session: NSDraggingSession, willBeginAt screenPoint: NSPoint,
      forRowIndexes rowIndexes: IndexSet
    ) {
      dragged = ids(at: rowIndexes)
    }

    /// Lets people drop rows of this view between others: above the row that they are over, or at the end.
    open func tableView(
      _ tableView: NSTableView, validateDrop info: any NSDraggingInfo, proposedRow row: Int,
      proposedDropOperation dropOperation: NSTableView.DropOperation
    ) -> NSDragOperation {
      let target = row < 0 ? tableView.numberOfRows : row
      guard info.draggingSource as? NSTableView === tableView, move(above: target) != nil else { return [] }
      if dropOperation == .on { tableView.setDropRow(target, dropOperation: .above) }
      return .move
    }

    /// Moves the rows that were dragged: an update moves them in the view.
    open func tableView(
      _ tableView: NSTableView, acceptDrop info: any NSDraggingInfo, row: Int, dropOperation: NSTableView.DropOperation
    ) -> Bool {
      guard let move = move(above: row) else { return false }
      core.move(move)
      return true
    }

    private func move(above row: Int) -> RowMove<Section.ID, Row.ID>? {
      onMove == nil ? nil : RowMove(dropping: dragged, above: row, in: layout, of: snapshot)
    }
  }
#endif

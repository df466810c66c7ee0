#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import Rowcast
  import RowcastUI

  /// Shows an outline in an outline view: a list that is arranged with `outlined(parent:)`.
  ///
  ///     source = OutlineViewSource<SoleSection, FileRow>(outlineView, expansion: expansion, place: \.place) { row, column in
  ///       NSTextField(labelWithString: row.name)
  ///     }
  ///     source.follow(tree)
  ///
  /// The view shows what the list has: if a person expands a row, the row is expanded in the `OutlineExpansion`, and its
  /// descendants are inserted by the update that follows. A row that moves is removed and inserted. Rows of all sections are
  /// shown, without headers.
  ///
  /// Keep a reference to a data source: a view does not retain it. The class may be subclassed to answer more of
  /// `NSOutlineViewDelegate`.
  @MainActor
  open class OutlineViewSource<Section: SectionViewModel, Row: RowViewModel>: NSObject, NSOutlineViewDataSource,
    NSOutlineViewDelegate
  {
    /// A row as an outline view knows it: by an object that stays the same.
    private final class Item: NSObject {
      let id: Row.ID
      init(_ id: Row.ID) { self.id = id }
    }

    private weak var outlineView: NSOutlineView?
    private let expansion: OutlineExpansion<Row.ID>
    private let place: (Row) -> OutlinePlace<Row.ID>
    private let view: (Row, NSTableColumn?) -> NSView?
    private var following: Task<Void, Never>?
    private var tree = OutlineTree<Row.ID>()
    private var rows: [Row.ID: Row] = [:]
    private var items: [Row.ID: Item] = [:]
    /// True while this expands and collapses rows itself.
    private var isUpdating = false
    /// The list that the view shows.
    public private(set) var snapshot = ListSnapshot<Section, Row>()

    /// Creates the data source of an outline view, and sets it, as its delegate, too.
    ///
    /// - Parameters:
    ///   - outlineView: The view. It is not retained.
    ///   - expansion: The expansion of the outline.
    ///   - place: The place of a row in the outline.
    ///   - view: Makes or reuses the view of a row in a column.
    public init(
      _ outlineView: NSOutlineView, expansion: OutlineExpansion<Row.ID>,
      place: @escaping (Row) -> OutlinePlace<Row.ID>, view: @escaping (Row, NSTableColumn?) -> NSView?
    ) {
      (self.outlineView, self.expansion, self.place, self.view) = (outlineView, expansion, place, view)
      super.init()
      outlineView.dataSource = self
      outlineView.delegate = self
      // The view may have had rows of another source.
      outlineView.reloadData()
    }

    deinit { following?.cancel() }

    /// Shows an outline, until another one is followed or the data source is released.
    ///
    /// - Parameter list: A list that is arranged with `outlined(parent:)`.
    public func follow(_ list: some LiveList<Section, Row>) {
      following?.cancel()
      following = Task { [weak self] in
        for await update in list.updates() { self?.apply(update.snapshot) }
      }
    }

    /// Shows an outline.
    ///
    /// - Parameter list: The list.
    /// - Complexity: O(n) for n rows that are shown, and that of the view.
    public func apply(_ list: ListSnapshot<Section, Row>) {
      let after = OutlineTree(
        list.allRows.lazy.map { [place] row in
          let place = place(row)
          return (id: row.id, depth: place.depth, isExpanded: place.isExpanded && place.hasChildren)
        })
      let steps = tree.steps(to: after)
      (snapshot, tree) = (list, after)
      let former = rows
      rows = Dictionary(list.allRows.lazy.map { ($0.id, $0) }) { first, _ in first }
      // Changes of sections do not matter, as sections are not shown.
      let changed = list.allRows.lazy.filter { row in former[row.id].map { $0 != row } ?? false }.map(\.id)
      items = items.filter { rows[$0.key] != nil }
      guard let outlineView else { return }
      isUpdating = true
      outlineView.beginUpdates()
      for id in steps.collapsed { outlineView.collapseItem(item(id)) }
      for step in steps.removals {
        outlineView.removeItems(at: IndexSet(step.indexes), inParent: step.parent.map(item), withAnimation: .slideUp)
      }
      for step in steps.insertions {
        outlineView.insertItems(at: IndexSet(step.indexes), inParent: step.parent.map(item), withAnimation: .slideDown)
      }
      // Only a row with children can be expanded: the view asks again.
      for id in changed { outlineView.reloadItem(item(id)) }
      for id in steps.expanded { outlineView.expandItem(item(id)) }
      outlineView.endUpdates()
      isUpdating = false
    }

    private func item(_ id: Row.ID) -> Item {
      if let item = items[id] { return item }
      let item = Item(id)
      items[id] = item
      return item
    }

    /// The row at a row of the view, such as the one that is selected.
    public func row(at index: Int) -> Row? { (outlineView?.item(atRow: index) as? Item).flatMap { rows[$0.id] } }

    private func row(of item: Any) -> Row? { (item as? Item).flatMap { rows[$0.id] } }

    /// The number of children of a row.
    open func outlineView(_ outlineView: NSOutlineView, numberOfChildrenOfItem item: Any?) -> Int {
      tree.children(of: (item as? Item)?.id).count
    }

    /// A child of a row.
    open func outlineView(_ outlineView: NSOutlineView, child index: Int, ofItem item: Any?) -> Any {
      self.item(tree.children(of: (item as? Item)?.id)[index])
    }

    /// True for rows that have children, shown or not.
    open func outlineView(_ outlineView: NSOutlineView, isItemExpandable item: Any) -> Bool {
      row(of: item).map { place($0).hasChildren } ?? false
    }

    /// Expands the row in the outline: the view expands it with the update that follows.
    open func outlineView(_ outlineView: NSOutlineView, shouldExpandItem item: Any) -> Bool {
      if !isUpdating, let row = row(of: item) { Task { [expansion] in await expansion.expand(row.id) } }
      return isUpdating
    }

    /// Collapses the row in the outline: the view collapses it with the update that follows.
    open func outlineView(_ outlineView: NSOutlineView, shouldCollapseItem item: Any) -> Bool {
      if !isUpdating, let row = row(of: item) { Task { [expansion] in await expansion.collapse(row.id) } }
      return isUpdating
    }

    /// The view of a row.
    open func outlineView(_ outlineView: NSOutlineView, viewFor tableColumn: NSTableColumn?, item: Any) -> NSView? {
      row(of: item).flatMap { view($0, tableColumn) }
    }
  }
#endif

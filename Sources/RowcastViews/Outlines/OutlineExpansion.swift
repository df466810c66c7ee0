public import RowcastStore

/// The rows of an outline that are expanded, which may be changed at any time. Each change gives one update of the outline.
///
///     let expansion = OutlineExpansion<String>(depth: 1)
///     let tree = files.arranged { $0.outlined(parent: \.folder, expansion: expansion) { FileRow($0, $1) } }
///     await expansion.expand("Sources")
///     let saved = try JSONEncoder().encode(await expansion.rows)
///
/// Several outlines may have one expansion. It is known to an outline for as long as that lives: an app has a few of them, and
/// changes them.
public actor OutlineExpansion<ID: Hashable & Sendable> {
  /// The rows that are expanded.
  public private(set) var rows: ExpandedRows<ID> {
    didSet {
      if rows == oldValue { return }
      revision += 1
      waiters.wakeAll()
    }
  }
  private var revision = 0
  private var waiters = WaiterList()

  /// An expansion that begins with the rows above a depth.
  ///
  /// - Parameter depth: Rows of a smaller depth are expanded: none for 0, and all by default.
  public init(depth: Int = .max) { rows = ExpandedRows(depth: depth) }

  /// An expansion that begins with rows that were saved.
  ///
  /// - Parameter rows: The rows that are expanded.
  public init(_ rows: ExpandedRows<ID>) { self.rows = rows }

  /// Expands a row: shows its children, and those under them that are expanded.
  ///
  /// - Parameters:
  ///   - id: The id of the row, which need not be in the list yet.
  ///   - descendants: True to expand all rows under it, too.
  public func expand(_ id: ID, descendants: Bool = false) { rows.set(id, isExpanded: true, descendants: descendants) }

  /// Collapses a row: hides all that stands under it.
  ///
  /// - Parameters:
  ///   - id: The id of the row, which need not be in the list yet.
  ///   - descendants: True to collapse all rows under it, too, which shows when it is expanded again.
  public func collapse(_ id: ID, descendants: Bool = false) {
    rows.set(id, isExpanded: false, descendants: descendants)
  }

  /// Expands the rows above a depth, and collapses all others.
  ///
  /// - Parameter depth: Rows of a smaller depth are expanded; all by default.
  public func expandAll(to depth: Int = .max) { rows = ExpandedRows(depth: depth) }

  /// Collapses all rows.
  public func collapseAll() { rows = ExpandedRows(depth: 0) }

  /// Expands the rows that were saved, and no others.
  ///
  /// - Parameter rows: The rows that are expanded.
  public func set(_ rows: ExpandedRows<ID>) { self.rows = rows }
}

extension OutlineExpansion: Upstream {
  @usableFromInline
  func value(after revision: Int?) -> UpstreamValue<ExpandedRows<ID>>? {
    self.revision == revision ? nil : (rows, self.revision, false)
  }

  @usableFromInline
  func enqueue(_ signal: Signal, after revision: Int) -> WaiterRemoval? {
    guard self.revision == revision else { return nil }
    let token = waiters.add(signal)
    return { await self.removeWaiter(token) }
  }

  private func removeWaiter(_ token: WaiterList.Token) { waiters.remove(token) }
}

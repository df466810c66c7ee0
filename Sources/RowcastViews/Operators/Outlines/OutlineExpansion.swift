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
  public var rows: ExpandedRows<ID> { current }
  private var current: ExpandedRows<ID>
  private var revision = 0
  private var waiters = WaiterList()

  /// An expansion that begins with the rows above a depth.
  ///
  /// - Parameter depth: Rows of a smaller depth are expanded: none for 0, and all by default.
  public init(depth: Int = .max) { current = ExpandedRows(depth: depth) }

  /// An expansion that begins with rows that were saved.
  ///
  /// - Parameter rows: The rows that are expanded.
  public init(_ rows: ExpandedRows<ID>) { current = rows }

  /// Notes that the rows have changed, and wakes the outlines that wait.
  private func noteChange(_ isChanged: Bool) {
    if !isChanged { return }
    revision += 1
    waiters.wakeAll()
  }

  /// Expands a row: shows its children, and the descendants whose parents are expanded.
  ///
  /// - Parameters:
  ///   - id: The id of the row, which need not be in the list yet.
  ///   - descendants: True to expand all rows under it, too.
  /// - Complexity: O(log e) for e exceptions.
  public func expand(_ id: ID, descendants: Bool = false) {
    noteChange(current.setting(id, isExpanded: true, descendants: descendants))
  }

  /// Collapses a row: hides its descendants.
  ///
  /// - Parameters:
  ///   - id: The id of the row, which need not be in the list yet.
  ///   - descendants: True to collapse all rows under it, too, which shows when it is expanded again.
  /// - Complexity: O(log e) for e exceptions.
  public func collapse(_ id: ID, descendants: Bool = false) {
    noteChange(current.setting(id, isExpanded: false, descendants: descendants))
  }

  /// Forgets which removed rows were expanded or collapsed. Without this nothing is forgotten: rows need not be in the list, so
  /// that they are expanded when they are inserted.
  ///
  ///     await expansion.prune(keeping: files.snapshot.allRows.map(\.id))
  ///
  /// - Parameter ids: The ids of the rows that are remembered: those of the whole list of which the outline is made, not only of
  ///   the rows that are shown.
  /// - Complexity: O(n + e log e) for n ids and e exceptions.
  public func prune(keeping ids: some Sequence<ID>) {
    var rows = current
    rows.prune(keeping: ids)
    set(rows)
  }

  /// Expands the rows above a depth, and collapses all others.
  ///
  /// - Parameter depth: Rows of a smaller depth are expanded; all by default.
  public func expandAll(to depth: Int = .max) { set(ExpandedRows(depth: depth)) }

  /// Collapses all rows.
  public func collapseAll() { set(ExpandedRows(depth: 0)) }

  /// Expands the rows that were saved, and no others.
  ///
  /// - Parameter rows: The rows that are expanded.
  /// - Complexity: O(d log e) for d exceptions that differ, if these rows were made from the current ones; otherwise O(e).
  public func set(_ rows: ExpandedRows<ID>) {
    let isChanged = rows != current
    current = rows
    noteChange(isChanged)
  }
}

extension OutlineExpansion: Upstream {
  @usableFromInline
  func value(after revision: Int?) -> UpstreamValue<ExpandedRows<ID>>? {
    self.revision == revision ? nil : (current, self.revision, false)
  }

  @usableFromInline
  func enqueue(_ signal: Signal, after revision: Int) -> WaiterRemoval? {
    guard self.revision == revision else { return nil }
    let token = waiters.add(signal)
    return { await self.removeWaiter(token) }
  }

  private func removeWaiter(_ token: WaiterList.Token) { waiters.remove(token) }
}

import RowcastStore

/// The rows of an outline that are expanded, which may be changed at any time. Each change gives one update of the outline.
///
///     let expansion = OutlineExpansion<String>(depth: 1)
///     let tree = files.arranged { $0.outlined(parent: \.folder, expansion: expansion) { FileRow($0, $1) } }
///     await expansion.expand("Sources")
///     let saved = try JSONEncoder().encode(await expansion.rows)
///
/// It is a ``Parameter`` of outlines: several may have one, an outline ends when its source and its expansion have, and does not keep
/// it alive. So the rows of a finished list can be expanded for as long as the app holds the expansion.
public final class OutlineExpansion<ID: Hashable & Sendable>: Sendable {
  private let parameter: Parameter<ExpandedRows<ID>>
  /// True if outlines do not end before this has.
  @usableFromInline let keepsOpen: Bool
  @usableFromInline var core: ParameterCore<ExpandedRows<ID>> { parameter.core }
  /// The rows that are expanded.
  public var rows: ExpandedRows<ID> { get async { await parameter.value } }

  /// An expansion that begins with the rows above a depth.
  ///
  /// - Parameter depth: Rows of a smaller depth are expanded: none for 0, and all by default.
  public convenience init(depth: Int = .max) { self.init(ExpandedRows(depth: depth)) }

  /// An expansion that begins with rows that were saved.
  ///
  /// - Parameter rows: The rows that are expanded.
  public init(_ rows: ExpandedRows<ID>) { (parameter, keepsOpen) = (Parameter(rows), true) }

  /// The rows of another expansion, for outlines that end with their sources.
  package init(following other: OutlineExpansion) { (parameter, keepsOpen) = (other.parameter, false) }

  /// Ends the expansion: the rows stay expanded as they are. Outlines whose sources have ended, too, end.
  public func finish() { parameter.finish() }

  /// Expands a row: shows its children, and the descendants whose parents are expanded.
  ///
  /// - Parameters:
  ///   - id: The id of the row, which need not be in the list yet.
  ///   - descendants: True to expand all rows under it, too.
  /// - Complexity: O(log e) for e exceptions.
  public func expand(_ id: ID, descendants: Bool = false) async {
    await parameter.update { $0.set(id, isExpanded: true, descendants: descendants) }
  }

  /// Collapses a row: hides its descendants.
  ///
  /// - Parameters:
  ///   - id: The id of the row, which need not be in the list yet.
  ///   - descendants: True to collapse all rows under it, too, which shows when it is expanded again.
  /// - Complexity: O(log e) for e exceptions.
  public func collapse(_ id: ID, descendants: Bool = false) async {
    await parameter.update { $0.set(id, isExpanded: false, descendants: descendants) }
  }

  /// Forgets which removed rows were expanded or collapsed. Without this nothing is forgotten: rows need not be in the list, so
  /// that they are expanded when they are inserted.
  ///
  ///     await expansion.prune(keeping: files.snapshot.allRows.map(\.id))
  ///
  /// - Parameter ids: The ids of the rows that are remembered: all ids of the source of the outline, not only the ids of the rows
  ///   that are shown.
  /// - Complexity: O(n + e log e) for n ids and e exceptions.
  public func prune(keeping ids: some Sequence<ID>) async {
    let ids = Set(ids)
    await parameter.update {
      let before = $0
      $0.prune(keeping: ids)
      return $0 != before
    }
  }

  /// Expands the rows above a depth, and collapses all others.
  ///
  /// - Parameter depth: Rows of a smaller depth are expanded; all by default.
  public func expandAll(to depth: Int = .max) async { await set(ExpandedRows(depth: depth)) }

  /// Collapses all rows.
  public func collapseAll() async { await set(ExpandedRows(depth: 0)) }

  /// Expands the rows that were saved, and no others.
  ///
  /// - Parameter rows: The rows that are expanded.
  /// - Complexity: O(d log e) for d exceptions that differ, if these rows were made from the current ones; otherwise O(e).
  public func set(_ rows: ExpandedRows<ID>) async {
    await parameter.update {
      let isChanged = rows != $0
      $0 = rows
      return isChanged
    }
  }
}

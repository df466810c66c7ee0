public import RowcastModel

extension Arrangement {
  /// Shows the rows as an outline: each under the row that it names as its parent, in depth-first order.
  ///
  ///     .sorted(by: \.name).outlined(parent: \.folder, expansion: expansion) { FileRow($0, depth: $1.depth) }
  ///
  /// The outline is a list like any other, of the rows that are shown: rows at the top, in their sections, and rows under
  /// expanded ones. Siblings keep the order of the source. A row is updated if its place changes, for instance when its first
  /// child is inserted.
  ///
  /// Any data has an outline. A policy decides about rows whose parent is missing. Of rows that are their own ancestors, the
  /// first in the list is at the top. Both kinds are in ``ArrangedList/failures``.
  ///
  /// - Parameters:
  ///   - parent: The id of the row above a row; `nil` at the top.
  ///   - missingParent: The policy for a row whose parent the list does not have.
  ///   - expansion: The rows that are expanded; without it, all are.
  ///   - isIncluded: A filter. ``OutlinePlace/isMatch`` tells which rows are kept only for their descendants.
  ///   - keepsAncestors: True to keep the ancestors of rows that pass. Otherwise the filter is one before the outline: a row that
  ///     passes lacks its parent if the parent does not pass.
  ///   - row: Makes the row that is shown, with the same id, from the row and its place.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(d log n) for each changed row of n at depth d, and O(log n) for each row that is shown or hidden. A change
  ///   of the depth to which all rows are expanded takes O(n).
  @inlinable
  public func outlined<NewRow: RowViewModel>(
    parent: @escaping @Sendable (Row) -> Row.ID?, missingParent: MissingParentPolicy = .top,
    expansion: OutlineExpansion<Row.ID>? = nil, where isIncluded: (@Sendable (Row) -> Bool)? = nil,
    keepingAncestors keepsAncestors: Bool = true,
    row: @escaping @Sendable (Row, OutlinePlace<Row.ID>) -> NewRow
  ) -> Arrangement<SourceSection, SourceRow, Section, NewRow> where NewRow.ID == Row.ID {
    let (filtered, isIncluded) = filtered(by: isIncluded, keepsAncestors)
    return filtered.outlined(
      parent, missingParent, expansion, isIncluded, { _ in Subtotals(isUsed: false) { .nothing } }
    ) {
      old, place, _ in
      row(old, place)
    }
  }

  /// Shows the rows as an outline, and sums up each row with its descendants.
  ///
  ///     .outlined(parent: \.folder, summary: .sum(\.size)) { FileRow($0, depth: $1.depth, size: $2) }
  ///
  /// Its rules are those of ``outlined(parent:missingParent:expansion:where:keepingAncestors:row:)``. A summary counts all rows
  /// of the source, including collapsed ones and those that do not pass the filter.
  ///
  /// - Parameters:
  ///   - parent: The id of the row above a row; `nil` at the top.
  ///   - summary: The summary of a row and its descendants.
  ///   - missingParent: The policy for a row whose parent the list does not have.
  ///   - expansion: The rows that are expanded; without it, all are.
  ///   - isIncluded: A filter.
  ///   - keepsAncestors: True to keep the ancestors of rows that pass.
  ///   - row: Makes the row that is shown, with the same id, from the row, its place and the value of its summary.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: The cost of an outline, and of the summary for each row above a changed one. A row that gets another parent
  ///   adds all its descendants, shown or not, to the summaries of its new ancestors.
  @inlinable
  public func outlined<Value, NewRow: RowViewModel>(
    parent: @escaping @Sendable (Row) -> Row.ID?, summary: Summary<Row, Value>,
    missingParent: MissingParentPolicy = .top, expansion: OutlineExpansion<Row.ID>? = nil,
    where isIncluded: (@Sendable (Row) -> Bool)? = nil, keepingAncestors keepsAncestors: Bool = true,
    row: @escaping @Sendable (Row, OutlinePlace<Row.ID>, Value) -> NewRow
  ) -> Arrangement<SourceSection, SourceRow, Section, NewRow> where NewRow.ID == Row.ID {
    let (filtered, isIncluded) = filtered(by: isIncluded, keepsAncestors)
    return filtered.outlined(
      parent, missingParent, expansion, isIncluded, { index in Subtotals { summary.make { index.path(ofRow: $0) } } }
    ) {
      old, place, subtotals in
      row(old, place, subtotals.value(of: old))
    }
  }

  /// The arrangement before an outline, and the filter that the outline itself applies.
  @inlinable
  func filtered(
    by isIncluded: (@Sendable (Row) -> Bool)?, _ keepsAncestors: Bool
  ) -> (Arrangement, (@Sendable (Row) -> Bool)?) {
    guard let isIncluded, !keepsAncestors else { return (self, isIncluded) }
    return (filter(isIncluded), nil)
  }

  @inlinable
  func outlined<Value, NewRow: RowViewModel>(
    _ parent: @escaping @Sendable (Row) -> Row.ID?, _ policy: MissingParentPolicy,
    _ expansion: OutlineExpansion<Row.ID>?, _ isIncluded: (@Sendable (Row) -> Bool)?,
    _ subtotals: @escaping @Sendable (SourceIndex<Section, Row>) -> Subtotals<Row, Value>,
    transform: @escaping @Sendable (Row, OutlinePlace<Row.ID>, Subtotals<Row, Value>) -> NewRow
  ) -> Arrangement<SourceSection, SourceRow, Section, NewRow> where NewRow.ID == Row.ID {
    // The core: lists do not keep the expansion alive.
    .init("a row above it is collapsed, or its filter refuses it") {
      [core = expansion?.core, keepsOpen = expansion?.keepsOpen ?? false] builder, tail in
      let upstream = builder.node(of: self)
      let index = SourceIndex<Section, Row>(shared: upstream.path)
      let forest = OutlineForest<Section, Row, Value>(
        parent: parent, isIncluded: isIncluded, policy: policy, index: index, subtotals: subtotals(index))
      let expansion = core.map { builder.upstreams.state(of: $0, hasRows: keepsOpen) }
      var revision = expansion?.revision
      return ListNode<Section, NewRow>(
        OutlineOperator<Section, Row, NewRow, Value>(forest, transform: transform),
        pull: {
          let isReopened = expansion?.revision != revision
          revision = expansion?.revision
          return upstream.pull() || isReopened
        }, input: { (upstream.snapshot(), expansion?.value?.value ?? ExpandedRows(), revision) },
        failures: upstream.failures
      ).ending(with: tail)
    }
  }
}

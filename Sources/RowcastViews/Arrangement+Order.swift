extension Arrangement {
  /// Sorts the rows of each section, those with smaller keys first; rows whose keys are equal keep their order.
  ///
  ///     .sorted(by: \.title)
  ///
  /// - Parameter key: The key of a row.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: That of sorting by `.ascending(key)`.
  @_alwaysEmitIntoClient
  public func sorted<Key: Comparable & SendableMetatype>(by key: @escaping @Sendable (Row) -> Key) -> Arrangement {
    sorted(by: [.ascending(key)])
  }

  /// Sorts the rows of each section, those with smaller keys first and those without a key last; rows whose keys are equal keep their
  /// order.
  ///
  /// - Parameter key: The key of a row, or `nil`; `.ascending(key, missing: .first)` is the order with `nil` first.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: That of sorting by `.ascending(key)`.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func sorted<Key: Comparable & SendableMetatype>(by key: @escaping @Sendable (Row) -> Key?) -> Arrangement {
    sorted(by: [.ascending(key)])
  }

  /// Sorts the rows of each section; rows whose keys are all equal keep their order.
  ///
  ///     .sorted(by: .descending(\.date), .ascending(\.title))
  ///
  /// An earlier order of the arrangement decides where this one does not, and the list that is arranged where neither does. A
  /// last key, such as `.ascending(\.id)`, makes the order one of the rows alone.
  ///
  /// - Parameter keys: The criteria, the first one first.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) comparisons for each changed row of n. Rows whose keys are equal are compared by their
  ///   place in the source, in O(log n).
  @_alwaysEmitIntoClient
  public func sorted(by keys: SortKey<Row>...) -> Arrangement { sorted(by: keys) }

  /// Sorts the rows of each section; rows whose keys are all equal keep their order.
  ///
  /// - Parameter keys: The criteria, the first one first.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) comparisons for each changed row of n. Rows whose keys are equal are compared by their
  ///   place in the source, in O(log n).
  @_alwaysEmitIntoClient
  public func sorted(by keys: [SortKey<Row>]) -> Arrangement {
    // The earlier order decides where the new one does not.
    ending(with: .init(filter: tail.filter, order: keys.reversed().reduce(tail.order) { $1.then($0) }))
  }
}

extension Arrangement {
  /// Sorts the rows of each section, those with smaller keys first; rows whose keys are equal stand as they stood before.
  ///
  ///     .sorted(by: \.title)
  ///
  /// - Parameter key: The key of a row.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: That of sorting by `.ascending(key)`.
  @inlinable
  public func sorted<Key: Comparable & SendableMetatype>(by key: @escaping @Sendable (Row) -> Key) -> Arrangement {
    sorted(by: [.ascending(key)])
  }

  /// Sorts the rows of each section; rows whose keys are all equal stand as they stood before.
  ///
  ///     .sorted(by: .descending(\.date), .ascending(\.title))
  ///
  /// - Parameter keys: The criteria, the first one first.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) comparisons for each changed row of n. Rows whose keys are equal are compared by their
  ///   place in the source, in O(log n).
  @inlinable
  public func sorted(by keys: SortKey<Row>...) -> Arrangement { sorted(by: keys) }

  /// Sorts the rows of each section; rows whose keys are all equal stand as they stood before.
  ///
  /// - Parameter keys: The criteria, the first one first.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) comparisons for each changed row of n. Rows whose keys are equal are compared by their
  ///   place in the source, in O(log n).
  @inlinable
  public func sorted(by keys: [SortKey<Row>]) -> Arrangement {
    guard tail.order?.isConsistent ?? true else {
      // What an order that contradicts itself says of two rows depends on the others: its list is needed.
      return .init { builder, tail in builder.node(of: self).ending(with: tail) }.sorted(by: keys)
    }
    return ending { tail in
      // The order that was decides where the new one does not.
      tail.order = RowOrder(keys: keys + (tail.order?.keys ?? []), usesSource: tail.order?.usesSource ?? true)
    }
  }
}

extension Arrangement where Row.ID: Comparable {
  /// Sorts the rows of each section, those with smaller keys first; rows whose keys are equal are sorted by id.
  ///
  ///     .sorted(by: \.title)
  ///
  /// - Parameter key: The key of a row.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: That of sorting by `.ascending(key)`.
  @inlinable
  public func sorted<Key: Comparable & SendableMetatype>(by key: @escaping @Sendable (Row) -> Key) -> Arrangement {
    sorted(by: [.ascending(key)])
  }

  /// Sorts the rows of each section; rows whose keys are all equal are sorted by id.
  ///
  ///     .sorted(by: .descending(\.date), .ascending(\.title))
  ///
  /// - Parameter keys: The criteria, the first one first.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) comparisons for each changed row of n.
  @inlinable
  public func sorted(by keys: SortKey<Row>...) -> Arrangement { sorted(by: keys) }

  /// Sorts the rows of each section; rows whose keys are all equal are sorted by id.
  ///
  /// - Parameter keys: The criteria, the first one first.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) comparisons for each changed row of n.
  @inlinable
  public func sorted(by keys: [SortKey<Row>]) -> Arrangement {
    // Unequal ids of which neither is smaller are ordered by their texts.
    let byID = SortKey<Row> { first, second in
      let ordering = RowOrdering(first.id, second.id)
      return ordering != .same || first.id == second.id ? ordering : RowOrdering("\(first.id)", "\(second.id)")
    }
    return ending { $0.order = RowOrder(keys: keys + [byID], usesSource: false) }
  }
}

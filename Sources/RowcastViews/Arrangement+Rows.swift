import RowcastDiff
public import RowcastModel

/// A policy for rows whose mapping throws.
public enum MappingFailurePolicy<Row, NewRow>: Sendable {
  /// The row is left out. Its error is in ``ArrangedList/failures`` until the mapping succeeds or the row is removed.
  case omit
  /// The row stays as the last mapping that succeeded made it; without one it is left out. Its error is in
  /// ``ArrangedList/failures`` until the mapping succeeds or the row is removed.
  case keepLast
  /// The row shows that it failed: the function makes it, from the row and the error. It has the row's id.
  case show(@Sendable (_ row: Row, _ error: any Error) -> NewRow)
}

extension Arrangement {
  /// Keeps the rows that satisfy a condition. Sections stay, also those without rows; ``withoutEmptySections()`` takes these out.
  ///
  /// - Parameter isIncluded: Returns true for a row to keep. It is asked once for each row that changed, and for all rows if
  ///   more than about a quarter of them did.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) for each changed row of n.
  @inlinable
  public func filter(_ isIncluded: @escaping @Sendable (Row) -> Bool) -> Arrangement {
    guard takesFilters else {
      // An operator that is nothing but its end.
      return Arrangement { builder, tail in builder.node(of: self).ending(with: tail) }.filter(isIncluded)
    }
    let filter = RowFilter(isIncluded)
    return ending(with: .init(filter: tail.filter?.and(filter) ?? filter, order: tail.order))
  }

  /// Makes another row of each row. Sections and order stay.
  ///
  /// An error that is thrown concerns its row alone; the list continues. A row that gets another id has failed with
  /// `ListError.changedRowID`; so has one whose new id is not equal to itself, which no list takes.
  ///
  /// - Parameters:
  ///   - onFailure: The policy for a row for which `transform` throws.
  ///   - transform: Makes a row, with the same id. It is asked once for each row that changed, and for all rows if more than
  ///     about a quarter of them did.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) for each changed row of n.
  @inlinable
  public func map<NewRow: RowViewModel>(
    onFailure: MappingFailurePolicy<Row, NewRow> = .omit, _ transform: @escaping @Sendable (Row) throws -> NewRow
  ) -> Arrangement<SourceSection, SourceRow, Section, NewRow> where NewRow.ID == Row.ID {
    // Filters become part of the mapping. An order does not: it is one of the rows as they were.
    let (isFused, filter) = tail.order == nil ? (true, tail.filter) : (false, nil)
    let keepsLast = if case .keepLast = onFailure { true } else { false }
    let made: @Sendable (Row) throws -> NewRow = { row in
      do {
        let new = try transform(row)
        guard new.id == row.id else { throw ListError<Section.ID, Row.ID>.changedRowID(from: row.id, to: new.id) }
        return new
      } catch {
        guard case .show(let show) = onFailure else { throw error }
        return show(row, error)
      }
    }
    return .init { builder, tail in
      .arranging(
        isFused ? builder.node(before: self) : builder.node(of: self), .unchanged, order: tail.order,
        keepsLast: keepsLast
      ) { row in
        guard filter?.isIncluded(row) ?? true else { return nil }
        let new = try made(row)
        return tail.filter?.isIncluded(new) ?? true ? new : nil
      }
    }
  }

  /// A mapping keeps the ids of rows.
  ///
  /// - Parameters:
  ///   - onFailure: The policy for a row for which `transform` throws.
  ///   - transform: Makes a row, with an id of another type.
  /// - Returns: Nothing that can be used.
  @available(
    *, unavailable,
    message: "a mapped row keeps its id: give the new row an id of the same type, and another property for any other id"
  )
  public func map<NewRow: RowViewModel>(
    onFailure: MappingFailurePolicy<Row, NewRow> = .omit, _ transform: @escaping @Sendable (Row) throws -> NewRow
  ) -> Arrangement { self }
}

extension Arrangement {
  /// Sorts the rows of each section, those with smaller keys first; rows whose keys are equal keep their order.
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

  /// Sorts the rows of each section, those with smaller keys first and those without a key last; rows whose keys are equal keep their
  /// order.
  ///
  /// - Parameter key: The key of a row, or `nil`; `.ascending(key, missing: .first)` is the order with `nil` first.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: That of sorting by `.ascending(key)`.
  @inlinable @_disfavoredOverload
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
  @inlinable
  public func sorted(by keys: SortKey<Row>...) -> Arrangement { sorted(by: keys) }

  /// Sorts the rows of each section; rows whose keys are all equal keep their order.
  ///
  /// - Parameter keys: The criteria, the first one first.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) comparisons for each changed row of n. Rows whose keys are equal are compared by their
  ///   place in the source, in O(log n).
  @inlinable
  public func sorted(by keys: [SortKey<Row>]) -> Arrangement {
    // The earlier order decides where the new one does not.
    ending(with: .init(filter: tail.filter, order: keys.reversed().reduce(tail.order) { $1.then($0) }))
  }
}

import RowcastModel

extension Arrangement {
  /// Arranges the list further, in a way that depends on a parameter.
  ///
  ///     .arranged(by: choice) { plan, choice in choice.isAll ? plan : plan.filter(\.isUnread) }
  ///
  /// A change of the parameter rebuilds the operators that the function declares, and none before them. Operators after them follow
  /// the rows that change.
  ///
  /// - Parameters:
  ///   - parameter: The parameter. The list ends when it has ended, too.
  ///   - declare: Declares the operators for a value, starting with an arrangement that leaves the list as it is.
  /// - Returns: The arrangement with these operators at its end.
  /// - Complexity: The cost of the operators; O(n) for n rows when the parameter changes.
  @inlinable
  public func arranged<Value, NewSection, NewRow>(
    by parameter: Parameter<Value>,
    _ declare:
      @escaping @Sendable (Arrangement<Section, Row, Section, Row>, Value) ->
      Arrangement<Section, Row, NewSection, NewRow>
  ) -> Arrangement<SourceSection, SourceRow, NewSection, NewRow> where NewRow.ID == Row.ID {
    // The core: lists do not keep the parameter alive.
    .init { [core = parameter.core] builder, tail in
      ListNode<NewSection, NewRow>.switching(
        builder.upstreams.state(of: core), source: builder.node(of: self), upstreams: builder.upstreams
      ) { declare(Arrangement<Section, Row, Section, Row>(), $0) }.ending(with: tail)
    }
  }

  /// Keeps the rows that satisfy a condition on a parameter: the text of a search, a choice.
  ///
  ///     .filter(by: query) { note, text in text.isEmpty || note.title.contains(text) }
  ///
  /// - Parameters:
  ///   - parameter: The parameter. The list ends when it has ended, too.
  ///   - isIncluded: Returns true for a row to keep. It is asked for each row that changed, and for all when the parameter
  ///     changes.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(log n) for each changed row of n; O(n) when the parameter changes.
  @inlinable
  public func filter<Value>(
    by parameter: Parameter<Value>, _ isIncluded: @escaping @Sendable (Row, Value) -> Bool
  ) -> Arrangement {
    arranged(by: parameter) { plan, value in plan.filter { isIncluded($0, value) } }
  }

  /// Sorts the rows of each section by criteria that a person may change; rows whose keys are all equal keep their order.
  ///
  /// - Parameter keys: The criteria, the first one first. The list ends when the parameter has ended, too.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: The cost of sorting by `SortKey`s; O(n log n) comparisons when the parameter changes.
  @inlinable
  public func sorted(by keys: Parameter<[SortKey<Row>]>) -> Arrangement {
    arranged(by: keys) { plan, keys in plan.sorted(by: keys) }
  }

  /// Cuts the list to a window that a person may move; see the function of this name that takes a window.
  ///
  /// - Parameter window: The rows to keep. The list ends when the parameter has ended, too.
  /// - Returns: The arrangement with this operator at its end.
  /// - Complexity: O(w + log n) for each changed row of n, w being the number of rows in the window; O(w) and the sections
  ///   before them when the parameter changes.
  @inlinable @_disfavoredOverload
  public func window(_ window: Parameter<RowWindow<Row.ID>>) -> Arrangement {
    arranged(by: window) { plan, window in plan.window(window) }
  }
}

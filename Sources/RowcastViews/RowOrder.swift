public import RowcastModel

/// The result of comparing two things in an order.
@usableFromInline
enum RowOrdering {
  case before, same, after

  /// Compares two keys. Those that are not equal to themselves come last, in both directions, and count as the same.
  @inlinable
  init<Key: Comparable>(_ first: Key, _ second: Key, _ direction: SortDirection = .ascending) {
    let (isFirstOrdered, isSecondOrdered) = (first == first, second == second)
    if !isFirstOrdered || !isSecondOrdered {
      self = isFirstOrdered == isSecondOrdered ? .same : isFirstOrdered ? .before : .after
    } else if first < second {
      self = direction == .ascending ? .before : .after
    } else {
      self = !(second < first) ? .same : direction == .ascending ? .after : .before
    }
  }
}

/// The order of the rows of a section: by keys, and rows whose keys are equal as the source has them.
@usableFromInline
struct RowOrder<Row: RowViewModel>: Sendable {
  /// Compares two rows by their keys.
  @usableFromInline let compare: @Sendable (Row, Row) -> RowOrdering
  /// The criteria; none for the order of the source.
  @usableFromInline let keys: [SortKey<Row>]

  @inlinable
  init(keys: [SortKey<Row>] = []) {
    // One function that knows the next, not a loop: looking into an array for each two rows costs more than comparing.
    var compare: @Sendable (Row, Row) -> RowOrdering = { _, _ in .same }
    for key in keys.reversed() {
      let next = compare
      compare = { first, second in
        let ordering = key.compare(first, second)
        return ordering == .same ? next(first, second) : ordering
      }
    }
    self.compare = compare
    self.keys = keys
  }

  /// True for the order of the source.
  @inlinable var isSource: Bool { keys.isEmpty }

  /// Adds the failures of rows with a key that is not equal to itself.
  ///
  /// - Complexity: O(n) for n rows; nothing if all keys are integers or strings.
  @usableFromInline
  func addFailures(of rows: ListRows<Row>, to failures: inout [Row.ID: any Error]) {
    let keys = keys.compactMap(\.unorderedKey)
    if keys.isEmpty { return }
    for row in rows {
      if let key = keys.lazy.compactMap({ $0(row) }).first { failures[row.id] = ArrangementFailure.unorderedKey(key) }
    }
  }
}

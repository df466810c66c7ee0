/// One criterion of an order of rows: what `sorted(by:)` of an ``Arrangement`` takes.
///
///     .sorted(by: .descending(\.date), .ascending(\.title))
public struct SortKey<Row>: Sendable {
  @usableFromInline let compare: @Sendable (Row, Row) -> RowOrdering

  @inlinable
  init(compare: @escaping @Sendable (Row, Row) -> RowOrdering) {
    self.compare = compare
  }

  /// Rows with smaller keys come first.
  ///
  /// - Parameter key: The key of a row, for example `\.title`. It is asked for O(log n) rows for each row that changed.
  /// - Returns: The criterion.
  @inlinable
  public static func ascending<Key: Comparable & SendableMetatype>(_ key: @escaping @Sendable (Row) -> Key) -> SortKey {
    SortKey { RowOrdering(key($0), key($1)) }
  }

  /// Rows with greater keys come first.
  ///
  /// - Parameter key: The key of a row, for example `\.date`. It is asked for O(log n) rows for each row that changed.
  /// - Returns: The criterion.
  @inlinable
  public static func descending<Key: Comparable & SendableMetatype>(_ key: @escaping @Sendable (Row) -> Key) -> SortKey
  {
    SortKey { RowOrdering(key($1), key($0)) }
  }

  /// Rows in an order of the app's own.
  ///
  /// - Parameter areInIncreasingOrder: Whether the first of two rows belongs before the second: a strict weak order.
  /// - Returns: The criterion.
  @inlinable
  public static func by(_ areInIncreasingOrder: @escaping @Sendable (Row, Row) -> Bool) -> SortKey {
    SortKey { areInIncreasingOrder($0, $1) ? .before : areInIncreasingOrder($1, $0) ? .after : .same }
  }
}

/// Which direction an order has.
public enum SortDirection: Hashable, Sendable {
  /// Smaller keys first.
  case ascending
  /// Greater keys first.
  case descending
}

/// How one thing stands to another in an order.
@usableFromInline
enum RowOrdering {
  case before, same, after

  @inlinable
  init<Key: Comparable>(_ first: Key, _ second: Key) {
    self = first < second ? .before : second < first ? .after : .same
  }
}

/// The order of the rows of a section: by keys, and rows whose keys are equal by id, or as the source has them.
@usableFromInline
struct RowOrder<Row: Sendable>: Sendable {
  /// Compares two rows as far as the source has no say.
  @usableFromInline let compare: @Sendable (Row, Row) -> RowOrdering
  /// Whether the order in the source decides where ``compare`` does not.
  @usableFromInline let usesSource: Bool
  @usableFromInline let isSource: Bool

  /// An order; without keys, that of the source.
  @inlinable
  init(keys: [SortKey<Row>] = [], usesSource: Bool = true) {
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
    self.usesSource = usesSource
    isSource = keys.isEmpty && usesSource
  }

  /// Puts rows that stand as in the source in order.
  @inlinable
  func sort(_ rows: inout [Row]) {
    // The sort of the standard library is stable.
    if !isSource { rows.sort { compare($0, $1) == .before } }
  }
}

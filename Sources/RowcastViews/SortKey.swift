/// One criterion of an order of rows: what `sorted(by:)` of an ``Arrangement`` takes.
///
///     .sorted(by: .descending(\.date), .ascending(\.title))
///
/// The order is total. Rows whose keys are not equal to themselves, such as numbers that are not numbers, stand after all
/// others, in both directions; ``ArrangedList/failures`` names them.
public struct SortKey<Row>: Sendable {
  @usableFromInline let compare: @Sendable (Row, Row) -> RowOrdering
  /// Sorts rows that earlier criteria do not tell apart; see ``SortRun``.
  @usableFromInline let sort: @Sendable (_ rows: [Row], _ run: inout SortRun) -> Void
  /// The key as text if it is not equal to itself; no function if no key is so.
  @usableFromInline let unorderedKey: (@Sendable (Row) -> String?)?
  /// Whether each of two rows stands before the other; no function if keys are compared, which cannot be so.
  @usableFromInline let contradicts: (@Sendable (Row, Row) -> Bool)?

  @inlinable
  init(
    compare: @escaping @Sendable (Row, Row) -> RowOrdering,
    sort: (@Sendable (_ rows: [Row], _ run: inout SortRun) -> Void)? = nil,
    unorderedKey: (@Sendable (Row) -> String?)? = nil, contradicts: (@Sendable (Row, Row) -> Bool)? = nil
  ) {
    self.compare = compare
    self.sort = sort ?? { rows, run in run.sort(rows, by: compare) }
    self.unorderedKey = unorderedKey
    self.contradicts = contradicts
  }

  @inlinable
  init<Key: Comparable & SendableMetatype>(_ direction: SortDirection, _ key: @escaping @Sendable (Row) -> Key) {
    let isAlwaysOrdered = Key.self is any BinaryInteger.Type || Key.self is any StringProtocol.Type
    let unorderedKey: @Sendable (Row) -> String? = { row in
      let key = key(row)
      return key == key ? nil : "\(key)"
    }
    self.init(
      compare: { RowOrdering(key($0), key($1), direction) },
      sort: { rows, run in run.sort(rows, direction, key) }, unorderedKey: isAlwaysOrdered ? nil : unorderedKey)
  }

  /// Rows with smaller keys come first.
  ///
  /// - Parameter key: The key of a row, for example `\.title`. It is asked for O(log n) rows for each row that changed.
  /// - Returns: The criterion.
  @inlinable
  public static func ascending<Key: Comparable & SendableMetatype>(_ key: @escaping @Sendable (Row) -> Key) -> SortKey {
    SortKey(.ascending, key)
  }

  /// Rows with greater keys come first.
  ///
  /// - Parameter key: The key of a row, for example `\.date`. It is asked for O(log n) rows for each row that changed.
  /// - Returns: The criterion.
  @inlinable
  public static func descending<Key: Comparable & SendableMetatype>(_ key: @escaping @Sendable (Row) -> Key) -> SortKey
  {
    SortKey(.descending, key)
  }

  /// Rows in an order of the app's own.
  ///
  /// Keys are faster. A function that contradicts itself stops nothing. Two rows that it puts before each other count as
  /// equal. Rows that it puts in a circle have an order that depends on their ids and on the list alone, and not on the changes
  /// that led to it. ``ArrangedList/failures`` names rows where the contradiction shows.
  ///
  /// - Parameter areInIncreasingOrder: Whether the first of two rows belongs before the second: a strict weak order.
  /// - Returns: The criterion.
  @inlinable
  public static func by(_ areInIncreasingOrder: @escaping @Sendable (Row, Row) -> Bool) -> SortKey {
    SortKey(
      compare: {
        let (isBefore, isAfter) = (areInIncreasingOrder($0, $1), areInIncreasingOrder($1, $0))
        return isBefore == isAfter ? .same : isBefore ? .before : .after
      }, contradicts: { areInIncreasingOrder($0, $1) && areInIncreasingOrder($1, $0) })
  }
}

/// Which direction an order has.
public enum SortDirection: Hashable, Sendable {
  /// Smaller keys first.
  case ascending
  /// Greater keys first.
  case descending
}

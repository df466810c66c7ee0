/// A criterion of an order of rows, for `sorted(by:)` of an ``Arrangement``.
///
///     .sorted(by: .descending(\.date), .ascending(\.title))
///
/// Rows whose keys are not equal to themselves, such as `Double.nan`, are after all others, in both directions;
/// ``ArrangedList/failures`` names them.
public struct SortKey<Row>: Sendable {
  /// Returns true if the first of two rows belongs before the second, false if it belongs after it, `nil` if neither.
  @usableFromInline let precedes: @Sendable (Row, Row) -> Bool?
  /// Sorts rows whose keys are equal by all earlier criteria; see ``SortRun``.
  @usableFromInline let sort: @Sendable (_ rows: [Row], _ run: inout SortRun) -> Void
  /// The text of a key that is not equal to itself; no function if there is no such key.
  @usableFromInline let unorderedKey: (@Sendable (Row) -> String?)?

  @inlinable
  init(
    precedes: @escaping @Sendable (Row, Row) -> Bool?,
    sort: (@Sendable (_ rows: [Row], _ run: inout SortRun) -> Void)? = nil,
    unorderedKey: (@Sendable (Row) -> String?)? = nil
  ) {
    self.precedes = precedes
    self.sort = sort ?? { rows, run in run.sort(rows, { $0 }, by: precedes) }
    self.unorderedKey = unorderedKey
  }

  @inlinable
  init<Key: Comparable & SendableMetatype>(_ direction: SortDirection, _ key: @escaping @Sendable (Row) -> Key) {
    let isAlwaysOrdered = Key.self is any BinaryInteger.Type || Key.self is any StringProtocol.Type
    let unorderedKey: @Sendable (Row) -> String? = { row in
      let key = key(row)
      return key == key ? nil : "\(key)"
    }
    self.init(
      precedes: { key($0).precedes(key($1), direction) },
      sort: { rows, run in run.sort(rows, direction, key) }, unorderedKey: isAlwaysOrdered ? nil : unorderedKey)
  }

  /// This criterion, then another one for rows that are equal by it.
  @inlinable
  func then(_ other: SortKey?) -> SortKey {
    guard let other else { return self }
    let (first, second) = (unorderedKey, other.unorderedKey)
    let unorderedKey: @Sendable (Row) -> String? = { first?($0) ?? second?($0) }
    return SortKey(
      precedes: { [precedes, next = other.precedes] in precedes($0, $1) ?? next($0, $1) },
      sort: { rows, run in
        sort(rows, &run)
        if !run.ties.isEmpty { other.sort(rows, &run) }
      },
      unorderedKey: first == nil && second == nil ? nil : unorderedKey)
  }

  /// Rows with smaller keys are first.
  ///
  /// - Parameter key: The key of a row, for example `\.title`. It is asked for O(log n) rows for each row that changed.
  /// - Returns: The criterion.
  @inlinable
  public static func ascending<Key: Comparable & SendableMetatype>(_ key: @escaping @Sendable (Row) -> Key) -> SortKey {
    SortKey(.ascending, key)
  }

  /// Rows with greater keys are first.
  ///
  /// - Parameter key: The key of a row, for example `\.date`. It is asked for O(log n) rows for each row that changed.
  /// - Returns: The criterion.
  @inlinable
  public static func descending<Key: Comparable & SendableMetatype>(_ key: @escaping @Sendable (Row) -> Key) -> SortKey
  {
    SortKey(.descending, key)
  }

  /// Rows with smaller keys are first, of keys that may be missing.
  ///
  ///     .sorted(by: .ascending(\.dueDate), .ascending(\.title))
  ///
  /// - Parameters:
  ///   - key: The key of a row, or `nil`. It is asked for O(log n) rows for each row that changed.
  ///   - missing: The place of rows without a key.
  /// - Returns: The criterion.
  @inlinable @_disfavoredOverload
  public static func ascending<Key: Comparable & SendableMetatype>(
    _ key: @escaping @Sendable (Row) -> Key?, missing: MissingKeyPlace = .last
  ) -> SortKey {
    optional(.ascending, key, missing)
  }

  /// Rows with greater keys are first, of keys that may be missing.
  ///
  /// - Parameters:
  ///   - key: The key of a row, or `nil`. It is asked for O(log n) rows for each row that changed.
  ///   - missing: The place of rows without a key.
  /// - Returns: The criterion.
  @inlinable @_disfavoredOverload
  public static func descending<Key: Comparable & SendableMetatype>(
    _ key: @escaping @Sendable (Row) -> Key?, missing: MissingKeyPlace = .last
  ) -> SortKey {
    optional(.descending, key, missing)
  }

  /// First the rows that have a key, or those that have none; then the keys.
  @inlinable
  static func optional<Key: Comparable & SendableMetatype>(
    _ direction: SortDirection, _ key: @escaping @Sendable (Row) -> Key?, _ missing: MissingKeyPlace
  ) -> SortKey {
    let isAlwaysOrdered = Key.self is any BinaryInteger.Type || Key.self is any StringProtocol.Type
    let unorderedKey: @Sendable (Row) -> String? = { row in
      let key = key(row)
      return key == key ? nil : key.map { "\($0)" }
    }
    let precedes: @Sendable (Key?, Key?) -> Bool? = {
      switch ($0, $1) {
      case (nil, nil): nil
      case (nil, _): missing == .first
      case (_, nil): missing == .last
      case (let first?, let second?): first.precedes(second, direction)
      }
    }
    return SortKey(
      precedes: { precedes(key($0), key($1)) }, sort: { rows, run in run.sort(rows, key, by: precedes) },
      unorderedKey: isAlwaysOrdered ? nil : unorderedKey)
  }

  /// Rows in the order of a list of their keys, which need no order of their own.
  ///
  ///     .sorted(by: .ascending(\.status, order: Status.allCases), .ascending(\.title))
  ///
  /// Rows whose keys the list does not have are after all others, in both directions, and equal by this criterion.
  ///
  /// - Parameters:
  ///   - key: The key of a row. It is asked for O(log n) rows for each row that changed.
  ///   - order: The keys in their order. A key that it has twice counts where it is first.
  /// - Returns: The criterion.
  @inlinable
  public static func ascending<Key: Hashable & Sendable>(
    _ key: @escaping @Sendable (Row) -> Key, order: [Key]
  ) -> SortKey {
    listed(.ascending, key, order)
  }

  /// Rows in the opposite order of a list of their keys; see ``ascending(_:order:)``.
  ///
  /// - Parameters:
  ///   - key: The key of a row. It is asked for O(log n) rows for each row that changed.
  ///   - order: The keys; rows with the first key are last.
  /// - Returns: The criterion.
  @inlinable
  public static func descending<Key: Hashable & Sendable>(
    _ key: @escaping @Sendable (Row) -> Key, order: [Key]
  ) -> SortKey {
    listed(.descending, key, order)
  }

  @inlinable
  static func listed<Key: Hashable & Sendable>(
    _ direction: SortDirection, _ key: @escaping @Sendable (Row) -> Key, _ keys: [Key]
  ) -> SortKey {
    let ranks = Dictionary(zip(keys, keys.indices)) { first, _ in first }
    let ranked = optional(direction, { ranks[key($0)] }, .last)
    return SortKey(
      precedes: ranked.precedes, sort: ranked.sort,
      unorderedKey: { row in
        let key = key(row)
        return key == key ? nil : "\(key)"
      })
  }

  /// Rows with smaller keys are first, of keys that a function compares: names in the order of a language.
  ///
  ///     .sorted(by: .ascending(\.name) { $0.localizedStandardCompare($1) == .orderedAscending })
  ///
  /// - Parameters:
  ///   - key: The key of a row. It is made once for each row when all rows are sorted, and for O(log n) rows for each row that
  ///     changed.
  ///   - areInIncreasingOrder: Returns true if the first of two keys belongs before the second.
  /// - Returns: The criterion.
  /// - Precondition: The function is a strict weak order. If it is not, no row is lost, but the order of the rows is unspecified.
  @inlinable
  public static func ascending<Key>(
    _ key: @escaping @Sendable (Row) -> Key, by areInIncreasingOrder: @escaping @Sendable (Key, Key) -> Bool
  ) -> SortKey {
    let precedes: @Sendable (Key, Key) -> Bool? = { first, second in
      let (isBefore, isAfter) = (areInIncreasingOrder(first, second), areInIncreasingOrder(second, first))
      return isBefore == isAfter ? nil : isBefore
    }
    return SortKey(
      precedes: { precedes(key($0), key($1)) }, sort: { rows, run in run.sort(rows, key, by: precedes) })
  }

  /// Rows with greater keys are first, of keys that a function compares; see ``ascending(_:by:)``.
  ///
  /// - Parameters:
  ///   - key: The key of a row.
  ///   - areInIncreasingOrder: Returns true if the first of two keys is smaller than the second.
  /// - Returns: The criterion.
  /// - Precondition: The function is a strict weak order. If it is not, no row is lost, but the order of the rows is unspecified.
  @inlinable
  public static func descending<Key>(
    _ key: @escaping @Sendable (Row) -> Key, by areInIncreasingOrder: @escaping @Sendable (Key, Key) -> Bool
  ) -> SortKey {
    ascending(key) { areInIncreasingOrder($1, $0) }
  }

  /// Rows in an order of the app's own. Keys are faster.
  ///
  /// - Parameter areInIncreasingOrder: Returns true if the first of two rows belongs before the second.
  /// - Returns: The criterion.
  /// - Precondition: The function is a strict weak order. If it is not, no row is lost, but the order of the rows is unspecified.
  @inlinable
  public static func by(_ areInIncreasingOrder: @escaping @Sendable (Row, Row) -> Bool) -> SortKey {
    ascending({ $0 }, by: areInIncreasingOrder)
  }
}

/// The place of rows without a key in an order, whatever its direction.
public enum MissingKeyPlace: Hashable, Sendable {
  /// Before all rows that have a key.
  case first
  /// After all rows that have a key.
  case last
}

/// The direction of an order.
public enum SortDirection: Hashable, Sendable {
  /// Smaller keys first.
  case ascending
  /// Greater keys first.
  case descending
}

extension Comparable {
  /// Returns true if the key belongs before another one, false if it belongs after it, `nil` if neither. Keys that are not equal
  /// to themselves are last, in both directions.
  @inlinable
  func precedes(_ other: Self, _ direction: SortDirection = .ascending) -> Bool? {
    let (isOrdered, isOtherOrdered) = (self == self, other == other)
    if !isOrdered || !isOtherOrdered { return isOrdered == isOtherOrdered ? nil : isOrdered }
    if self < other { return direction == .ascending }
    return other < self ? direction == .descending : nil
  }
}

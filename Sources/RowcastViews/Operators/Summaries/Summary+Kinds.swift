public import RowcastDiff
public import RowcastModel

extension Summary where Value == Int {
  /// The number of rows.
  @inlinable public static var count: Summary {
    Summary(startingWith: 0, insert: { count, _ in count += 1 }, remove: { count, _ in count -= 1 }, value: { $0 })
  }
}

extension Summary where Value == Bool {
  /// True if any row satisfies a condition. False without rows.
  @inlinable
  public static func any(_ condition: @escaping @Sendable (Row) -> Bool) -> Summary { counting(condition) { $0 > 0 } }

  /// True if all rows satisfy a condition, and without rows.
  @inlinable
  public static func all(_ condition: @escaping @Sendable (Row) -> Bool) -> Summary {
    counting({ !condition($0) }, { $0 == 0 })
  }

  @inlinable
  static func counting(
    _ condition: @escaping @Sendable (Row) -> Bool, _ value: @escaping @Sendable (Int) -> Bool
  ) -> Summary {
    Summary(
      startingWith: 0, insert: { if condition($1) { $0 += 1 } }, remove: { if condition($1) { $0 -= 1 } }, value: value)
  }
}

extension Summary where Value: FixedWidthInteger {
  /// The sum of an integer of each row.
  ///
  /// The exact sum is kept. While the type cannot hold it, the value is the greatest or smallest integer of the type.
  @inlinable
  public static func sum(_ number: @escaping @Sendable (Row) -> Value) -> Summary {
    // The lowest bits of the sum, and how many times the type's whole range is to be added to them.
    typealias Sum = (low: Value, wraps: Int)
    @Sendable func add(_ row: Row, to sum: inout Sum, times sign: Int) {
      let number = number(row)
      let (low, isWrapped) =
        sign > 0 ? sum.low.addingReportingOverflow(number) : sum.low.subtractingReportingOverflow(number)
      sum = (low, isWrapped ? sum.wraps + (number < 0 ? -sign : sign) : sum.wraps)
    }
    return Summary(
      startingWith: (low: Value(0), wraps: 0), insert: { add($1, to: &$0, times: 1) },
      remove: { add($1, to: &$0, times: -1) },
      value: { $0.wraps == 0 ? $0.low : $0.wraps > 0 ? .max : .min })
  }
}

extension Summary where Value == Double {
  /// The sum of a floating-point number of each row.
  ///
  /// The exact sum is kept, in fixed point, and rounded once: nothing drifts, and the order of the rows does not matter. It is
  /// infinite or NaN while a row has such a number, and right again afterwards. A sum of zeros is 0. Numbers of more than 64 bits
  /// are rounded first.
  @inlinable
  public static func sum<Number: BinaryFloatingPoint & Sendable>(
    _ number: @escaping @Sendable (Row) -> Number
  ) -> Summary {
    Summary(
      startingWith: ExactSum(), insert: { $0.add(Double(number($1))) },
      remove: { $0.add(Double(number($1)), times: -1) },
      value: { $0.rounded })
  }
}

extension Summary where Value: AdditiveArithmetic {
  /// The sum of a number of each row whose type is the app's or another library's: a `Decimal`, a `Duration`.
  ///
  /// The sum is as exact as addition and subtraction of the type: a row is added when it is inserted, and subtracted when it is
  /// removed. While a row has a number that subtracted from itself is not zero, such as `Decimal.nan`, the sum includes it, and
  /// is right again afterwards.
  @inlinable
  @_disfavoredOverload
  public static func sum(_ number: @escaping @Sendable (Row) -> Value) -> Summary {
    // Numbers that subtracted from themselves are not zero are added when the sum is read: few, as they make it useless.
    let isRegular: @Sendable (Value) -> Bool = { $0 - $0 == .zero }
    return Summary(
      startingWith: (regular: Value.zero, irregular: [Value]()),
      insert: { sum, row in
        let number = number(row)
        if isRegular(number) { sum.regular += number } else { sum.irregular.append(number) }
      },
      remove: { sum, row in
        let number = number(row)
        if isRegular(number) { return sum.regular -= number }
        // Some of them are not equal to themselves.
        let index = sum.irregular.firstIndex { $0 == number } ?? sum.irregular.firstIndex { "\($0)" == "\(number)" }
        if let index { sum.irregular.remove(at: index) }
      }, value: { $0.irregular.reduce($0.regular, +) })
  }
}

extension Summary where Value == Double? {
  /// The mean of a floating-point number of each row: exact, and rounded once. `nil` without rows.
  @inlinable
  public static func average<Number: BinaryFloatingPoint & Sendable>(
    _ number: @escaping @Sendable (Row) -> Number
  ) -> Summary {
    average { $0.add(Double(number($1)), times: $2) }
  }

  /// The mean of an integer of each row: exact, and rounded once. `nil` without rows.
  @inlinable
  public static func average<Number: FixedWidthInteger & Sendable>(
    _ number: @escaping @Sendable (Row) -> Number
  ) -> Summary {
    average { $0.add(number($1), times: $2) }
  }

  @inlinable
  static func average(_ add: @escaping @Sendable (inout ExactSum, Row, _ times: Int) -> Void) -> Summary {
    Summary(
      startingWith: (sum: ExactSum(), count: 0),
      insert: { state, row in
        add(&state.sum, row, 1)
        state.count += 1
      },
      remove: { state, row in
        add(&state.sum, row, -1)
        state.count -= 1
      }, value: { $0.count == 0 ? nil : $0.sum.mean(of: $0.count) })
  }
}

extension Summary {
  /// The smallest key of the rows; `nil` without rows. Keys that are not equal to themselves are left out.
  ///
  /// Of keys that are equal and not the same, such as names whose `==` ignores the case, it is that of the first row.
  ///
  /// - Complexity: O(log n) comparisons for each changed row of n, and of the places of rows whose keys are equal, in O(log n)
  ///   each.
  @inlinable
  public static func min<Key: Comparable & Sendable>(_ key: @escaping @Sendable (Row) -> Key) -> Summary
  where Value == Key? {
    extreme(key) { $0 < $1 }
  }

  /// The greatest key of the rows; `nil` without rows. Keys that are not equal to themselves are left out.
  ///
  /// Of keys that are equal and not the same, such as names whose `==` ignores the case, it is that of the first row.
  ///
  /// - Complexity: O(log n) comparisons for each changed row of n, and of the places of rows whose keys are equal, in O(log n)
  ///   each.
  @inlinable
  public static func max<Key: Comparable & Sendable>(_ key: @escaping @Sendable (Row) -> Key) -> Summary
  where Value == Key? {
    extreme(key) { $1 < $0 }
  }

  @inlinable
  static func extreme<Key: Comparable & Sendable>(
    _ key: @escaping @Sendable (Row) -> Key, _ precedes: @escaping @Sendable (Key, Key) -> Bool
  ) -> Summary where Value == Key? {
    let ordered: @Sendable (Row) -> Key? = { row in
      let key = key(row)
      return key == key ? key : nil
    }
    if isExact(Key.self) { return merging(ordered) { precedes($1, $0) ? $1 : $0 } }
    // Of floating-point numbers only zeros can be told apart.
    let zero = (Key.self as? any FloatingPoint.Type).flatMap { $0.zero as? Key }
    return Summary { path in
      typealias Spelled = (key: Key, row: Row.ID)
      let tree = MergeTree<Row.ID, Spelled> { first, second in
        if precedes(second.key, first.key) { return second }
        if first.key != second.key { return first }
        if let zero, first.key != zero { return first }
        // Even of two that are the same, as other spellings of the key may be between them.
        guard let place = path(first.row), let other = path(second.row) else { return first }
        return place < other ? first : second
      }
      return SummaryState(
        rebuild: { parts in
          var values: [Spelled] = []
          for rows in parts { for row in rows { if let key = ordered(row) { values.append((key, row.id)) } } }
          tree.rebuild(values.map { $0.row }, values) { precedes($1.key, $0.key) ? $1 : $0 }
        },
        insert: { if let key = ordered($0) { tree.set((key, $0.id), for: $0.id) } }, remove: { tree.remove($0.id) },
        value: { tree.root?.key },
        isSame: { old, new in
          guard let old, let new else { return old == nil && new == nil }
          return old == new && !areDistinguishable(old, new)
        }, usesOrder: true)
    }
  }
}

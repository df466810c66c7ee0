extension Summary where Value == Int {
  /// The number of rows.
  @_alwaysEmitIntoClient public static var count: Summary {
    Summary(startingWith: 0, insert: { count, _ in count += 1 }, remove: { count, _ in count -= 1 }, value: { $0 })
  }
}

extension Summary where Value == Bool {
  /// True if any row satisfies a condition. False without rows.
  @_alwaysEmitIntoClient
  public static func any(_ condition: @escaping @Sendable (Row) -> Bool) -> Summary { counting(condition) { $0 > 0 } }

  /// True if all rows satisfy a condition, and without rows.
  @_alwaysEmitIntoClient
  public static func all(_ condition: @escaping @Sendable (Row) -> Bool) -> Summary {
    counting({ !condition($0) }, { $0 == 0 })
  }

  @_alwaysEmitIntoClient
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
  @_alwaysEmitIntoClient
  public static func sum(_ number: @escaping @Sendable (Row) -> Value) -> Summary {
    // The lowest bits of the sum, and how many times the type's whole range is to be added to them.
    Summary(
      startingWith: (low: Value(0), wraps: 0),
      insert: { sum, row in
        let number = number(row)
        let (low, isWrapped) = sum.low.addingReportingOverflow(number)
        sum = (low, isWrapped ? sum.wraps + (number < 0 ? -1 : 1) : sum.wraps)
      },
      remove: { sum, row in
        let number = number(row)
        let (low, isWrapped) = sum.low.subtractingReportingOverflow(number)
        sum = (low, isWrapped ? sum.wraps + (number < 0 ? 1 : -1) : sum.wraps)
      },
      value: { $0.wraps == 0 ? $0.low : $0.wraps > 0 ? .max : .min })
  }
}

extension Summary where Value == Double {
  /// The sum of a floating-point number of each row.
  ///
  /// The exact sum is kept, in fixed point, and rounded once: nothing drifts, and the order of the rows does not matter. It is
  /// infinite or NaN while a row has such a number, and right again afterwards. A sum of zeros is 0. Numbers of more than 64 bits
  /// are rounded first.
  @_alwaysEmitIntoClient
  public static func sum<Number: BinaryFloatingPoint & Sendable>(
    _ number: @escaping @Sendable (Row) -> Number
  ) -> Summary {
    Summary(
      startingWith: ExactSum(), insert: { $0.add(Double(number($1))) },
      remove: { $0.add(Double(number($1)), times: -1) },
      value: { $0.rounded })
  }
}

extension Summary where Value == Double? {
  /// The mean of a floating-point number of each row: exact, and rounded once. `nil` without rows.
  @_alwaysEmitIntoClient
  public static func average<Number: BinaryFloatingPoint & Sendable>(
    _ number: @escaping @Sendable (Row) -> Number
  ) -> Summary {
    average { $0.add(Double(number($1)), times: $2) }
  }

  /// The mean of an integer of each row: exact, and rounded once. `nil` without rows.
  @_alwaysEmitIntoClient
  public static func average<Number: FixedWidthInteger & Sendable>(
    _ number: @escaping @Sendable (Row) -> Number
  ) -> Summary {
    average { $0.add(number($1), times: $2) }
  }

  @_alwaysEmitIntoClient
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
  /// - Complexity: O(log n) comparisons for each changed row of n.
  @_alwaysEmitIntoClient
  public static func min<Key: Comparable & Sendable>(_ key: @escaping @Sendable (Row) -> Key) -> Summary
  where Value == Key? {
    merging(ordered(key)) { $1 < $0 ? $1 : $0 }
  }

  /// The greatest key of the rows; `nil` without rows. Keys that are not equal to themselves are left out.
  ///
  /// - Complexity: O(log n) comparisons for each changed row of n.
  @_alwaysEmitIntoClient
  public static func max<Key: Comparable & Sendable>(_ key: @escaping @Sendable (Row) -> Key) -> Summary
  where Value == Key? {
    merging(ordered(key)) { $0 < $1 ? $1 : $0 }
  }

  @_alwaysEmitIntoClient
  static func ordered<Key: Comparable & Sendable>(_ key: @escaping @Sendable (Row) -> Key) -> @Sendable (Row) -> Key? {
    { row in
      let key = key(row)
      return key == key ? key : nil
    }
  }
}

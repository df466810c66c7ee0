public import RowcastDiff
public import RowcastModel

/// A value that sums up rows: the rows of a section for `sectioned(by:summary:)` of an ``Arrangement``, or all rows for
/// `summary(_:)` of a `LiveList`.
///
///     .sectioned(by: \.day, summary: .count, .sum(\.amount), .max(\.time)) { day, count, sum, latest in
///       Day(id: day, title: "\(count) for \(sum)", latest: latest)
///     }
///
/// A summary is updated by the rows that are inserted, removed and changed; it does not read the others. It is exact: after any
/// changes, it is the same as if it had been computed from scratch. The functions of a summary depend on the row alone.
public struct Summary<Row: RowViewModel, Value: Equatable & Sendable>: Sendable {
  /// Makes a state for rows whose order is known.
  @usableFromInline let make: MakeSummary<Row, Value>

  @inlinable
  init(make: @escaping MakeSummary<Row, Value>) { self.make = make }

  /// A summary to which rows are added and from which they are removed.
  ///
  ///     Summary(startingWith: 0, insert: { $0 ^= $1.checksum }, remove: { $0 ^= $1.checksum }, value: { $0 })
  ///
  /// - Parameters:
  ///   - start: The state for no rows.
  ///   - insert: Adds a row.
  ///   - remove: Removes a row that was added. The state is then as if the row had never been added, whatever happened in
  ///     between.
  ///   - value: The value of the state.
  @inlinable
  public init<State: Sendable>(
    startingWith start: State, insert: @escaping @Sendable (inout State, Row) -> Void,
    remove: @escaping @Sendable (inout State, Row) -> Void, value: @escaping @Sendable (State) -> Value
  ) {
    self.init { _ in
      var state = start
      return SummaryState(
        rebuild: { parts in
          // Exclusive access is checked once, not for each row.
          var new = start
          for rows in parts { for row in rows { insert(&new, row) } }
          state = new
        }, insert: { insert(&state, $0) }, remove: { remove(&state, $0) }, value: { value(state) })
    }
  }

  /// A summary that merges the values of rows.
  ///
  ///     .merging({ Set([$0.author]) }, by: { $0.union($1) })
  ///
  /// - Parameters:
  ///   - value: The value of a row; rows without one are left out.
  ///   - merge: Merges two values. Its result does not depend on how rows are grouped, or on their order.
  /// - Returns: The summary. Its value is `nil` if no row has one.
  /// - Complexity: O(log n) merges for each changed row of n.
  @inlinable
  public static func merging<Element: Equatable & Sendable>(
    _ value: @escaping @Sendable (Row) -> Element?, by merge: @escaping @Sendable (Element, Element) -> Element
  ) -> Summary where Value == Element? {
    Summary { _ in
      let tree = MergeTree<Row.ID, Element>(merge)
      return SummaryState(
        rebuild: { parts in
          var (ids, values): ([Row.ID], [Element?]) = ([], [])
          for rows in parts {
            for row in rows {
              guard let value = value(row) else { continue }
              ids.append(row.id)
              values.append(value)
            }
          }
          tree.rebuild(ids, values)
        },
        insert: { if let value = value($0) { tree.set(value, for: $0.id) } }, remove: { tree.remove($0.id) },
        value: { tree.root })
    }
  }
}

/// Makes the state of a summary.
///
/// `path` finds a row in the list that is summed up, whose order decides between values that are equal and not the same; `nil` for a
/// row that has left it. Rows are removed from a summary before they are added at another place, and compared again then.
@usableFromInline
typealias MakeSummary<Row: RowViewModel, Value> =
  @Sendable (_ path: @escaping (Row.ID) -> RowPath?) -> SummaryState<Row, Value>

/// The state of a summary. It belongs to the operator that reads the rows.
///
/// Its closures are made where the types are known, so that the code in them is specialised.
@usableFromInline
final class SummaryState<Row: RowViewModel, Value> {
  /// Starts over with the rows of some sections, in order.
  @usableFromInline let rebuild: ([ListRows<Row>]) -> Void
  @usableFromInline let insert: (Row) -> Void
  /// Removes a row that was added.
  @usableFromInline let remove: (Row) -> Void
  @usableFromInline let value: () -> Value
  /// Returns true if two values are the same to subscribers.
  @usableFromInline let isSame: (Value, Value) -> Bool
  /// True if the value depends on the order of the rows: it is no longer valid if sections change places.
  @usableFromInline let usesOrder: Bool

  @inlinable
  init(
    rebuild: @escaping ([ListRows<Row>]) -> Void, insert: @escaping (Row) -> Void, remove: @escaping (Row) -> Void,
    value: @escaping () -> Value, isSame: @escaping (Value, Value) -> Bool, usesOrder: Bool
  ) {
    (self.rebuild, self.insert, self.remove, self.value, self.isSame) = (rebuild, insert, remove, value, isSame)
    self.usesOrder = usesOrder
  }

  /// Two values are the same if they are equal, or if neither is equal to itself.
  @inlinable
  convenience init(
    rebuild: @escaping ([ListRows<Row>]) -> Void, insert: @escaping (Row) -> Void, remove: @escaping (Row) -> Void,
    value: @escaping () -> Value, usesOrder: Bool = false
  ) where Value: Equatable {
    self.init(
      rebuild: rebuild, insert: insert, remove: remove, value: value,
      isSame: { $0 == $1 || ($0 != $0 && $1 != $1) }, usesOrder: usesOrder)
  }

  /// The state of several summaries of the same rows.
  @inlinable
  static func combining<each Part>(
    _ path: @escaping (Row.ID) -> RowPath?, _ summary: repeat Summary<Row, each Part>
  ) -> SummaryState where Value == (repeat each Part) {
    let states = (repeat (each summary).make(path))
    var usesOrder = false
    for state in repeat each states { if state.usesOrder { usesOrder = true } }
    return SummaryState(
      rebuild: { parts in for state in repeat each states { state.rebuild(parts) } },
      insert: { row in for state in repeat each states { state.insert(row) } },
      remove: { row in for state in repeat each states { state.remove(row) } },
      value: { (repeat (each states).value()) },
      isSame: { old, new in
        for isSame in repeat (each states).isSame(each old, each new) { if !isSame { return false } }
        return true
      }, usesOrder: usesOrder)
  }
}

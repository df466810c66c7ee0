/// A sort of rows by one criterion after the other, each among equals. Rows are represented by their indexes in an array.
///
/// The key of each row is computed once for a criterion that it needs, and compared where its type is known.
@usableFromInline
struct SortRun: ~Copyable {
  /// The indexes of the rows, as far as they are in order.
  @usableFromInline var order: [Int]
  /// The ranges of ``order`` whose rows are equal so far, each with two rows at least.
  @usableFromInline var ties: [Range<Int>]

  /// - Parameter rows: The indexes of two rows at least.
  @inlinable
  init(_ rows: [Int]) {
    order = rows
    ties = [0..<rows.count]
  }

  /// Sorts equal rows by keys; keys that are not equal to themselves are last. The sort is stable.
  @inlinable
  mutating func sort<Row, Key: Comparable>(_ rows: [Row], _ direction: SortDirection, _ key: (Row) -> Key) {
    sort(rows, key) { keyed in
      guard keyed.allSatisfy({ $0.key == $0.key }) else {
        return keyed.sort { $0.key.precedes($1.key, direction) == true }
      }
      // One comparison for each pair of keys instead of four.
      if direction == .ascending { keyed.sort { $0.key < $1.key } } else { keyed.sort { $1.key < $0.key } }
    } areTied: {
      $0.precedes($1, direction) == nil
    }
  }

  /// Sorts equal rows by a comparison of their keys.
  @inlinable
  mutating func sort<Row, Key>(_ rows: [Row], _ key: (Row) -> Key, by precedes: (Key, Key) -> Bool?) {
    sort(rows, key) { keyed in
      keyed.sort { precedes($0.key, $1.key) == true }
    } areTied: {
      precedes($0, $1) == nil
    }
  }

  @inlinable
  mutating func sort<Row, Key>(
    _ rows: [Row], _ key: (Row) -> Key, by sort: (inout [(key: Key, index: Int)]) -> Void, areTied: (Key, Key) -> Bool
  ) {
    var rest: [Range<Int>] = []
    // One array for all: most ties are short.
    var keyed: [(key: Key, index: Int)] = []
    keyed.reserveCapacity(ties.first?.count ?? 0)
    for tie in ties {
      keyed.removeAll(keepingCapacity: true)
      for place in tie { keyed.append((key(rows[order[place]]), order[place])) }
      sort(&keyed)
      var start = 0
      for place in keyed.indices {
        order[tie.lowerBound + place] = keyed[place].index
        if place > 0, areTied(keyed[place - 1].key, keyed[place].key) { continue }
        if place > start + 1 { rest.append(tie.lowerBound + start..<tie.lowerBound + place) }
        start = place
      }
      if keyed.count > start + 1 { rest.append(tie.lowerBound + start..<tie.upperBound) }
    }
    ties = rest
  }
}

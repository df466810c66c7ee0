import RowcastModel
import RowcastTestSupport

@testable import RowcastViews

/// True if a value is less than another one, false if it is greater, `nil` if they are equal.
private func less<Value: Comparable>(_ first: Value, _ second: Value) -> Bool? {
  first == second ? nil : first < second
}

/// Steps that sort rows.
extension ArrangedStep {
  /// Sorts by one key or two.
  ///
  /// - Parameter variant: Which keys.
  /// - Returns: The step.
  static func sorted(_ variant: Int) -> ArrangedStep {
    let keys: [SortKey<Card<ID>>]
    /// `nil` for rows that are equal.
    let precedes: @Sendable (Card<ID>, Card<ID>) -> Bool?
    switch variant {
    case 0:
      keys = [.ascending { $0.b }]
      precedes = { less($0.b, $1.b) }
    case 1:
      keys = [.descending { $0.a }, .ascending { $0.b }]
      precedes = { less($1.a, $0.a) ?? less($0.b, $1.b) }
    case 2:
      keys = [.by { $0.b % 2 < $1.b % 2 }]
      precedes = { less($0.b % 2, $1.b % 2) }
    case 3, 4:
      keys = [variant == 3 ? .ascending { $0.price } : .descending { $0.price }]
      precedes = { first, second in
        let (first, second) = (first.price, second.price)
        if first.isNaN || second.isNaN { return first.isNaN == second.isNaN ? nil : second.isNaN }
        return variant == 3 ? less(first, second) : less(second, first)
      }
    case 6:
      keys = [.descending { TextKey($0.b) }, .ascending { PlainKey($0.a) }]
      precedes = { less(TextKey($1.b).kind, TextKey($0.b).kind) ?? less(PlainKey($0.a).kind, PlainKey($1.a).kind) }
    case 7, 8:
      let key: @Sendable (Card<ID>) -> Int? = { $0.a % 2 == 0 ? nil : $0.b }
      keys = [variant == 7 ? .ascending(key) : .descending(key, missing: .first)]
      precedes = { first, second in
        guard let old = key(first) else { return key(second) == nil ? nil : variant == 8 }
        guard let new = key(second) else { return variant == 7 }
        return variant == 7 ? less(old, new) : less(new, old)
      }
    case 9, 10:
      // Without 0 and 4, and one of them twice.
      let order = [3, 1, 2, 1, 7]
      let key: @Sendable (Card<ID>) -> Label = { Label(number: $0.b % 5) }
      let labels = order.map { Label(number: $0) }
      keys = [variant == 9 ? .ascending(key, order: labels) : .descending(key, order: labels)]
      precedes = { first, second in
        let (old, new) = (order.firstIndex(of: first.b % 5), order.firstIndex(of: second.b % 5))
        guard let old, let new else { return (old == nil) == (new == nil) ? nil : new == nil }
        return variant == 9 ? less(old, new) : less(new, old)
      }
    case 11, 12:
      let key: @Sendable (Card<ID>) -> Label = { Label(number: $0.b % 4) }
      keys = [
        variant == 11 ? .ascending(key) { $0.number < $1.number } : .descending(key) { $0.number < $1.number },
        .ascending { $0.a },
      ]
      precedes = {
        (variant == 11 ? less($0.b % 4, $1.b % 4) : less($1.b % 4, $0.b % 4)) ?? less($0.a, $1.a)
      }
    default:
      // Equal rows precede each other.
      keys = [.by { $0.b <= $1.b }]
      precedes = { less($0.b, $1.b) }
    }
    return ArrangedStep(
      description: "sorted(\(variant))", declare: { $0.sorted(by: keys) },
      recompute: onRows { rows in merged(rows.map { [$0] }[...]) { precedes($0, $1) ?? false } }, isOrder: true)
  }
}

/// Steps that depend on the order of rows.
extension ArrangedStep {
  static func reversed() -> ArrangedStep {
    ArrangedStep(
      description: "reversed", declare: { $0.reversed() },
      recompute: { model in
        var result = onRows { $0.reversed() }(model)
        result.parts.reverse()
        return result
      })
  }

  /// Makes rows from rows with their neighbours, or leaves out each row that is like the previous one.
  static func neighbours(isFilter: Bool) -> ArrangedStep {
    let made: @Sendable (Card<ID>, Card<ID>?, Card<ID>?) -> Card<ID> = { row, previous, next in
      Card(id: row.id, a: row.a, b: (row.b + 2 * (previous?.b ?? 7) + 3 * (next?.b ?? 11)) % 97)
    }
    return ArrangedStep(
      description: isFilter ? "unlike the one before" : "neighbours",
      declare: { plan in
        let rows = plan.withNeighbours()
        return isFilter
          ? rows.filter { $0.previous?.b != $0.row.b }.map { $0.row } : rows.map { made($0.row, $0.previous, $0.next) }
      },
      recompute: onRows { rows in
        rows.indices.compactMap { index in
          let (previous, next) = (
            index > 0 ? rows[index - 1] : nil, index < rows.count - 1 ? rows[index + 1] : nil
          )
          if isFilter { return previous?.b == rows[index].b ? nil : rows[index] }
          return made(rows[index], previous, next)
        }
      })
  }
}

/// Rows in order, from runs in order: a stable sort of our own.
private func merged<Row>(_ stretches: ArraySlice<[Row]>, _ precedes: (Row, Row) -> Bool) -> [Row] {
  guard stretches.count > 1 else { return stretches.first ?? [] }
  let middle = stretches.startIndex + stretches.count / 2
  let (first, second) = (merged(stretches[..<middle], precedes), merged(stretches[middle...], precedes))
  var (all, next): ([Row], Int) = ([], 0)
  for row in second {
    while next < first.count, !precedes(row, first[next]) {
      all.append(first[next])
      next += 1
    }
    all.append(row)
  }
  return all + first[next...]
}

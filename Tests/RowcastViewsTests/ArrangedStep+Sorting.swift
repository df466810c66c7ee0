import RowcastModel
import TestSupport

@testable import RowcastViews

/// Steps that sort rows.
extension ArrangedStep {
  /// Sorts by one key or two.
  ///
  /// - Parameter variant: Which keys.
  /// - Returns: The step.
  static func sorted(_ variant: Int) -> ArrangedStep {
    let keys: [SortKey<Card<ID>>]
    let precedes: @Sendable (Card<ID>, Card<ID>) -> Bool?
    switch variant {
    case 0:
      keys = [.ascending { $0.b }]
      precedes = { $0.b != $1.b ? $0.b < $1.b : nil }
    case 1:
      keys = [.descending { $0.a }, .ascending { $0.b }]
      precedes = { $0.a != $1.a ? $0.a > $1.a : $0.b != $1.b ? $0.b < $1.b : nil }
    case 2:
      keys = [.by { $0.b % 2 < $1.b % 2 }]
      precedes = { $0.b % 2 != $1.b % 2 ? $0.b % 2 < $1.b % 2 : nil }
    case 3, 4:
      keys = [variant == 3 ? .ascending { $0.price } : .descending { $0.price }]
      precedes = { first, second in
        let (first, second) = (first.price, second.price)
        if first.isNaN || second.isNaN { return first.isNaN == second.isNaN ? nil : second.isNaN }
        return first == second ? nil : variant == 3 ? first < second : first > second
      }
    default:
      // A number that is none is equal to all others, which are not equal to each other; scissors cut paper, which
      // wraps the rock; and rows that are equal stand before each other.
      let isBefore: @Sendable (Card<ID>, Card<ID>) -> Bool =
        switch variant {
        case 5: { $0.price < $1.price }
        case 6: { ($0.b - $1.b + 15) % 3 == 1 }
        default: { $0.b <= $1.b }
        }
      keys = [.by(isBefore)]
      precedes = { isBefore($0, $1) == isBefore($1, $0) ? nil : isBefore($0, $1) }
    }
    let isContradictory = (5...6).contains(variant)
    return ArrangedStep(
      description: "sorted(\(variant))", declare: { $0.sorted(by: keys) },
      recompute: onRows { rows in
        if isContradictory {
          let ranked = rows.enumerated().map { (place: $0, row: $1) }
          return pivotSorted(ranked) { precedes($0.row, $1.row) ?? ($0.place < $1.place) }.map(\.row)
        }
        return merged(rows.map { [$0] }[...]) { precedes($0, $1) ?? false }
      })
  }
}

/// Rows in order, from stretches that are: a stable sort, and nobody else's.
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

/// What an order that contradicts itself makes of rows, as its documentation says.
func pivotSorted<ID>(
  _ rows: [(place: Int, row: Card<ID>)], _ precedes: ((place: Int, row: Card<ID>), (place: Int, row: Card<ID>)) -> Bool
) -> [(place: Int, row: Card<ID>)] {
  guard let pivot = rows.max(by: { $0.row.id.hashValue < $1.row.id.hashValue }) else { return [] }
  let others = rows.filter { $0.row.id != pivot.row.id }
  return pivotSorted(others.filter { precedes($0, pivot) }, precedes) + [pivot]
    + pivotSorted(others.filter { !precedes($0, pivot) }, precedes)
}

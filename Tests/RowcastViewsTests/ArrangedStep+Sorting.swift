/// Steps that sort rows.
extension ArrangedStep {
  /// True if a row is before another one, false if it is behind it, `nil` if they are equal.
  private typealias Order = @Sendable (Card<ID>, Card<ID>) -> Bool?

  /// The order of some values.
  private static func by<Value: Comparable & Sendable>(
    _ direction: SortDirection = .ascending, _ value: @escaping @Sendable (Card<ID>) -> Value
  ) -> Order {
    { first, second in
      let (first, second) = (value(first), value(second))
      return first == second ? nil : direction == .ascending ? first < second : second < first
    }
  }

  /// Sorts by one key or two.
  static func sorted(_ variant: Int) -> ArrangedStep {
    let direction = [4, 8, 10, 12].contains(variant) ? SortDirection.descending : .ascending
    let keys: [SortKey<Card<ID>>]
    let orders: [Order]
    switch variant {
    case 0: (keys, orders) = ([.ascending { $0.b }], [by { $0.b }])
    case 1: (keys, orders) = ([.descending { $0.a }, .ascending { $0.b }], [by(.descending) { $0.a }, by { $0.b }])
    case 2: (keys, orders) = ([.by { $0.b % 2 < $1.b % 2 }], [by { $0.b % 2 }])
    case 3, 4:
      keys = [variant == 3 ? .ascending { $0.price } : .descending { $0.price }]
      orders = [by { $0.price.isNaN ? 1 : 0 }, by(direction) { $0.price.isNaN ? 0 : $0.price }]
    case 6:
      keys = [.descending { TextKey($0.b) }, .ascending { PlainKey($0.a) }]
      orders = [by(.descending) { TextKey($0.b).kind }, by { PlainKey($0.a).kind }]
    case 7, 8:
      let key: @Sendable (Card<ID>) -> Int? = { $0.a % 2 == 0 ? nil : $0.b }
      keys = [variant == 7 ? .ascending(key) : .descending(key, missing: .first)]
      orders = [by(direction) { key($0) == nil ? 1 : 0 }, by(direction) { key($0) ?? 0 }]
    case 9, 10:
      // Without 0 and 4, and one of them twice.
      let order = [3, 1, 2, 1, 7]
      let (key, labels) = ({ @Sendable (card: Card<ID>) in Label(number: card.b % 5) }, order.map { Label(number: $0) })
      keys = [variant == 9 ? .ascending(key, order: labels) : .descending(key, order: labels)]
      orders = [
        by { order.contains($0.b % 5) ? 0 : 1 }, by(direction) { order.firstIndex(of: $0.b % 5) ?? 0 },
      ]
    case 11, 12:
      let key: @Sendable (Card<ID>) -> Label = { Label(number: $0.b % 4) }
      let first: SortKey<Card<ID>> =
        variant == 11 ? .ascending(key) { $0.number < $1.number } : .descending(key) { $0.number < $1.number }
      (keys, orders) = ([first, .ascending { $0.a }], [by(direction) { $0.b % 4 }, by { $0.a }])
    default:
      // Rows that are equal stand before each other.
      (keys, orders) = ([.by { $0.b <= $1.b }], [by { $0.b }])
    }
    let precedes: @Sendable (Card<ID>, Card<ID>) -> Bool = { first, second in
      for case let isBefore? in orders.lazy.map({ $0(first, second) }) { return isBefore }
      return false
    }
    return ArrangedStep(
      description: "sorted(\(variant))", declare: { $0.sorted(by: keys) },
      recompute: onRows { merged($0.map { [$0] }[...], precedes) }, isOrder: true)
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

  /// Makes rows of rows with their neighbours, or leaves out those that are like the one before.
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

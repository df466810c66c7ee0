/// How one thing stands to another in an order.
@usableFromInline
enum RowOrdering {
  case before, same, after

  /// Compares two keys. Those that are not equal to themselves come last, in both directions, and count as the same.
  @inlinable
  init<Key: Comparable>(_ first: Key, _ second: Key, _ direction: SortDirection = .ascending) {
    let (isFirstOrdered, isSecondOrdered) = (first == first, second == second)
    if !isFirstOrdered || !isSecondOrdered {
      self = isFirstOrdered == isSecondOrdered ? .same : isFirstOrdered ? .before : .after
    } else if first < second {
      self = direction == .ascending ? .before : .after
    } else {
      self = !(second < first) ? .same : direction == .ascending ? .after : .before
    }
  }
}

/// The order of the rows of a section: by keys, and rows whose keys are equal as the source has them.
@usableFromInline
struct RowOrder<Row: Sendable>: Sendable {
  /// Compares two rows as far as the source has no say.
  @usableFromInline let compare: @Sendable (Row, Row) -> RowOrdering
  /// The criteria.
  @usableFromInline let keys: [SortKey<Row>]

  /// An order; without keys, that of the source.
  @inlinable
  init(keys: [SortKey<Row>] = []) {
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
    self.keys = keys
  }

  /// Whether the order is that of the source.
  @inlinable var isSource: Bool { keys.isEmpty }

  /// Whether all rows are compared by keys, so that no comparison contradicts others.
  @inlinable var isConsistent: Bool { keys.allSatisfy { $0.contradicts == nil } }
}

// MARK: - What is wrong with an order

extension RowOrder where Row: Identifiable {
  /// Those rows of a section, which stand in this order, whose places follow from a rule for exceptions.
  ///
  /// - Complexity: O(n) for n rows; nothing if all keys are integers or strings.
  @usableFromInline
  func failures(in list: some Sequence<Row>, _ precedes: (Row, Row) -> Bool) -> [(Row.ID, ArrangementFailure)] {
    let keys = keys.compactMap(\.unorderedKey)
    let contradictions = self.keys.compactMap(\.contradicts)
    if keys.isEmpty && contradictions.isEmpty { return [] }
    var found: [(Row.ID, ArrangementFailure)] = []
    var earlier: [Row] = []
    for row in list {
      if let key = keys.lazy.compactMap({ $0(row) }).first { found.append((row.id, .unorderedKey(key))) }
      if contradictions.isEmpty { continue }
      if earlier.contains(where: { other in precedes(row, other) || contradictions.contains { $0(other, row) } }) {
        found.append((row.id, .contradictoryOrder))
      }
      // A circle shows between a row and one of the two before it, or nowhere that costs O(n) to find.
      earlier = earlier.suffix(1) + [row]
    }
    return found
  }
}

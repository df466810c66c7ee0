public import RowcastDiff
public import RowcastModel

extension ListNode {
  /// The rows that have a key, in a section for each key.
  @_alwaysEmitIntoClient
  func grouped<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Row) -> Key?, _ order: [SortKey<Row>]
  ) -> ListNode<IDOnly<Key>, Row> {
    // Groups are found by their keys; their order means nothing, and equal keys are one.
    let grouping = KeyGrouping<IDOnly<Key>, Row, Key?>(
      key, order: { $0.hashValue.precedes($1.hashValue) }, keeping: [], isExact: true
    ) { key in
      guard let key else { stop("A row without a key has no group") }
      return IDOnly(key)
    }
    return ListNode<IDOnly<Key>, Row>.arranging(
      self, .keys(grouping), order: order.reversed().reduce(SortKey<Row>?.none) { $1.then($0) },
      transform: { row -> Row? in
        guard let key = key(row), key == key else { return nil }
        return row
      })
  }

  /// The rows that have a key, in a section for each key, with a summary of its rows.
  @_alwaysEmitIntoClient
  func grouped<Key: Hashable & Sendable, Value: Sendable>(
    by key: @escaping @Sendable (Row) -> Key?, _ makeState: @escaping (RowOrder<Row.ID>) -> SummaryState<Row, Value>
  ) -> ListNode<SummarizedGroup<Key, Value>, Row> {
    .summarizing(grouped(by: key, []), makeState) { SummarizedGroup($0.id, $1) }
  }
}

/// A group with the value of its summary. No two instances are equal: their readers compare the values.
@usableFromInline
struct SummarizedGroup<ID: Hashable & Sendable, Value: Sendable>: SectionViewModel {
  @usableFromInline let id: ID
  @usableFromInline let value: Value
  @usableFromInline let making = Identity()

  @_alwaysEmitIntoClient
  init(_ id: ID, _ value: Value) { (self.id, self.value) = (id, value) }

  @_alwaysEmitIntoClient
  static func == (lhs: SummarizedGroup, rhs: SummarizedGroup) -> Bool { lhs.making === rhs.making }
}

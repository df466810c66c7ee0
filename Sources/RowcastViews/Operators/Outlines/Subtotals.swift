public import RowcastModel

/// A summary of the descendants of each row of a forest.
@usableFromInline
final class Subtotals<Row: RowViewModel, Value> {
  /// False if nothing is summed up.
  @usableFromInline let isUsed: Bool
  @usableFromInline let make: () -> SummaryState<Row, Value>
  /// For rows without children.
  @usableFromInline let none: SummaryState<Row, Value>
  /// The summaries of the rows under each row, without the row itself.
  @usableFromInline var states: [Row.ID: SummaryState<Row, Value>] = [:]
  /// Rows that are in no summary while their content changes.
  @usableFromInline var absent: Set<Row.ID> = []

  @inlinable
  init(isUsed: Bool = true, _ make: @escaping () -> SummaryState<Row, Value>) {
    (self.make, self.isUsed, none) = (make, isUsed, make())
  }

  /// The summary of a row and its descendants.
  @inlinable
  func value(of row: Row) -> Value {
    let state = states[row.id] ?? none
    state.insert(row)
    defer { state.remove(row) }
    return state.value()
  }

  @inlinable
  func insert(_ row: Row, below ancestor: Row.ID) {
    let state = states[ancestor] ?? make()
    states[ancestor] = state
    state.insert(row)
  }
}

extension SummaryState where Value == Void {
  /// A summary of nothing.
  @inlinable static var nothing: SummaryState {
    SummaryState(
      rebuild: { _ in }, insert: { _ in }, remove: { _ in }, value: {}, isSame: { _, _ in true }, usesOrder: false)
  }
}

extension OutlineForest {
  /// Adds a row and its descendants to the summaries of its ancestors, or removes them if `sign` is −1.
  @inlinable
  mutating func add(_ id: ID, sign: Int) {
    let above = ancestors(of: id)
    stale.formUnion(above)
    if above.isEmpty { return }
    var rest = [id]
    while let id = rest.popLast() {
      rest += allChildren(of: id)
      if subtotals.absent.contains(id) { continue }
      count(row(id), below: above, sign: sign)
    }
  }

  /// Removes the former content of rows from all summaries, and excludes the new content of these and others.
  @inlinable
  mutating func beginChange(from former: [Row], to current: [Row]) {
    for row in former { count(row, below: ancestors(of: row.id), sign: -1) }
    subtotals.absent = Set(former.map { $0.id } + current.map { $0.id })
  }

  /// Adds the new content of rows to all summaries.
  @inlinable
  mutating func endChange(to current: [Row]) {
    for id in subtotals.absent where index.path(ofRow: id) == nil { subtotals.states[id] = nil }
    subtotals.absent = []
    for row in current { count(row, below: ancestors(of: row.id), sign: 1) }
  }

  @inlinable
  mutating func count(_ row: Row, below ancestors: [ID], sign: Int) {
    stale.formUnion(ancestors)
    for ancestor in ancestors {
      if sign > 0 { subtotals.insert(row, below: ancestor) } else { subtotals.states[ancestor]?.remove(row) }
    }
  }
}

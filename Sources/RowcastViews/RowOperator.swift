public import RowcastDiff
public import RowcastModel

/// Filters, maps, sections and sorts, all in one go.
@usableFromInline
struct RowOperator<
  InputSection: SectionViewModel, InputRow: RowViewModel, Section: SectionViewModel, Row: RowViewModel
>: ListOperator where InputRow.ID == Row.ID {
  @usableFromInline var placement: Placement<InputSection, InputRow, Section, Row>
  @usableFromInline let transform: @Sendable (InputRow) throws -> Row?

  @inlinable
  init(
    _ placement: Placement<InputSection, InputRow, Section, Row>,
    transform: @escaping @Sendable (InputRow) throws -> Row?
  ) {
    self.placement = placement
    self.transform = transform
  }

  @inlinable var output: ListOutput<Section, Row> {
    _read { yield placement.output }
    _modify { yield &placement.output }
  }

  @inlinable var failures: [Row.ID: any Error] { placement.failures }

  @inlinable
  mutating func rebuild(from list: ListSnapshot<InputSection, InputRow>) { placement.rebuild(from: list, transform) }

  @inlinable
  mutating func take(
    _ changes: ListChanges, from before: ListSnapshot<InputSection, InputRow>,
    to after: ListSnapshot<InputSection, InputRow>
  ) {
    placement.prepare(for: changes, to: after)
    placement.take(changes, from: before, to: after, transform)
  }
}

/// Filters, sections and sorts, all in one go.
///
/// A mapping that gives a row or nothing would do the same. But then each row is asked whether that failed or gave another id: for
/// 100,000 rows a filter is built in 1.7 ms so, and in 6.7 ms as a mapping.
@usableFromInline
struct FilterOperator<InputSection: SectionViewModel, Section: SectionViewModel, Row: RowViewModel>: ListOperator {
  @usableFromInline typealias InputRow = Row

  @usableFromInline var placement: Placement<InputSection, Row, Section, Row>
  @usableFromInline let filter: RowFilter<Row>?

  @inlinable
  init(_ placement: Placement<InputSection, Row, Section, Row>, filter: RowFilter<Row>?) {
    self.placement = placement
    self.filter = filter
  }

  @inlinable var output: ListOutput<Section, Row> {
    _read { yield placement.output }
    _modify { yield &placement.output }
  }

  @inlinable var failures: [Row.ID: any Error] { placement.failures }

  @inlinable
  mutating func rebuild(from list: ListSnapshot<InputSection, Row>) {
    placement.rebuild(from: list) { [filter] _, section in
      let rows = list.rows(inSection: section)
      return filter?.included(rows) ?? Array(rows)
    }
  }

  @inlinable
  mutating func take(
    _ changes: ListChanges, from before: ListSnapshot<InputSection, Row>, to after: ListSnapshot<InputSection, Row>
  ) {
    placement.prepare(for: changes, to: after)
    placement.take(changes, from: before, to: after) { [filter] row in filter?.isIncluded(row) ?? true ? row : nil }
  }
}

/// Which rows are kept. Its functions are made where the types are known, so that the code in them is specialised.
@usableFromInline
struct RowFilter<Row: RowViewModel>: Sendable {
  @usableFromInline let isIncluded: @Sendable (Row) -> Bool
  /// Those of some rows that are kept.
  @usableFromInline let included: @Sendable (ListRows<Row>) -> [Row]

  @inlinable
  init(_ isIncluded: @escaping @Sendable (Row) -> Bool) {
    self.init(isIncluded) { $0.filter(isIncluded) }
  }

  @inlinable
  init(_ isIncluded: @escaping @Sendable (Row) -> Bool, included: @escaping @Sendable (ListRows<Row>) -> [Row]) {
    self.isIncluded = isIncluded
    self.included = included
  }

  /// The filter that keeps what this one and another one keep. The other one is not asked for more.
  @inlinable
  func and(_ other: RowFilter?) -> RowFilter {
    guard let other else { return self }
    return RowFilter({ isIncluded($0) && other.isIncluded($0) }, included: { included($0).filter(other.isIncluded) })
  }
}

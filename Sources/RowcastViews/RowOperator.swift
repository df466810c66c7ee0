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
@usableFromInline
struct FilterOperator<InputSection: SectionViewModel, Section: SectionViewModel, Row: RowViewModel>: ListOperator {
  @usableFromInline typealias InputRow = Row

  @usableFromInline var placement: Placement<InputSection, Row, Section, Row>
  @usableFromInline let isIncluded: (@Sendable (Row) -> Bool)?

  @inlinable
  init(_ placement: Placement<InputSection, Row, Section, Row>, isIncluded: (@Sendable (Row) -> Bool)?) {
    self.placement = placement
    self.isIncluded = isIncluded
  }

  @inlinable var output: ListOutput<Section, Row> {
    _read { yield placement.output }
    _modify { yield &placement.output }
  }

  @inlinable var failures: [Row.ID: any Error] { placement.failures }

  @inlinable
  mutating func rebuild(from list: ListSnapshot<InputSection, Row>) {
    placement.rebuild(from: list) { [isIncluded] _, section in
      let rows = list.rows(inSection: section)
      return isIncluded.map { rows.filter($0) } ?? Array(rows)
    }
  }

  @inlinable
  mutating func take(
    _ changes: ListChanges, from before: ListSnapshot<InputSection, Row>, to after: ListSnapshot<InputSection, Row>
  ) {
    placement.prepare(for: changes, to: after)
    placement.take(changes, from: before, to: after) { [isIncluded] row in isIncluded?(row) ?? true ? row : nil }
  }
}

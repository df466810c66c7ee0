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

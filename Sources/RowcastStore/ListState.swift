public import RowcastModel

/// A list and the number of the change that made it.
@usableFromInline
struct ListState<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline var snapshot: ListSnapshot<Section, Row>
  @usableFromInline var revision: Int

  @inlinable
  init(snapshot: ListSnapshot<Section, Row>, revision: Int) {
    self.snapshot = snapshot
    self.revision = revision
  }
}

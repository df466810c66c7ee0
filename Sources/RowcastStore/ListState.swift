public import RowcastModel

/// A list and the number of the change that made it.
@usableFromInline
package struct ListState<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline package var snapshot: ListSnapshot<Section, Row>
  @usableFromInline package var revision: Int

  @inlinable
  package init(snapshot: ListSnapshot<Section, Row>, revision: Int) {
    self.snapshot = snapshot
    self.revision = revision
  }
}

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

/// Something with a newest list and a bell: what a ``Subscription`` follows.
@usableFromInline
protocol ListPublisher<Section, Row>: Actor {
  associatedtype Section: SectionViewModel
  associatedtype Row: RowViewModel

  /// Where subscribers find differences that others have made.
  nonisolated var desk: DifferenceDesk { get }

  /// The newest state as soon as it is not the one at `revision` any more.
  ///
  /// - Returns: `nil` if there will be none: the list has come to its end, or the caller's task is cancelled.
  func state(after revision: Int?) async -> ListState<Section, Row>?
}

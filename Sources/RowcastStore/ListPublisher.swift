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

/// A newer state for a subscriber, with the difference from the one that it has, if that is cached; `isWanted` asks the
/// subscriber to store the difference that it makes.
@usableFromInline
package typealias Delivery<Section: SectionViewModel, Row: RowViewModel> = (
  state: ListState<Section, Row>, difference: DifferenceCache.Difference?, isWanted: Bool
)

/// The answer to a request for a state after a revision.
@usableFromInline
package enum Poll<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  case ready(Delivery<Section, Row>)
  /// The signal is sent when there may be a newer state. A task that was not woken leaves its place; with several places
  /// each task does, as only one of them has sent the signal.
  case waiting(Signal, hasSeveralPlaces: Bool, leave: @Sendable () async -> Void)
  /// There will be no other state.
  case ended
}

/// An actor with a newest list, which a ``Subscription`` follows.
@usableFromInline
package protocol ListPublisher<Section, Row>: Actor {
  associatedtype Section: SectionViewModel
  associatedtype Row: RowViewModel

  /// Identifies the list.
  nonisolated var epoch: String { get }

  /// Differences that subscribers have made.
  var differences: DifferenceCache { get set }

  /// The shared observer of watched parts, kept alive by its watchers.
  var hub: (any AnyObject & Sendable)? { get set }

  /// The newest state, and whether it is the last.
  func newest() async -> (state: ListState<Section, Row>, isFinal: Bool)

  /// The newest state, if it is another one than that at `revision`, or a place among those that wait for one.
  func poll(after revision: Int?) async -> Poll<Section, Row>
}

extension ListPublisher {
  /// The newest state as soon as it is not the one at `revision` any more.
  ///
  /// The task waits outside of the actor: woken there, it would take the actor's turn only to leave again. The result is `nil`
  /// if the list has ended, or the calling task is cancelled.
  @inlinable
  package nonisolated func delivery(after revision: Int?) async -> Delivery<Section, Row>? {
    while true {
      switch await poll(after: revision) {
      case .ready(let delivery): return delivery
      case .ended: return nil
      case .waiting(let signal, let hasSeveralPlaces, let leave):
        let isWoken = await signal.wait()
        if hasSeveralPlaces || !isWoken { await leave() }
        if !isWoken || Task.isCancelled { return nil }
      }
    }
  }

  /// The delivery of the newest state to a subscriber at a revision; `nil` for one that has no state.
  @inlinable
  package func delivery(of state: ListState<Section, Row>, to revision: Int?) -> Delivery<Section, Row> {
    guard let revision else { return (state, nil, false) }
    let (difference, isWanted) = differences.lookUp(revision..<state.revision)
    return (state, difference, isWanted)
  }

  @inlinable
  func store(_ difference: DifferenceCache.Difference) { differences.store(difference) }
}

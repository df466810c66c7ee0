public import RowcastDiff
public import RowcastModel

/// Something with a newest list, and with changes that can be waited for: what a ``Subscription`` follows.
@usableFromInline
package protocol ListPublisher<Section, Row>: Actor {
  associatedtype Section: SectionViewModel
  associatedtype Row: RowViewModel

  /// What tells the list from all others.
  nonisolated var epoch: String { get }

  /// Differences that subscribers have made.
  var differences: DifferenceCache { get set }

  /// What follows the list for those who watch parts of it, while they hold it.
  var hub: WeakReference { get set }

  /// The newest state, and whether it is the last.
  func newest() async -> (state: ListState<Section, Row>, isFinal: Bool)

  /// The newest state as soon as it is not the one at `revision` any more.
  ///
  /// - Returns: `nil` if there will be none: the list has come to its end, or the caller's task is cancelled.
  nonisolated func delivery(after revision: Int?) async -> Delivery<Section, Row>?
}

/// An object of any type, as long as others hold it.
@usableFromInline
package struct WeakReference: Sendable {
  @usableFromInline package weak var object: (any AnyObject & Sendable)?

  @usableFromInline
  package init() {}
}

/// What a subscriber gets when it requests what is new.
@usableFromInline
package struct Delivery<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline package let state: ListState<Section, Row>
  /// The difference from the state that the subscriber has, if it is there already.
  @usableFromInline let difference: DifferenceCache.Difference?
  /// Whether the difference that the subscriber makes is to be stored for others.
  @usableFromInline let isShared: Bool

  @inlinable
  init(_ state: ListState<Section, Row>, difference: DifferenceCache.Difference? = nil, isShared: Bool = false) {
    self.state = state
    self.difference = difference
    self.isShared = isShared
  }
}

extension ListPublisher {
  /// The delivery of the newest state to a subscriber.
  ///
  /// - Parameters:
  ///   - state: The newest state.
  ///   - revision: The revision that the subscriber has, or `nil` if it has none.
  /// - Returns: The state, with the difference if it is there already.
  @inlinable
  package func delivery(of state: ListState<Section, Row>, to revision: Int?) -> Delivery<Section, Row> {
    guard let revision else { return Delivery(state) }
    switch differences.lookUp(revision..<state.revision) {
    case .found(let difference): return Delivery(state, difference: difference)
    case .missing(let isWanted): return Delivery(state, isShared: isWanted)
    }
  }

  @inlinable
  func store(_ difference: DifferenceCache.Difference) { differences.store(difference) }
}

/// The ways of a subscriber to a publisher. They are closures, made where the types are known, so that the code in them
/// is specialised.
@usableFromInline
package struct PublisherAccess<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline let epoch: String
  /// See ``ListPublisher/newest()``.
  @usableFromInline package let newest: @Sendable () async -> (state: ListState<Section, Row>, isFinal: Bool)
  @usableFromInline package let delivery: @Sendable (_ revision: Int?) async -> Delivery<Section, Row>?
  @usableFromInline let store: @Sendable (DifferenceCache.Difference) async -> Void
  /// Makes differences.
  @usableFromInline package let difference:
    @Sendable (ListSnapshot<Section, Row>, ListSnapshot<Section, Row>) -> ListChanges

  @inlinable
  package init(_ publisher: some ListPublisher<Section, Row>) {
    epoch = publisher.epoch
    newest = { await onSharedExecutor { await publisher.newest() } }
    delivery = { revision in await onSharedExecutor { await publisher.delivery(after: revision) } }
    store = { difference in await onSharedExecutor { await publisher.store(difference) } }
    difference = { $0.changes(to: $1) }
  }
}

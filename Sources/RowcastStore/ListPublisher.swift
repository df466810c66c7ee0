public import RowcastDiff
public import RowcastModel

/// Something with a newest list and a bell: what a ``Subscription`` follows.
@usableFromInline
protocol ListPublisher<Section, Row>: Actor {
  associatedtype Section: SectionViewModel
  associatedtype Row: RowViewModel

  /// Where subscribers find differences that others have made.
  var desk: DifferenceDesk { get set }

  /// The newest state as soon as it is not the one at `revision` any more.
  ///
  /// - Returns: `nil` if there will be none: the list has come to its end, or the caller's task is cancelled.
  func state(after revision: Int?) async -> ListState<Section, Row>?
}

/// What a subscriber gets when he asks for what is new.
@usableFromInline
struct Delivery<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline let state: ListState<Section, Row>
  /// The difference from the state that he has, if somebody has made it.
  @usableFromInline let difference: DifferenceDesk.Difference?
  /// Whether he has to leave the difference that he makes at the desk.
  @usableFromInline let isForOthers: Bool

  @inlinable
  init(_ state: ListState<Section, Row>, difference: DifferenceDesk.Difference? = nil, isForOthers: Bool = false) {
    self.state = state
    self.difference = difference
    self.isForOthers = isForOthers
  }
}

extension ListPublisher {
  /// What is new after a revision, as soon as anything is.
  ///
  /// - Parameters:
  ///   - revision: The revision that the subscriber has, or `nil` if he has none.
  ///   - card: Stands for the subscriber.
  /// - Returns: The newest state; `nil` if there will be none, see ``state(after:)``.
  @inlinable
  func delivery(after revision: Int?, to card: DifferenceDesk.Card) async -> Delivery<Section, Row>? {
    guard let state = await state(after: revision) else { return nil }
    guard let revision else {
      desk.admit(card)
      return Delivery(state)
    }
    let span = revision..<state.revision
    switch desk.ask(over: span) {
    case .make: return Delivery(state)
    case .makeAndLeave: return Delivery(state, isForOthers: true)
    case .made(let difference): return Delivery(state, difference: difference)
    case .isBeingMade:
      return Delivery(state, difference: await withCheckedContinuation { desk.await(span, $0) })
    }
  }

  @usableFromInline
  func leave(_ difference: DifferenceDesk.Difference) { desk.leave(difference) }
}

/// The ways of a subscriber to a publisher. They are closures, made where the types are known, so that the code in them
/// is specialised.
@usableFromInline
struct PublisherAccess<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>

  @usableFromInline let delivery: @Sendable (_ revision: Int?, DifferenceDesk.Card) async -> Delivery<Section, Row>?
  @usableFromInline let leave: @Sendable (DifferenceDesk.Difference) async -> Void
  /// Makes differences.
  @usableFromInline let difference: @Sendable (Snapshot, Snapshot) -> ListChanges

  @inlinable
  init(_ publisher: some ListPublisher<Section, Row>) {
    delivery = { await publisher.delivery(after: $0, to: $1) }
    leave = { await publisher.leave($0) }
    difference = { $0.changes(to: $1) }
  }
}

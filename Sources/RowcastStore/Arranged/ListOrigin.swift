public import RowcastModel

/// Where arrangements and merges read a list: the part of a ``LiveList`` that is for this module alone.
public struct ListOrigin<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// Makes a node that reads the list.
  @usableFromInline let makeNode: @Sendable (Mailroom) -> ListNode<Section, Row>

  @inlinable
  init(makeNode: @escaping @Sendable (Mailroom) -> ListNode<Section, Row>) {
    self.makeNode = makeNode
  }

  /// The list of a store.
  @inlinable
  init(core: StoreCore<Section, Row>) {
    self.init { mailroom in
      let mailbox = mailroom.mailbox(for: core)
      var last: ListState<Section, Row>?
      return ListNode(
        pull: {
          guard let revision = mailbox.revision, revision != last?.revision, let snapshot = mailbox.value else {
            return nil
          }
          let before = last?.snapshot
          last = ListState(snapshot: snapshot, revision: revision)
          return ListStep(before: before, after: snapshot)
        },
        snapshot: { last?.snapshot ?? ListSnapshot() },
        failures: { [:] })
    }
  }
}

extension StoreCore: NewsSource {
  @inlinable static var hasRows: Bool { true }

  @inlinable
  final func news(after revision: Int?) -> News<ListSnapshot<Section, Row>>? {
    if state.revision == revision, !isFinished { return nil }
    return News(state.snapshot, revision: state.revision, isFinal: isFinished)
  }

  @usableFromInline
  final func enter(_ bell: WaitingRoom.Bell, after revision: Int) -> Int? {
    isFinished || state.revision != revision ? nil : room.enter(bell)
  }

  @usableFromInline
  final func leave(_ waiter: Int) { room.leave(waiter) }
}

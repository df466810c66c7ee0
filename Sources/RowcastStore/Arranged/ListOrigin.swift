public import RowcastModel

/// Where arrangements and merges read a list: the part of a ``LiveList`` that is for this module alone.
public struct ListOrigin<Section: SectionViewModel, Row: RowViewModel>: Sendable {
  /// Makes a node that reads the list.
  @usableFromInline let makeNode: @Sendable (Mailroom) -> ListNode<Section, Row>

  @usableFromInline
  init(makeNode: @escaping @Sendable (Mailroom) -> ListNode<Section, Row>) {
    self.makeNode = makeNode
  }

  /// The list of a store.
  init(core: StoreCore<Section, Row>) {
    self.init { mailroom in
      let mailbox = mailroom.mailbox(for: core)
      var last: News<ListSnapshot<Section, Row>>?
      return ListNode(
        pull: {
          let before = last
          guard let news = mailbox.news, news.revision != before?.revision else { return nil }
          last = news
          return ListStep(before: before?.value, after: news.value)
        },
        snapshot: { last?.value ?? ListSnapshot() },
        failures: { [:] })
    }
  }
}

extension StoreCore: NewsSource {
  @usableFromInline static var hasRows: Bool { true }

  @usableFromInline
  func news() -> News<ListSnapshot<Section, Row>> {
    News(state.snapshot, revision: state.revision, isFinal: isFinished)
  }

  @usableFromInline
  func enter(_ bell: WaitingRoom.Bell, after revision: Int) -> Int? {
    isFinished || state.revision != revision ? nil : room.enter(bell)
  }

  @usableFromInline
  func leave(_ waiter: Int) { room.leave(waiter) }
}

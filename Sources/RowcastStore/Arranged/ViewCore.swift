import RowcastDiff
public import RowcastModel

/// Keeps a list that is made of others, by bringing it up to date when somebody asks.
///
/// Nothing runs between two questions: sources do not know that they are read, unless somebody waits for their news.
/// All who watch the list share what is computed for the first of them.
@usableFromInline
actor ViewCore<Section: SectionViewModel, Row: RowViewModel>: ListPublisher {
  private let origin: ListOrigin<Section, Row>
  @usableFromInline nonisolated let desk = DifferenceDesk()
  private let mailroom = Mailroom()
  /// The end of the chain of operators, as soon as somebody has asked.
  private var node: ListNode<Section, Row>?
  private var current: ListState<Section, Row>?

  @usableFromInline
  init(_ origin: ListOrigin<Section, Row>) {
    self.origin = origin
  }

  /// The list as it is now.
  @usableFromInline
  func state() async -> ListState<Section, Row> {
    await fetch()
    return pull()
  }

  /// The rows that are missing in the list as it is now because a mapping failed.
  @usableFromInline
  func failures() async -> [Row.ID: any Error] {
    _ = await state()
    return node?.failures() ?? [:]
  }

  @usableFromInline
  func state(after revision: Int?) async -> ListState<Section, Row>? {
    while true {
      await fetch()
      let newest = pull()
      if newest.revision != revision { return newest }
      if !mailroom.mailboxes.contains(where: { $0.awaitsRows }) { return nil }
      // Others may pull while this one is on its way to the sources: what it has seen is what was pulled just now.
      await nextNews(since: mailroom.mailboxes.map { ($0, $0.revision ?? -1) })
      if Task.isCancelled { return nil }
    }
  }

  private func fetch() async {
    if node == nil { node = origin.makeNode(mailroom) }
    for mailbox in mailroom.mailboxes { await mailbox.fetch(isolation: self) }
  }

  /// Makes what is to be made of the news that are here, all at once.
  private func pull() -> ListState<Section, Row> {
    let step = node?.pull()
    if let current, step == nil { return current }
    // The sum never falls, and rises with each change: it is a revision, and that of the source if there is one.
    let revision = mailroom.mailboxes.reduce(0) { $0 + ($1.revision ?? 0) }
    let newest = ListState(snapshot: step?.after ?? ListSnapshot(), revision: revision)
    current = newest
    return newest
  }

  /// Suspends until there is news after some revisions, or the calling task is cancelled.
  private func nextNews(since seen: [(mailbox: any AnyMailbox, revision: Int)]) async {
    let (rings, bell) = AsyncStream.makeStream(of: Void.self)
    var tickets: [Ticket] = []
    for (mailbox, revision) in seen where !mailbox.isFinal {
      guard let ticket = await mailbox.enter(bell, after: revision, isolation: self) else {
        bell.finish()
        break
      }
      tickets.append(ticket)
    }
    // A cancelled task is woken by the stream itself.
    for await _ in rings {}
    for ticket in tickets { await ticket.leave() }
  }
}

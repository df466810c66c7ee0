import RowcastDiff
public import RowcastModel

/// Keeps a list that is made of others, by bringing it up to date when somebody asks.
///
/// Nothing runs between two questions: sources do not know that they are read, unless somebody waits for their news.
/// All who watch the list share what is computed for the first of them; who arranges it anew meanwhile waits.
@usableFromInline
actor ViewCore<Section: SectionViewModel, Row: RowViewModel>: ListPublisher {
  /// Runs where its neighbour runs: who asks the one for something has no way to go to the other.
  @usableFromInline nonisolated let unownedExecutor: UnownedSerialExecutor
  private let neighbour: any Actor
  @usableFromInline final var desk = DifferenceDesk()
  @usableFromInline let mailroom: Mailroom
  /// The end of the chain of operators.
  @usableFromInline let node: ListNode<Section, Row>
  @usableFromInline final var current: ListState<Section, Row>?

  /// - Parameters:
  ///   - origin: What makes the chain of operators.
  ///   - neighbour: An actor that is asked each time that this one is.
  @usableFromInline
  init(_ origin: ListOrigin<Section, Row>, beside neighbour: any Actor = LoneActor()) {
    self.neighbour = neighbour
    unownedExecutor = neighbour.unownedExecutor
    mailroom = Mailroom()
    node = origin.makeNode(mailroom)
  }

  /// The list as it is now.
  @inlinable
  final func state() async -> ListState<Section, Row> {
    await fetch()
    return pull()
  }

  /// The rows that are missing in the list as it is now because a mapping failed.
  @usableFromInline
  final func failures() async -> [Row.ID: any Error] {
    _ = await state()
    return node.failures()
  }

  @inlinable
  final func state(after revision: Int?) async -> ListState<Section, Row>? {
    while true {
      // Other readers empty the mailboxes, too: only what is fetched when the end is known already is all there is.
      let isLast = !mailroom.awaitsRows
      await fetch()
      let newest = pull()
      if newest.revision != revision { return newest }
      if isLast { return nil }
      // What this one has seen is what was pulled just now, whatever others pull while it is on its way to the sources.
      if mailroom.awaitsRows { await nextNews(since: mailroom.seen) }
      if Task.isCancelled { return nil }
    }
  }

  @inlinable
  final func fetch() async { for route in mailroom.routes { await route.fetch() } }

  /// Makes what is to be made of the news that are here, all at once.
  @inlinable
  final func pull() -> ListState<Section, Row> {
    let step = node.pull()
    if let current, step == nil { return current }
    let newest = ListState(snapshot: step?.after ?? ListSnapshot(), revision: mailroom.revision)
    current = newest
    return newest
  }

  /// Suspends until there is news after some revisions, or the calling task is cancelled.
  @usableFromInline
  final func nextNews(since seen: [(route: Mailroom.Route, revision: Int)]) async {
    let (rings, bell) = AsyncStream.makeStream(of: Void.self)
    var tickets: [Ticket] = []
    for (route, revision) in seen {
      guard let ticket = await route.enter(bell, revision) else {
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

/// An actor that does nothing, for those to run beside who have no other neighbour.
@usableFromInline
actor LoneActor {
  @inlinable
  init() {}
}

/// Something that an arranged list reads, and that can ring when there is news: a store, or another arrangement.
@usableFromInline
protocol NewsSource<Value>: Actor {
  associatedtype Value: Sendable

  /// Whether rows come from here. When all such sources have come to their end nothing follows.
  static var hasRows: Bool { get }
  /// The newest value, unless it is that of a revision, and others will follow.
  func news(after revision: Int?) -> News<Value>?
  /// Has a bell rung at the next news.
  ///
  /// - Returns: What to ``leave(_:)`` as later; nothing if there is news already, or none will come.
  func enter(_ bell: WaitingRoom.Bell, after revision: Int) -> Int?
  /// Ends the wait for news, whether the bell was rung or not.
  func leave(_ waiter: Int)
}

/// A value and the number of the change that made it.
@usableFromInline
struct News<Value: Sendable>: Sendable {
  @usableFromInline let value: Value
  @usableFromInline let revision: Int
  /// Whether it is the last.
  @usableFromInline let isFinal: Bool

  @inlinable
  init(_ value: Value, revision: Int, isFinal: Bool) {
    self.value = value
    self.revision = revision
    self.isFinal = isFinal
  }
}

/// Where an arranged list keeps the news of one source that it was last brought up to, whatever they are about.
@usableFromInline
class AnyMailbox {
  /// The actor that the news come from.
  let sourceID: ObjectIdentifier
  /// Whether rows come from there.
  let hasRows: Bool
  /// The revision of the news; `nil` before the first.
  @usableFromInline final var revision: Int?
  /// Whether the news are the last.
  @usableFromInline final var isFinal = false

  /// Whether rows may still come.
  var awaitsRows: Bool { hasRows && !isFinal }

  @usableFromInline
  init(sourceID: ObjectIdentifier, hasRows: Bool) {
    self.sourceID = sourceID
    self.hasRows = hasRows
  }
}

/// A mailbox with its news. All operators read the same mailbox: what they make of one source is made of one revision.
@usableFromInline
final class Mailbox<Value: Sendable>: AnyMailbox {
  @usableFromInline var value: Value?

  /// Takes the newest news in, unless another reader came back first with later ones.
  @inlinable
  func take(_ news: News<Value>) {
    if let revision, isFinal || news.revision < revision { return }
    value = news.value
    revision = news.revision
    isFinal = news.isFinal
  }
}

/// A place in somebody's waiting room.
@usableFromInline
struct Ticket: Sendable {
  /// Gives it up.
  @usableFromInline let leave: @Sendable () async -> Void

  @inlinable
  init(leave: @escaping @Sendable () async -> Void) {
    self.leave = leave
  }
}

/// The mailboxes of one arranged list, one for each source, and the ways to their sources.
@usableFromInline
final class Mailroom {
  /// The way to one source. It is made of closures, made where the types are known, so that the code in them is
  /// specialised.
  @usableFromInline
  struct Route {
    @usableFromInline let mailbox: AnyMailbox
    /// Brings the newest news to the mailbox.
    @usableFromInline let fetch: nonisolated(nonsending) () async -> Void
    /// Has a bell rung at news after some revision, and gives back what takes that back; see ``NewsSource``.
    @usableFromInline let enter: @Sendable (WaitingRoom.Bell, _ revision: Int) async -> Ticket?

    @inlinable
    init(
      _ mailbox: AnyMailbox, fetch: nonisolated(nonsending) @escaping () async -> Void,
      enter: @escaping @Sendable (WaitingRoom.Bell, _ revision: Int) async -> Ticket?
    ) {
      self.mailbox = mailbox
      self.fetch = fetch
      self.enter = enter
    }
  }

  /// Those for rows stand first. They are walked in this order: who knows that no more rows come has then seen every
  /// arrangement from before the end.
  @usableFromInline private(set) var routes: [Route] = []

  @inlinable
  init() {}

  /// The revisions of all news together. The sum never falls, and rises with each change: it is a revision, and that of
  /// the source if there is one.
  @usableFromInline var revision: Int { routes.reduce(0) { $0 + ($1.mailbox.revision ?? 0) } }

  /// The sources from which news may still come, and the revisions of the last.
  @usableFromInline var seen: [(route: Route, revision: Int)] {
    routes.filter { !$0.mailbox.isFinal }.map { ($0, $0.mailbox.revision ?? -1) }
  }

  /// Whether rows may still come.
  @usableFromInline var awaitsRows: Bool { routes.contains { $0.mailbox.awaitsRows } }

  /// The mailbox for a source, the same one for all who ask.
  @inlinable
  func mailbox<Source: NewsSource>(for source: Source) -> Mailbox<Source.Value> {
    if let known = known(ObjectIdentifier(source)) as? Mailbox<Source.Value> { return known }
    let mailbox = Mailbox<Source.Value>(sourceID: ObjectIdentifier(source), hasRows: Source.hasRows)
    add(
      Route(
        mailbox,
        fetch: {
          if !mailbox.isFinal, let news = await source.news(after: mailbox.revision) { mailbox.take(news) }
        },
        enter: { bell, revision in
          guard let waiter = await source.enter(bell, after: revision) else { return nil }
          return Ticket { await source.leave(waiter) }
        }))
    return mailbox
  }

  @usableFromInline
  func known(_ sourceID: ObjectIdentifier) -> AnyMailbox? { routes.first { $0.mailbox.sourceID == sourceID }?.mailbox }

  @usableFromInline
  func add(_ route: Route) { routes.insert(route, at: route.mailbox.hasRows ? 0 : routes.count) }
}

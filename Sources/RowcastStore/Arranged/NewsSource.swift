/// Something that an arranged list reads, and that can ring when there is news: a store, or another arrangement.
@usableFromInline
protocol NewsSource<Value>: Actor {
  associatedtype Value: Sendable

  /// Whether rows come from here. When all such sources have come to their end nothing follows.
  static var hasRows: Bool { get }
  /// The newest value.
  func news() -> News<Value>
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
  @usableFromInline var value: Value
  @usableFromInline var revision: Int
  /// Whether it is the last.
  @usableFromInline var isFinal: Bool

  @usableFromInline
  init(_ value: Value, revision: Int, isFinal: Bool) {
    self.value = value
    self.revision = revision
    self.isFinal = isFinal
  }
}

/// Where an arranged list keeps the news of one source that it was last brought up to.
///
/// All operators read the same mailbox: what they make of one source is made of one revision.
@usableFromInline
final class Mailbox<Source: NewsSource> {
  @usableFromInline let source: Source
  @usableFromInline var news: News<Source.Value>?

  @usableFromInline
  init(_ source: Source) {
    self.source = source
  }
}

/// A mailbox, whatever its news are about.
protocol AnyMailbox: AnyObject {
  /// The actor that the news come from.
  var sourceID: ObjectIdentifier { get }
  /// The revision of the news; `nil` before the first.
  var revision: Int? { get }
  /// Whether the news are the last.
  var isFinal: Bool { get }
  /// Whether rows may still come.
  var awaitsRows: Bool { get }
  /// Gets the newest news.
  func fetch(isolation: isolated any Actor) async
  /// Has a bell rung at news after some revision, and gives back what takes that back; see ``NewsSource``.
  func enter(_ bell: WaitingRoom.Bell, after revision: Int, isolation: isolated any Actor) async -> Ticket?
}

/// A place in somebody's waiting room.
struct Ticket: Sendable {
  /// Gives it up.
  let leave: @Sendable () async -> Void
}

extension Mailbox: AnyMailbox {
  var sourceID: ObjectIdentifier { ObjectIdentifier(source) }
  var revision: Int? { news?.revision }
  var isFinal: Bool { news?.isFinal ?? false }
  var awaitsRows: Bool { Source.hasRows && !isFinal }

  func fetch(isolation: isolated any Actor) async {
    let newest = await source.news()
    // Another reader may have come back first, with later news.
    if let news, news.isFinal || newest.revision < news.revision { return }
    news = newest
  }

  func enter(_ bell: WaitingRoom.Bell, after revision: Int, isolation: isolated any Actor) async -> Ticket? {
    let source = source
    guard let waiter = await source.enter(bell, after: revision) else { return nil }
    return Ticket { await source.leave(waiter) }
  }
}

/// The mailboxes of one arranged list, one for each source.
@usableFromInline
final class Mailroom {
  /// Those for rows stand first. They are emptied in this order: who knows that no more rows come has then seen every
  /// arrangement from before the end.
  private(set) var mailboxes: [any AnyMailbox] = []

  init() {}

  /// The mailbox for a source, the same one for all who ask.
  @usableFromInline
  func mailbox<Source: NewsSource>(for source: Source) -> Mailbox<Source> {
    let known = mailboxes.first { $0.sourceID == ObjectIdentifier(source) }
    if let known = known as? Mailbox<Source> { return known }
    let mailbox = Mailbox(source)
    mailboxes.insert(mailbox, at: Source.hasRows ? 0 : mailboxes.count)
    return mailbox
  }
}

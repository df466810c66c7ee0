public import RowcastDiff

/// Where the subscribers of one list leave the differences that they make, for others at the same place to take; part
/// of the actor whose list it is.
///
/// Each difference is made once, by the first subscriber who wants it and in its own time; who comes meanwhile waits.
/// Nothing is locked and nobody waits for a difference that is not his. The desk keeps none of them alive: that do
/// the subscribers, until their next. Who is the only subscriber leaves nothing.
@usableFromInline
struct DifferenceDesk: Sendable {
  /// A difference from one revision to another.
  @usableFromInline
  final class Difference: Sendable {
    @usableFromInline let span: Range<Int>
    @usableFromInline let changes: ListChanges

    @usableFromInline
    init(_ changes: ListChanges, over span: Range<Int>) {
      self.changes = changes
      self.span = span
    }
  }

  /// What a subscriber is told who wants a difference.
  @usableFromInline
  enum Answer: Sendable {
    /// Somebody has made it.
    case made(Difference)
    /// Somebody is making it: who wants it has to ``DifferenceDesk/await(_:_:)`` it.
    case isBeingMade
    /// He has to make it, for himself alone.
    case make
    /// He has to make it and to ``DifferenceDesk/leave(_:)`` it.
    case makeAndLeave
  }

  /// Stands for a subscriber, as long as he is there.
  @usableFromInline
  final class Card: Sendable {
    @usableFromInline
    init() {}
  }

  private struct Seat: Sendable {
    weak var card: Card?
  }

  private weak var newest: Difference?
  /// Who waits for the differences that are being made.
  private var queues: [Range<Int>: [CheckedContinuation<Difference, Never>]] = [:]
  /// The subscribers who have got the list, and some who are gone: no more than were here at once, and as many again.
  private var seats: [Seat] = []
  /// How many seats there may be before those of subscribers who are gone are cleared.
  private var mostSeats = 8
  /// The number of differences that were left here. For tests.
  private(set) var madeCount = 0

  init() {}

  /// The number of seats, taken or not. For tests.
  var seatCount: Int { seats.count }

  /// Whether no difference is alive on account of a subscriber. For tests.
  var keepsNothing: Bool { newest == nil && queues.isEmpty }

  /// Takes in a subscriber, who has just got the whole list.
  @usableFromInline
  mutating func admit(_ card: Card) {
    if seats.count >= mostSeats {
      seats.removeAll { $0.card == nil }
      mostSeats = max(8, 2 * seats.count)
    }
    seats.append(Seat(card: card))
  }

  /// Whether there is no more than one subscriber.
  private mutating func hasOneSubscriber() -> Bool {
    while seats.count > 1 {
      if seats[seats.count - 1].card == nil {
        seats.removeLast()
      } else if seats[seats.count - 2].card == nil {
        seats.remove(at: seats.count - 2)
      } else {
        return false
      }
    }
    return true
  }

  /// Says where the difference over a span of revisions is to be had.
  @usableFromInline
  mutating func ask(over span: Range<Int>) -> Answer {
    // Who comes later starts with the whole list, and never wants this difference.
    if hasOneSubscriber() { return .make }
    if let newest, newest.span == span { return .made(newest) }
    if queues[span] != nil { return .isBeingMade }
    queues[span] = []
    return .makeAndLeave
  }

  /// Notes somebody who waits for a difference that is being made.
  @usableFromInline
  mutating func await(_ span: Range<Int>, _ waiter: CheckedContinuation<Difference, Never>) {
    queues[span]?.append(waiter)
  }

  /// Hands a difference to those who wait for it and to those who come for it soon.
  @usableFromInline
  mutating func leave(_ difference: Difference) {
    newest = difference
    madeCount += 1
    for waiter in queues.removeValue(forKey: difference.span) ?? [] { waiter.resume(returning: difference) }
  }
}

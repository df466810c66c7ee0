import RowcastDiff

/// Where the subscribers of one store leave the differences that they make, for others at the same place to take.
///
/// Each difference is made once, by the first subscriber who wants it and in its own time; who comes meanwhile waits.
/// Nothing is locked and nobody waits for a difference that is not his. The desk keeps none of them alive: that do
/// the subscribers, until their next.
@usableFromInline
actor DifferenceDesk {
  /// A difference from one revision to another.
  final class Difference: Sendable {
    let span: Range<Int>
    let changes: ListChanges

    init(_ changes: ListChanges, over span: Range<Int>) {
      self.changes = changes
      self.span = span
    }
  }

  private weak var newest: Difference?
  /// Who waits for the differences that are being made.
  private var queues: [Range<Int>: [CheckedContinuation<Difference, Never>]] = [:]
  /// The number of differences that were left here. For tests.
  private(set) var madeCount = 0

  /// Whether no difference is alive on account of a subscriber. For tests.
  var keepsNothing: Bool { newest == nil && queues.isEmpty }

  /// The difference over a span of revisions, or `nil` if the caller has to make it, and then ``leave(_:)`` it.
  func take(over span: Range<Int>) async -> Difference? {
    if let newest, newest.span == span { return newest }
    if queues[span] == nil {
      queues[span] = []
      return nil
    }
    return await withCheckedContinuation { queues[span]?.append($0) }
  }

  /// Hands a difference to those who wait for it and to those who come for it soon.
  func leave(_ difference: Difference) {
    newest = difference
    madeCount += 1
    for waiter in queues.removeValue(forKey: difference.span) ?? [] { waiter.resume(returning: difference) }
  }
}

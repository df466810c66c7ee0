public import RowcastDiff

/// The newest difference that a subscriber of a list has made, for others that are at the same revision; part of the
/// actor whose list it is.
///
/// No task waits for a difference: a subscriber takes the one that is here, or makes its own. A lone subscriber stores
/// nothing: a difference is stored once a second subscriber needs the same one. The cache keeps no difference alive;
/// the subscribers that have it do, until their next.
@usableFromInline
package struct DifferenceCache: Sendable {
  /// A difference from one revision to another.
  @usableFromInline
  package final class Difference: Sendable {
    @usableFromInline let span: Range<Int>
    @usableFromInline let changes: ListChanges

    @usableFromInline
    init(_ changes: ListChanges, over span: Range<Int>) {
      self.changes = changes
      self.span = span
    }
  }

  /// What a subscriber learns that needs a difference.
  @usableFromInline
  package enum Answer: Sendable {
    /// The difference is here.
    case found(Difference)
    /// The subscriber makes it, and stores it if others want it, too.
    case missing(isWanted: Bool)
  }

  private weak var newest: Difference?
  /// The span that was last asked for in vain.
  private var missed: Range<Int>?
  /// The number of differences that were stored. For tests.
  package private(set) var storedCount = 0

  /// Creates an empty cache.
  @usableFromInline
  package init() {}

  /// Whether no difference is alive on account of a subscriber. For tests.
  package var isEmpty: Bool { newest == nil }

  /// Looks for a difference.
  ///
  /// - Parameter span: The revisions that it leads from and to.
  /// - Returns: The difference, or what the subscriber is to do.
  @usableFromInline
  package mutating func lookUp(_ span: Range<Int>) -> Answer {
    if let newest, newest.span == span { return .found(newest) }
    let isWanted = missed == span
    missed = span
    return .missing(isWanted: isWanted)
  }

  /// Stores a difference for others, unless there is one already that leads as far.
  @usableFromInline
  package mutating func store(_ difference: Difference) {
    if let newest, newest.span == difference.span || newest.span.upperBound > difference.span.upperBound { return }
    assert(!difference.span.isEmpty, "A difference leads from revision \(difference.span.lowerBound) to itself")
    newest = difference
    storedCount += 1
  }
}

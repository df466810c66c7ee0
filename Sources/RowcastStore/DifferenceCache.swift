public import RowcastDiff

/// The newest difference that a subscriber of a list has made, for others at the same revision. It is part of the actor
/// whose list it is.
///
/// No task waits for a difference: a subscriber takes the one that is here, or makes its own. It stores that only if another
/// subscriber has asked for the same one before, so a lone subscriber stores nothing. The cache keeps no difference alive;
/// the subscribers that have it do, until their next.
@usableFromInline
package struct DifferenceCache: Sendable {
  /// A difference, and the revisions that it leads from and to.
  @usableFromInline package typealias Difference = SharedBox<(span: Range<Int>, changes: ListChanges)>

  private(set) weak var newest: Difference?
  /// The span that was last looked up in vain.
  private var missed: Range<Int>?

  /// Creates an empty cache.
  @usableFromInline
  package init() {}

  /// Looks for the difference over a span of revisions.
  ///
  /// - Returns: The difference, if it is here; and true if it is to be stored once it is made.
  @usableFromInline
  package mutating func lookUp(_ span: Range<Int>) -> (difference: Difference?, isWanted: Bool) {
    if let newest, newest.value.span == span { return (newest, false) }
    defer { missed = span }
    return (nil, missed == span)
  }

  /// Stores a difference for others, unless there is one already that leads as far.
  @usableFromInline
  package mutating func store(_ difference: Difference) {
    let span = difference.value.span
    if let known = newest?.value.span, known == span || known.upperBound > span.upperBound { return }
    assert(!span.isEmpty, "A difference leads from revision \(span.lowerBound) to itself")
    newest = difference
  }
}

/// A value that several owners share.
@usableFromInline
package final class SharedBox<Value: Sendable>: Sendable {
  @usableFromInline package let value: Value

  @inlinable
  package init(_ value: Value) { self.value = value }
}

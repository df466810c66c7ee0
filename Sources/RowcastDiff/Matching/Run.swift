/// Neighbours in the old list that are neighbours, in the same order, in the new list.
@usableFromInline
struct Run: BitwiseCopyable {
  /// The position of the first element on the old line.
  @usableFromInline var old: Int32
  /// The position of the first element on the new line.
  @usableFromInline var new: Int32
  /// The number of positions on either line, at least 1.
  @usableFromInline var count: Int32
  /// The number of elements: more than positions where elements are shared. Negative if they move.
  @usableFromInline var weight: Int32

  /// A run whose elements have a position each.
  @inlinable
  @inline(__always)
  init(old: Int, new: Int, count: Int) { self.init(old: old, new: new, count: count, weight: count) }

  @inlinable
  @inline(__always)
  init(old: Int, new: Int, count: Int, weight: Int) {
    // Lines are shorter than `Int32.max`: `Matching` sees to that.
    self.old = Int32(truncatingIfNeeded: old)
    self.new = Int32(truncatingIfNeeded: new)
    self.count = Int32(truncatingIfNeeded: count)
    self.weight = Int32(truncatingIfNeeded: weight)
  }

  /// The positions on the old line.
  @inlinable
  @inline(__always)
  var oldRange: Range<Int> { Int(old)..<Int(old &+ count) }

  /// The positions on the new line.
  @inlinable
  @inline(__always)
  var newRange: Range<Int> { Int(new)..<Int(new &+ count) }

  @inlinable
  @inline(__always)
  var isMoving: Bool { weight < 0 }
}

/// An index before the change together with one after it.
@usableFromInline
package struct IndexPair: BitwiseCopyable {
  @usableFromInline package var old: Int
  @usableFromInline package var new: Int

  @inlinable
  @inline(__always)
  package init(old: Int, new: Int) {
    self.old = old
    self.new = new
  }
}

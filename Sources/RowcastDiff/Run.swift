/// Neighbours in the old list that are neighbours, in the same order, in the new list; inside one segment on each side.
@usableFromInline
struct Run {
  /// The position of the first element on the line of the old segments.
  @usableFromInline var old: Int32
  /// The position of the first element on the line of the new segments.
  @usableFromInline var new: Int32
  /// The number of elements, at least 1.
  @usableFromInline var count: Int32

  @inlinable
  @inline(__always)
  init(old: Int, new: Int, count: Int) {
    // Lines are shorter than `Int32.max`: `SegmentLine` sees to that.
    self.old = Int32(truncatingIfNeeded: old)
    self.new = Int32(truncatingIfNeeded: new)
    self.count = Int32(truncatingIfNeeded: count)
  }

  /// The positions of the elements on the line of the old segments.
  @inlinable
  @inline(__always)
  var oldRange: Range<Int> { Int(old)..<Int(old &+ count) }

  /// The positions of the elements on the line of the new segments.
  @inlinable
  @inline(__always)
  var newRange: Range<Int> { Int(new)..<Int(new &+ count) }
}

/// An index before the change together with one after it.
@usableFromInline
struct Place {
  @usableFromInline var old: Int
  @usableFromInline var new: Int

  @inlinable
  @inline(__always)
  init(old: Int, new: Int) {
    self.old = old
    self.new = new
  }
}

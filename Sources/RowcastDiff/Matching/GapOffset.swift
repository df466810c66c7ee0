/// Where a gap begins: in the list, and on its *line*, the concatenation of all gaps of a side.
///
/// A *position* on a line names an element of any gap by one number. All shared elements between a gap and the next together have
/// one position on each line.
@usableFromInline
struct GapOffset: BitwiseCopyable {
  /// The position of the first element, on either line.
  @usableFromInline var oldStart: Int32
  @usableFromInline var newStart: Int32
  /// The index of the section, on either side.
  @usableFromInline var oldSection: Int32
  @usableFromInline var newSection: Int32
  /// The index of the first element in its section, on either side.
  @usableFromInline var oldRow: Int32
  @usableFromInline var newRow: Int32
  /// The number of elements after those of the gap that are shared.
  @usableFromInline var sharedCount: Int32

  /// The end of both lines, after the last gap. Only its positions are read.
  @inlinable
  @inline(__always)
  init(end old: Int, _ new: Int) {
    self.init(
      start: IndexPair(old: old, new: new), section: IndexPair(old: 0, new: 0), row: IndexPair(old: 0, new: 0),
      sharedCount: 0)
  }

  @inlinable
  @inline(__always)
  init(start: IndexPair, section: IndexPair, row: IndexPair, sharedCount: Int) {
    (oldStart, newStart) = (Int32(start.old), Int32(start.new))
    (oldSection, newSection) = (Int32(section.old), Int32(section.new))
    (oldRow, newRow) = (Int32(row.old), Int32(row.new))
    self.sharedCount = Int32(sharedCount)
  }

  /// The position of the first element on either line.
  @inlinable
  @inline(__always)
  var start: IndexPair { IndexPair(old: Int(oldStart), new: Int(newStart)) }

  /// The path before the change of a position on the old line.
  @inline(__always)
  func path(ofOld position: Int) -> RowPath {
    RowPath(section: Int(oldSection), row: Int(oldRow) + position - Int(oldStart))
  }

  /// The path after the change of a position on the new line.
  @inline(__always)
  func path(ofNew position: Int) -> RowPath {
    RowPath(section: Int(newSection), row: Int(newRow) + position - Int(newStart))
  }
}

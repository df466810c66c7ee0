/// The stretches of two lists that are to be compared, each with its counterpart, in the order of the new list.
@usableFromInline
package protocol StretchList<Element> {
  associatedtype Element

  /// Whether there is one stretch on either side, whose positions are its indexes.
  static var isFlat: Bool { get }

  /// The number of stretches.
  var stretchCount: Int { get }

  /// Where a stretch stands.
  func extent(of stretch: Int) -> StretchExtent

  /// Lends the elements of a stretch before the change.
  func withOld<Result>(_ stretch: Int, _ body: (LentElements<Element>) -> Result) -> Result
  /// Lends the elements of a stretch after the change.
  func withNew<Result>(_ stretch: Int, _ body: (LentElements<Element>) -> Result) -> Result
}

/// Where a stretch stands in a list, and what both sides share behind it.
@usableFromInline
package struct StretchExtent {
  /// The number of its elements, on either side.
  @usableFromInline var count: IndexPair
  /// The index of its section, on either side.
  @usableFromInline var section: IndexPair
  /// The index of its first element in its section, on either side.
  @usableFromInline var row: IndexPair
  /// The number of elements behind the stretch, in its section, that are known to be the same on both sides.
  @usableFromInline var sharedCount: Int

  @inlinable
  package init(
    count: IndexPair, section: IndexPair = IndexPair(old: 0, new: 0), row: IndexPair = IndexPair(old: 0, new: 0),
    sharedCount: Int = 0
  ) {
    (self.count, self.section, self.row, self.sharedCount) = (count, section, row, sharedCount)
  }

  /// Counts all between this stretch and the next one as shared, if both are in one section.
  @inlinable
  package mutating func share(upTo next: StretchExtent) {
    if section.new == next.section.new { sharedCount = next.row.new - row.new - count.new }
  }
}

/// A stretch of a section that is to be compared with its counterpart, and what both sides share behind it.
@usableFromInline
package struct Stretch<Element> {
  /// The index of the section, on either side.
  @usableFromInline package let section: IndexPair
  /// The index of the first element in its section, on either side.
  @usableFromInline package let row: IndexPair
  /// The elements before the change.
  @usableFromInline package let old: [Element]
  /// The elements after the change.
  @usableFromInline package let new: [Element]
  /// The number of elements behind the stretch, in its section, that are known to be the same on both sides.
  @usableFromInline package var sharedCount: Int

  @inlinable
  package init(section: IndexPair, row: IndexPair, old: [Element], new: [Element], sharedCount: Int = 0) {
    (self.section, self.row, self.old, self.new) = (section, row, old, new)
    self.sharedCount = sharedCount
  }
}

/// Stretches of sections, each lent while it is read.
@usableFromInline
struct SectionStretches<Element>: StretchList {
  @usableFromInline let stretches: [Stretch<Element>]

  @inlinable
  init(_ stretches: [Stretch<Element>]) { self.stretches = stretches }

  @inlinable static var isFlat: Bool { false }

  @inlinable var stretchCount: Int { stretches.count }

  @inlinable
  func extent(of stretch: Int) -> StretchExtent {
    StretchExtent(
      count: IndexPair(old: stretches[stretch].old.count, new: stretches[stretch].new.count),
      section: stretches[stretch].section, row: stretches[stretch].row, sharedCount: stretches[stretch].sharedCount)
  }

  @inlinable
  @inline(__always)
  func withOld<Result>(_ stretch: Int, _ body: (LentElements<Element>) -> Result) -> Result {
    unsafe stretches[stretch].old.withUnsafeBufferPointer { unsafe body(LentElements($0)) }
  }

  @inlinable
  @inline(__always)
  func withNew<Result>(_ stretch: Int, _ body: (LentElements<Element>) -> Result) -> Result {
    unsafe stretches[stretch].new.withUnsafeBufferPointer { unsafe body(LentElements($0)) }
  }
}

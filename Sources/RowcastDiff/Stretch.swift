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
  @usableFromInline package var row: IndexPair
  /// The number of elements behind the stretch, in its section, that are known to be the same on both sides.
  @usableFromInline package var sharedCount: Int

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

/// A stretch of a section that is to be compared with its counterpart.
@usableFromInline
package struct Stretch<Element> {
  /// The elements before the change.
  @usableFromInline package let old: ContiguousArray<Element>
  /// The elements after the change.
  @usableFromInline package let new: ContiguousArray<Element>
  /// Where both stand.
  @usableFromInline package var extent: StretchExtent

  @inlinable
  package init(section: IndexPair, row: IndexPair, old: ContiguousArray<Element>, new: ContiguousArray<Element>) {
    (self.old, self.new) = (old, new)
    extent = StretchExtent(count: IndexPair(old: old.count, new: new.count), section: section, row: row)
  }
}

/// A stretch whose elements are lent.
@usableFromInline
package struct LentStretch<Element> {
  @usableFromInline let old: LentElements<Element>
  @usableFromInline let new: LentElements<Element>
  @usableFromInline package var extent: StretchExtent

  @inlinable
  @inline(__always)
  package init(old: LentElements<Element>, new: LentElements<Element>, extent: StretchExtent) {
    (self.old, self.new, self.extent) = (old, new, extent)
  }
}

/// One stretch, compared alone: its positions are its indexes.
///
/// It is read where it lies, in memory that holds for as long as the elements do. A copy of what was written just before
/// would wait until that is in the cache.
@usableFromInline
@safe
struct LoneStretch<Element>: StretchList {
  @usableFromInline let stretch: UnsafePointer<LentStretch<Element>>

  @inlinable
  @inline(__always)
  init(_ stretch: UnsafePointer<LentStretch<Element>>) { unsafe self.stretch = stretch }

  @inlinable static var isFlat: Bool { true }

  @inlinable var stretchCount: Int { 1 }

  @inlinable
  @inline(__always)
  func extent(of index: Int) -> StretchExtent { unsafe stretch.pointee.extent }

  @inlinable
  @inline(__always)
  func withOld<Result>(_ index: Int, _ body: (LentElements<Element>) -> Result) -> Result {
    unsafe body(stretch.pointee.old)
  }

  @inlinable
  @inline(__always)
  func withNew<Result>(_ index: Int, _ body: (LentElements<Element>) -> Result) -> Result {
    unsafe body(stretch.pointee.new)
  }
}

/// Stretches of sections whose elements are lent, in memory that holds for as long as the elements do.
@usableFromInline
@safe
package struct LentStretches<Element>: StretchList {
  @usableFromInline let stretches: UnsafeBufferPointer<LentStretch<Element>>

  @inlinable
  package init(_ stretches: UnsafeBufferPointer<LentStretch<Element>>) { unsafe self.stretches = stretches }

  @inlinable
  @inline(__always)
  subscript(stretch: Int) -> LentStretch<Element> {
    precondition(stretch < stretchCount, "There is no stretch \(stretch)")
    return unsafe stretches[stretch]
  }

  @inlinable static package var isFlat: Bool { false }

  @inlinable package var stretchCount: Int { unsafe stretches.count }

  @inlinable
  package func extent(of stretch: Int) -> StretchExtent { self[stretch].extent }

  @inlinable
  @inline(__always)
  package func withOld<Result>(_ stretch: Int, _ body: (LentElements<Element>) -> Result) -> Result {
    body(self[stretch].old)
  }

  @inlinable
  @inline(__always)
  package func withNew<Result>(_ stretch: Int, _ body: (LentElements<Element>) -> Result) -> Result {
    body(self[stretch].new)
  }
}

/// Lends the elements of some stretches for the length of a closure.
@inlinable
func withLentStretches<Element, Result>(
  of stretches: [Stretch<Element>], _ body: (LentStretches<Element>) -> Result
) -> Result {
  // Nobody changes the arrays, and they are held here for as long as they are read.
  withExtendedLifetime(stretches) {
    unsafe withUnsafeTemporaryAllocation(of: LentStretch<Element>.self, capacity: stretches.count) { memory in
      for index in stretches.indices {
        let stretch = stretches[index]
        unsafe memory.initializeElement(
          at: index,
          to: LentStretch(old: LentElements(stretch.old), new: LentElements(stretch.new), extent: stretch.extent))
      }
      return unsafe body(LentStretches(UnsafeBufferPointer(memory)))
    }
  }
}

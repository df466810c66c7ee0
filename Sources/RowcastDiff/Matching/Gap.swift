/// The elements of a section between those that both lists are known to share, before and after the change: what is compared. A
/// flat list is one gap.
///
/// Its elements are borrowed: whoever makes a gap keeps them alive for as long as it is read.
@usableFromInline
package struct Gap<Element>: BitwiseCopyable {
  /// The elements before the change.
  @usableFromInline package let old: BorrowedElements<Element>
  /// The elements after the change.
  @usableFromInline package let new: BorrowedElements<Element>
  /// The index of the section, on either side.
  @usableFromInline let section: IndexPair
  /// The index of the first element in its section, on either side.
  @usableFromInline package let row: IndexPair
  /// The number of elements after the gap, in its section, that are known to be the same on both sides.
  @usableFromInline package var sharedCount = 0

  @inlinable
  @inline(__always)
  package init(
    old: BorrowedElements<Element>, new: BorrowedElements<Element>, section: IndexPair = IndexPair(old: 0, new: 0),
    row: IndexPair = IndexPair(old: 0, new: 0)
  ) {
    (self.old, self.new, self.section, self.row) = (old, new, section, row)
  }
}

/// Pairs the elements of gaps, and passes the matching to `body`. The gaps are everything that is not known to be shared, in the
/// order of the list after the change.
@inlinable
@inline(__always)
func withMatching<Key: Identification, Result>(
  of gaps: BorrowedElements<Gap<Key.Element>>, _ key: Key, _ body: (inout Matching) -> Result
) -> Result {
  withScratch { scratch in
    var gapOffsets = scratch.array(of: GapOffset.self)
    gapOffsets.begin()
    for index in 0..<gaps.count { gapOffsets.add(gaps[index]) }
    var matching = Matching(gapOffsets, &scratch)
    Matcher(key, gaps).match(&matching)
    return body(&matching)
  }
}

/// Pairs the elements of two flat lists, and passes the matching to `body`.
@inlinable
@inline(__always)
func withMatching<Key: Identification, Result>(
  of old: some RandomAccessCollection<Key.Element>, _ new: some RandomAccessCollection<Key.Element>, _ key: Key,
  _ body: (inout Matching) -> Result
) -> Result {
  withElements(of: old) { old in
    withElements(of: new) { new in
      unsafe withUnsafePointer(to: Gap(old: old, new: new)) {
        unsafe withMatching(of: BorrowedElements(UnsafeBufferPointer(start: $0, count: 1)), key, body)
      }
    }
  }
}

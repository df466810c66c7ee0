/// A stretch of a section that is compared with its counterpart in the other list.
///
/// Its elements are lent: whoever makes a stretch keeps them alive for as long as it is read.
@usableFromInline
package struct Stretch<Element>: BitwiseCopyable {
  /// The elements before the change.
  @usableFromInline package let old: LentElements<Element>
  /// The elements after the change.
  @usableFromInline package let new: LentElements<Element>
  /// The index of the section, on either side.
  @usableFromInline let section: IndexPair
  /// The index of the first element in its section, on either side.
  @usableFromInline package let row: IndexPair
  /// The number of elements behind the stretch, in its section, that are known to be the same on both sides.
  @usableFromInline package var sharedCount = 0

  @inlinable
  @inline(__always)
  package init(
    old: LentElements<Element>, new: LentElements<Element>, section: IndexPair = IndexPair(old: 0, new: 0),
    row: IndexPair = IndexPair(old: 0, new: 0)
  ) {
    (self.old, self.new, self.section, self.row) = (old, new, section, row)
  }
}

/// Pairs the elements of stretches, and hands the matching on. The stretches are everything that is not known to be shared, in
/// the order of the list after the change.
@inlinable
@inline(__always)
func withMatching<Key: Identification, Result>(
  of stretches: LentElements<Stretch<Key.Element>>, _ key: Key, _ body: (inout Matching) -> Result
) -> Result {
  withScratch { scratch in
    var segments = scratch.array(of: Segment.self)
    segments.begin()
    for index in 0..<stretches.count { segments.add(stretches[index]) }
    var matching = Matching(segments, &scratch)
    Matcher(key, stretches).match(&matching)
    return body(&matching)
  }
}

/// Pairs the elements of two flat lists, and hands the matching on.
@inlinable
@inline(__always)
func withMatching<Key: Identification, Result>(
  of old: some RandomAccessCollection<Key.Element>, _ new: some RandomAccessCollection<Key.Element>, _ key: Key,
  _ body: (inout Matching) -> Result
) -> Result {
  withLentElements(of: old) { old in
    withLentElements(of: new) { new in
      unsafe withUnsafePointer(to: Stretch(old: old, new: new)) {
        unsafe withMatching(of: LentElements(UnsafeBufferPointer(start: $0, count: 1)), key, body)
      }
    }
  }
}

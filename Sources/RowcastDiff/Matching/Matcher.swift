/// Finds the elements that are in both lists: the part of the differ that touches the user's types.
///
/// A flat list is one gap; a sectioned list has one for each range that is not known to be shared. Gap k is compared with gap k
/// of the other side. Equal ids are searched by the cheapest means first:
///
/// 1. The common elements at both ends of a gap and its counterpart are paired by comparing. Those between are followed
///    in step; short deletions and insertions are passed by looking a few elements ahead. If the rest begins with
///    the last element of the other side, it is followed backwards.
/// 2. In long unmatched ranges, every 32nd old id is hashed as an anchor; the new ids are looked up among the anchors,
///    and from each hit on both sides are followed again, forwards or backwards.
/// 3. The unmatched elements of all gaps are compared with each other if they are few; otherwise one hash table pairs them.
///
/// No id is hashed twice, except for anchors without a counterpart. All generic code is in this type, inlinable so that
/// it is specialised where it is used; it fills a ``Matching``, and everything after that works on integers.
@usableFromInline
struct Matcher<Key: Identification> {
  @usableFromInline typealias Elements = BorrowedElements<Key.Element>

  @usableFromInline let key: Key
  @usableFromInline let gaps: BorrowedElements<Gap<Key.Element>>

  @inlinable
  @inline(__always)
  init(_ key: Key, _ gaps: BorrowedElements<Gap<Key.Element>>) { (self.key, self.gaps) = (key, gaps) }

  /// Finds all survivors.
  @inlinable
  func match(_ matching: inout Matching) {
    // Following leaves long unmatched ranges only where it gave up.
    var longest = IndexPair(old: 0, new: 0)
    for gap in 0..<matching.gapCount {
      let rest = followGap(gap, &matching)
      longest = IndexPair(old: max(longest.old, rest.old), new: max(longest.new, rest.new))
    }
    matching.checkInvariants("following")
    if !matching.hasUnmatched { return }
    pairUnmatched(
      &matching, hasLongRanges: longest.old >= SparseAnchor.leastLength && longest.new >= SparseAnchor.leastLength)
    matching.checkInvariants("pairing unmatched elements")
  }

  @inlinable
  @inline(__always)
  func isSame(_ old: Key.Element, _ new: Key.Element) -> Bool { key.id(of: old) == key.id(of: new) }
}

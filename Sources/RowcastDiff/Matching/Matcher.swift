/// Finds the elements that are in both lists: the part of the differ that touches the user's types.
///
/// A list is a line of segments. A flat list has one; a sectioned list has one for each stretch that is not known to be
/// shared, and segment k is compared with segment k of the other side. Equal ids are looked for by the cheapest means
/// first:
///
/// 1. The common elements at both ends of a segment and its counterpart are paired by comparing. Those between are followed
///    in step; short deletions and insertions are passed by looking a few elements ahead. If the rest begins with
///    the last element of the other side, it is followed backwards.
/// 2. In long gaps, every 32nd old id is hashed as an anchor; the new ids are looked up among the anchors,
///    and from each hit on both sides are followed again, forwards or backwards.
/// 3. The leftovers of all segments are compared with each other if they are few, and else go through one hash table.
///
/// No id is hashed twice, save anchors whose counterpart is gone. All generic code is in this type, inlinable so that
/// it is specialised where it is used; it fills a ``Matching``, and everything after that works on integers.
@usableFromInline
struct Matcher<Key: Identification> {
  @usableFromInline typealias Elements = LentElements<Key.Element>

  @usableFromInline let key: Key
  @usableFromInline let stretches: LentElements<Stretch<Key.Element>>

  @inlinable
  @inline(__always)
  init(_ key: Key, _ stretches: LentElements<Stretch<Key.Element>>) { (self.key, self.stretches) = (key, stretches) }

  /// Finds all survivors.
  @inlinable
  func match(_ matching: inout Matching) {
    // Following leaves long gaps only where it gave up.
    var longest = IndexPair(old: 0, new: 0)
    for segment in 0..<matching.segmentCount {
      let rest = followSegment(segment, &matching)
      longest = IndexPair(old: max(longest.old, rest.old), new: max(longest.new, rest.new))
    }
    matching.checkInvariants("following")
    if !matching.hasLeftovers { return }
    matchLeftovers(
      &matching, hasLongGaps: longest.old >= Anchor.leastGap && longest.new >= Anchor.leastGap)
    matching.checkInvariants("matching leftovers")
  }

  @inlinable
  @inline(__always)
  func isSame(_ old: Key.Element, _ new: Key.Element) -> Bool { key.id(of: old) == key.id(of: new) }
}

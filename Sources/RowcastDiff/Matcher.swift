/// Finds the elements that are in both lists: the part of the differ that touches the user's types.
///
/// A list is a line of segments. A flat list has one; a sectioned list has one for each section that is in both lists,
/// segment k being the same section on both sides. Equal ids are looked for by the cheapest means first:
///
/// 1. Each segment is followed in step with its counterpart, by comparing; short deletions and insertions are passed by
///    looking a few elements ahead. Where that gives up, what is common at the end is trimmed.
/// 2. In what is left, every 32nd old id is hashed as an anchor; the new ids are looked up among the anchors, and from
///    each hit on both sides are followed in step again.
/// 3. What is left of all segments goes through one hash table.
///
/// No id is hashed twice, save anchors whose counterpart is gone. All generic code is in this type, inlinable so that
/// it is specialised where it is used; it hands over a ``Matching``, and everything after that works on integers.
@usableFromInline
struct Matcher<Key: Identification, Rows: ContiguousRows>: ~Copyable where Rows.Element == Key.Element {
  @usableFromInline typealias Elements = UnsafeBufferPointer<Key.Element>

  @usableFromInline let old: [Rows]
  @usableFromInline let new: [Rows]
  @usableFromInline var matching: Matching
  @usableFromInline var hasher = IDHasher<Key.ID>()

  /// Matches two lists of as many segments.
  @inlinable
  init(old: [Rows], new: [Rows]) {
    self.old = old
    self.new = new
    matching = Matching(oldCounts: old.map { $0.count }, newCounts: new.map { $0.count })
    // Following leaves short gaps only, but for where it gave up.
    var rest = Place(old: 0, new: 0)
    for segment in 0..<old.count {
      let left = followSegment(segment)
      rest = Place(old: Swift.max(rest.old, left.old), new: Swift.max(rest.new, left.new))
    }
    guard matching.hasLeftoversOnBothSides else {
      matching.complete()
      return
    }
    let isFragmented = rest.old < LeftoverPool.leastGap || rest.new < LeftoverPool.leastGap
    var pool = LeftoverPool(matching, isFragmented: isFragmented)
    if !isFragmented { followAnchors(in: &pool) }
    if pool.oldGaps.isEmpty { pool.forgetTags() } else { matchByHashing(&pool) }
    matching.complete(with: pool)
  }

  @inlinable
  @inline(__always)
  func isSame(_ old: Key.Element, _ new: Key.Element) -> Bool { Key.id(of: old) == Key.id(of: new) }
}

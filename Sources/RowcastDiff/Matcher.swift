/// Finds the elements that are in both lists: the part of the differ that touches the user's types.
///
/// A list is a line of segments. A flat list has one; a sectioned list has one for each stretch that is not known to be
/// shared, segment k being compared with segment k of the other side. Equal ids are looked for by the cheapest means
/// first:
///
/// 1. What is common at both ends of a segment and its counterpart is paired, by comparing. What is between is followed
///    in step; short deletions and insertions are passed by looking a few elements ahead. If what is left begins with
///    the last element of the other side, it is followed backwards.
/// 2. In long gaps that are left, every 32nd old id is hashed as an anchor; the new ids are looked up among the anchors,
///    and from each hit on both sides are followed again, forwards or backwards.
/// 3. What is left of all segments is compared if it is little, and else goes through one hash table.
///
/// No id is hashed twice, save anchors whose counterpart is gone. All generic code is in this type, inlinable so that
/// it is specialised where it is used; it fills a ``Matching``, and everything after that works on integers.
@usableFromInline
struct Matcher<Key: Identification, Lists: StretchList> where Lists.Element == Key.Element {
  @usableFromInline typealias Elements = LentElements<Key.Element>

  @usableFromInline let key: Key
  @usableFromInline let lists: Lists

  @inlinable
  @inline(__always)
  init(_ key: Key, _ lists: Lists) { (self.key, self.lists) = (key, lists) }

  /// Finds all survivors.
  @inlinable
  func match(_ matching: inout Matching) {
    // Following leaves short gaps only, but for where it gave up.
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

  /// The index in its segment of a position on the old line, whose segment is guessed and set right.
  @inlinable
  @inline(__always)
  func oldIndex(of position: Int, in segment: inout Int, _ segments: borrowing ScratchArray<Segment>) -> Int {
    if Lists.isFlat { return position }
    segment = segments.index(ofOld: position, guess: segment)
    return position - segments[segment].start.old
  }

  /// The index in its segment of a position on the new line, whose segment is guessed and set right.
  @inlinable
  @inline(__always)
  func newIndex(of position: Int, in segment: inout Int, _ segments: borrowing ScratchArray<Segment>) -> Int {
    if Lists.isFlat { return position }
    segment = segments.index(ofNew: position, guess: segment)
    return position - segments[segment].start.new
  }

  /// The id at a position on the old line, whose segment is guessed and set right.
  @inlinable
  @inline(__always)
  func oldID(at position: Int, in segment: inout Int, _ segments: borrowing ScratchArray<Segment>) -> Key.ID {
    let index = oldIndex(of: position, in: &segment, segments)
    return lists.withOld(segment) { key.id(of: $0[index]) }
  }

  /// The id at a position on the new line, whose segment is guessed and set right.
  @inlinable
  @inline(__always)
  func newID(at position: Int, in segment: inout Int, _ segments: borrowing ScratchArray<Segment>) -> Key.ID {
    let index = newIndex(of: position, in: &segment, segments)
    return lists.withNew(segment) { key.id(of: $0[index]) }
  }

  /// Compares the contents of two elements that are the same, and notes a change.
  @inlinable
  @inline(__always)
  func compareContents(
    _ old: Int, _ oldSegment: inout Int, _ new: Int, _ newSegment: inout Int,
    _ segments: borrowing ScratchArray<Segment>, _ changed: borrowing BitSet
  ) {
    let oldIndex = oldIndex(of: old, in: &oldSegment, segments)
    let newIndex = newIndex(of: new, in: &newSegment, segments)
    let isEqual = lists.withOld(oldSegment) { old in
      lists.withNew(newSegment) { new in key.hasSameContent(old[oldIndex], new[newIndex]) }
    }
    if !isEqual { changed.insert(new) }
  }
}

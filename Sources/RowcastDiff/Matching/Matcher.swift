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
  init(_ key: Key, _ gaps: BorrowedElements<Gap<Key.Element>>) { (self.key, self.gaps) = (key, gaps) }

  /// Finds all survivors.
  @inlinable
  func match(_ matching: inout Matching) {
    // Following leaves long unmatched ranges only where it gave up. Anchors save hashing only if both sides have such.
    var longest = IndexPair(old: 0, new: 0)
    for index in 0..<gaps.count {
      let rest = follow(gaps[index], &matching)
      longest = IndexPair(old: max(longest.old, rest.old), new: max(longest.new, rest.new))
    }
    matching.checkInvariants("following")
    if !matching.hasUnmatched { return }
    pairUnmatched(&matching, hasLongRanges: min(longest.old, longest.new) >= 2 * Matching.anchorSpacing)
    matching.checkInvariants("pairing unmatched elements")
  }

  @inlinable
  func isSame(_ old: Key.Element, _ new: Key.Element) -> Bool { key.id(of: old) == key.id(of: new) }
}

extension Matcher {
  /// Pairs the common ends of a gap, and follows the elements between for as long as comparing is enough.
  ///
  /// - Returns: The number of elements that are left on either side.
  @inlinable
  func follow(_ gap: Gap<Key.Element>, _ matching: inout Matching) -> IndexPair {
    let end = IndexPair(old: gap.old.count, new: gap.new.count)
    let limit = min(end.old, end.new)
    // If one block was inserted or deleted, its length is the difference of both counts. Trying that first finds it even if ids
    // occur twice.
    let block = IndexPair(old: end.old - limit, new: end.new - limit)
    var place = IndexPair(old: 0, new: 0)
    followInStep(gap, from: &place, to: end, step: 1, block: block, patience: 0, &matching)
    var rest = IndexPair(old: end.old - place.old, new: end.new - place.new)
    if rest.old > 0, rest.new > 0 { rest = followBack(gap, to: place, &matching) }
    let sharedCount = Int(gap.offset.sharedCount)
    if sharedCount > 0 {
      matching.add(Run(old: gap.end.old - 1, new: gap.end.new - 1, count: 1, weight: sharedCount))
    }
    return IndexPair(old: max(block.old, rest.old), new: max(block.new, rest.new))
  }

  /// Pairs the common end of both sides, back to a place, and then the elements between if they are reversed.
  ///
  /// - Returns: The number of elements that are left on either side.
  @inlinable
  func followBack(_ gap: Gap<Key.Element>, to place: IndexPair, _ matching: inout Matching) -> IndexPair {
    let tail = commonEnd(gap, from: place, &matching)
    let end = IndexPair(old: gap.old.count - tail, new: gap.new.count - tail)
    var rest = IndexPair(old: end.old - place.old, new: end.new - place.new)
    if rest.old > 0, rest.new > 0, isSame(gap.old[end.old - 1], gap.new[place.new]) {
      var back = IndexPair(old: end.old - 1, new: place.new)
      followInStep(
        gap, from: &back, to: IndexPair(old: place.old - 1, new: end.new), step: -1, patience: 2, &matching)
      rest = IndexPair(old: back.old - place.old + 1, new: end.new - back.new)
      matching.isInOrder = false
    }
    if tail > 0 { add(tail, at: end, of: gap, step: 1, &matching) }
    return rest
  }

  /// Walks up both sides in step, past deletions and insertions, until these need too long a search; or down the old side and up
  /// the new one, if `step` is -1.
  ///
  /// It begins at `place` and leaves there the indexes at which it ended. At the first mismatch it skips `block`, if then two
  /// agree. The search ahead begins after `patience` agreeing elements: a stray hit in a shuffled list has no neighbours.
  @inlinable
  func followInStep(
    _ gap: Gap<Key.Element>, from place: inout IndexPair, to end: IndexPair, step: Int,
    block: IndexPair = IndexPair(old: 0, new: 0), patience: Int, _ matching: inout Matching
  ) {
    var (block, patience) = (block, patience)
    while true {
      let limit = min((end.old - place.old) * step, end.new - place.new)
      let count = walkInStep(gap, from: place, limit: limit, step, &matching)
      if count > 0 { add(count, at: place, of: gap, step: step, &matching) }
      place.old += count * step
      place.new += count
      if count == limit || count < patience { return }
      if block.old + block.new == 0 || !isSame(gap.old[place.old + block.old], gap.new[place.new + block.new]) {
        guard let skip = lookAhead(gap, from: place, to: end, step) else { return }
        block = skip
      }
      place.old += block.old * step
      place.new += block.new
      (block, patience) = (IndexPair(old: 0, new: 0), 0)
    }
  }

  /// The number of elements that agree in a row. Their contents are compared here, while they are in the cache.
  @inlinable
  func walkInStep(
    _ gap: Gap<Key.Element>, from place: IndexPair, limit: Int, _ step: Int, _ matching: inout Matching
  ) -> Int {
    let (new, start) = (gap.new.part(place.new, limit), gap.offset.start.new &+ place.new)
    return step > 0
      ? walkUp(gap.old.part(place.old, limit), new, start, &matching)
      : walkDown(gap.old.part(place.old - limit + 1, limit), new, start, &matching)
  }

  /// The number of elements that agree, upwards on both sides.
  ///
  /// It is not inlined: the loop needs all registers.
  @inlinable
  @inline(never)
  func walkUp(_ old: Elements, _ new: Elements, _ start: Int, _ matching: inout Matching) -> Int {
    var index = 0
    while index < new.count, isSame(old[index], new[index]) {
      if !isUnchanged(old, index, new, index) { matching.changed.insert(start &+ index) }
      index &+= 1
    }
    return index
  }

  /// The number of elements that agree, downwards on the old side and upwards on the new one.
  @inlinable
  func walkDown(_ old: Elements, _ new: Elements, _ start: Int, _ matching: inout Matching) -> Int {
    var index = 0
    while index < new.count, isSame(old[new.count &- 1 &- index], new[index]) {
      if !isUnchanged(old, new.count &- 1 &- index, new, index) { matching.changed.insert(start &+ index) }
      index &+= 1
    }
    return index
  }

  /// Returns `true` if two elements have the same content.
  ///
  /// The rare second look reads them again: if it took both as arguments, each comparison would copy them first, and the walk
  /// along equal rows would take twice its time.
  @inlinable
  func isUnchanged(_ old: Elements, _ oldIndex: Int, _ new: Elements, _ newIndex: Int) -> Bool {
    key.areEqual(old[oldIndex], new[newIndex]) || isUnchanged(unequal: old, oldIndex, new, newIndex)
  }

  @inlinable
  @inline(never)
  func isUnchanged(unequal old: Elements, _ oldIndex: Int, _ new: Elements, _ newIndex: Int) -> Bool {
    key.isUnchanged(unequal: old[oldIndex], new[newIndex])
  }

  /// The shortest way past a mismatch: the number of elements to skip on either side until two agree.
  ///
  /// Pairs are tried by the number of skipped elements, up to 8, and then as longer replacements.
  @inlinable
  func lookAhead(_ gap: Gap<Key.Element>, from place: IndexPair, to end: IndexPair, _ step: Int) -> IndexPair? {
    let deep = (end.old - place.old) * step - 1
    let wide = end.new - place.new - 1
    guard deep >= 0, wide >= 0, deep + wide > 0 else { return nil }
    for distance in 1...min(deep + wide, Self.reach) {
      var skipped = max(0, distance - wide)
      let last = min(distance, deep)
      while skipped <= last {
        if isSame(gap.old[place.old + skipped * step], gap.new[place.new + distance - skipped]) {
          return IndexPair(old: skipped, new: distance - skipped)
        }
        skipped += 1
      }
    }
    var skipped = Self.reach / 2 + 1
    let last = min(deep, wide, Self.reach * 2)
    while skipped <= last {
      if isSame(gap.old[place.old + skipped * step], gap.new[place.new + skipped]) {
        return IndexPair(old: skipped, new: skipped)
      }
      skipped += 1
    }
    return nil
  }

  /// The greatest number of elements that the search ahead skips, on both sides together.
  @inlinable static var reach: Int { 8 }

  /// The number of elements that are common at the end of both sides, back to a place.
  @inlinable
  func commonEnd(_ gap: Gap<Key.Element>, from place: IndexPair, _ matching: inout Matching) -> Int {
    let limit = min(gap.old.count - place.old, gap.new.count - place.new)
    var count = 0
    while count < limit {
      let (old, new) = (gap.old.count &- 1 &- count, gap.new.count &- 1 &- count)
      guard isSame(gap.old[old], gap.new[new]) else { break }
      if !isUnchanged(gap.old, old, gap.new, new) { matching.changed.insert(gap.offset.start.new &+ new) }
      count &+= 1
    }
    return count
  }

  /// Adds the result of a walk as runs on the lines.
  @inlinable
  func add(_ count: Int, at place: IndexPair, of gap: Gap<Key.Element>, step: Int, _ matching: inout Matching) {
    let start = IndexPair(old: gap.offset.start.old &+ place.old, new: gap.offset.start.new &+ place.new)
    if step > 0 { return matching.add(Run(old: start.old, new: start.new, count: count)) }
    for offset in 0..<count { matching.add(Run(old: start.old &- offset, new: start.new &+ offset, count: 1)) }
  }
}

extension Matcher {
  /// Follows one segment from its start for as long as comparing is enough, then trims what is common at its end.
  ///
  /// - Parameter segment: The index of the segment, on both sides.
  /// - Returns: How many elements are left on either side between where following ended and the common end.
  @inlinable
  mutating func followSegment(_ segment: Int) -> Place {
    let origin = Place(old: matching.oldLine.starts[segment], new: matching.newLine.starts[segment])
    // The arrays are taken out first: the closures below mutate `self`.
    let (oldRows, newRows) = (old[segment], new[segment])
    return oldRows.withElements { old in
      newRows.withElements { new in
        let end = Place(old: old.count, new: new.count)
        var place = Place(old: 0, new: 0)
        follow(old, new, origin, from: &place, to: end, patience: 0)
        let common = trimEnd(old, new, origin, from: place)
        return Place(old: end.old - place.old - common, new: end.new - place.new - common)
      }
    }
  }

  /// Walks both sides in step, and past what was deleted and inserted on the way, until that takes too long a search.
  ///
  /// - Parameters:
  ///   - old: The elements of a segment before the change.
  ///   - new: The elements of a segment after the change.
  ///   - origin: Where the two segments begin on their lines.
  ///   - place: Where to begin, and where the walk ended: at a mismatch, or at the end of a side.
  ///   - end: Where to end on each side.
  ///   - patience: How many elements must agree at first before the search ahead begins. A stray hit in a shuffled list
  ///     has no neighbours, and none are worth looking for.
  /// - Complexity: O(elements that were paired).
  @inlinable
  mutating func follow(
    _ old: Elements, _ new: Elements, _ origin: Place, from place: inout Place, to end: Place, patience: Int
  ) {
    var patience = patience
    while true {
      let count = walkInStep(
        old, new, origin, from: place, limit: Swift.min(end.old - place.old, end.new - place.new))
      if count > 0 { matching.add(run(origin, at: place, count: count)) }
      place.old += count
      place.new += count
      guard count >= patience, let skip = lookAhead(old, new, from: place, to: end) else { return }
      place.old += skip.old
      place.new += skip.new
      patience = 0
    }
  }

  /// The number of elements that agree, one after the other. Their content is compared here, while it is at hand.
  @inlinable
  @inline(__always)
  mutating func walkInStep(
    _ old: Elements, _ new: Elements, _ origin: Place, from place: Place, limit: Int
  ) -> Int {
    var count = 0
    while count < limit, isSame(old[place.old &+ count], new[place.new &+ count]) {
      if !Key.hasSameContent(old[place.old &+ count], new[place.new &+ count]) {
        let changed = Place(old: place.old &+ count, new: place.new &+ count)
        matching.updates.append(run(origin, at: changed, count: 1))
      }
      count &+= 1
    }
    return count
  }

  /// The shortest way past a mismatch: how many elements to skip on either side until two agree.
  ///
  /// Pairs are tried by the number of skipped elements, up to 8, and then those of longer replacements.
  @inlinable
  func lookAhead(_ old: Elements, _ new: Elements, from place: Place, to end: Place) -> Place? {
    let deep = end.old - place.old - 1
    let wide = end.new - place.new - 1
    guard deep >= 0, wide >= 0, deep + wide > 0 else { return nil }
    for distance in 1...Swift.min(deep + wide, Self.reach) {
      var skipped = Swift.max(0, distance - wide)
      let last = Swift.min(distance, deep)
      while skipped <= last {
        if isSame(old[place.old + skipped], new[place.new + distance - skipped]) {
          return Place(old: skipped, new: distance - skipped)
        }
        skipped += 1
      }
    }
    var skipped = Self.reach / 2 + 1
    let last = Swift.min(deep, wide, Self.reach * 2)
    while skipped <= last {
      if isSame(old[place.old + skipped], new[place.new + skipped]) { return Place(old: skipped, new: skipped) }
      skipped += 1
    }
    return nil
  }

  /// How many elements the search ahead skips, on both sides together.
  @inlinable static var reach: Int { 8 }

  /// Pairs what is common at the end of both sides, back to where following ended.
  ///
  /// - Parameters:
  ///   - old: The elements of a segment before the change.
  ///   - new: The elements of a segment after the change.
  ///   - origin: Where the two segments begin on their lines.
  ///   - place: Where following ended.
  /// - Returns: The number of elements that are common.
  @inlinable
  mutating func trimEnd(_ old: Elements, _ new: Elements, _ origin: Place, from place: Place) -> Int {
    let limit = Swift.min(old.count - place.old, new.count - place.new)
    var count = 0
    while count < limit, isSame(old[old.count &- 1 &- count], new[new.count &- 1 &- count]) {
      count &+= 1
      let start = Place(old: old.count &- count, new: new.count &- count)
      if !Key.hasSameContent(old[start.old], new[start.new]) {
        matching.updates.append(run(origin, at: start, count: 1))
      }
    }
    guard count > 0 else { return 0 }
    let start = Place(old: old.count - count, new: new.count - count)
    matching.add(run(origin, at: start, count: count))
    return count
  }

  /// A run on the lines of the segments, from indexes inside the segments.
  @inlinable
  @inline(__always)
  func run(_ origin: Place, at place: Place, count: Int) -> Run {
    Run(old: origin.old &+ place.old, new: origin.new &+ place.new, count: count)
  }
}

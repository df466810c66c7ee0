extension LeftoverPool {
  /// One old element of many in a long gap.
  @usableFromInline
  struct Anchor {
    /// The index of its gap.
    @usableFromInline var gap: Int32
    /// Its segment.
    @usableFromInline var segment: Int32
    /// Its position on the line of the segments.
    @usableFromInline var position: Int32
  }

  /// One in this many old ids of a long gap is an anchor; gaps that are shorter have none.
  @inlinable static var anchorSpacing: Int { 32 }

  /// Gaps have to be this long, on both sides, for the search by anchors to save hashing.
  @inlinable static var leastGap: Int { anchorSpacing * 2 }

  @usableFromInline var anchors: [Anchor] {
    var anchors: [Anchor] = []
    anchors.reserveCapacity(oldCount / Self.anchorSpacing + oldGaps.count)
    for (index, gap) in oldGaps.enumerated() {
      let first = gap.positions.lowerBound + Self.anchorSpacing / 2
      for position in stride(from: first, to: gap.positions.upperBound, by: Self.anchorSpacing) {
        anchors.append(Anchor(gap: Int32(index), segment: gap.segment, position: Int32(position)))
      }
    }
    return anchors
  }

  /// Narrows the gaps down to what was not paired from anchors.
  ///
  /// - Parameter rest: What is left of the new gaps.
  @usableFromInline
  mutating func narrow(to rest: [Gap]) {
    newGaps = rest
    var parts: [Gap] = []
    parts.reserveCapacity(oldGaps.count + rest.count)
    for gap in oldGaps {
      var start = gap.positions.lowerBound
      while start < gap.positions.upperBound {
        let end = taken.firstMember(in: start..<gap.positions.upperBound)
        if start < end { parts.append(gap.part(start..<end)) }
        start = taken.firstAbsent(in: end..<gap.positions.upperBound)
      }
    }
    oldGaps = parts
  }
}

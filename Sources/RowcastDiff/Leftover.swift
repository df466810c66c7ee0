/// An element that following did not pair.
@usableFromInline
struct Leftover: BitwiseCopyable {
  /// Its position on its line.
  @usableFromInline var position: Int32
  /// The tag of its id, 0 while it is not hashed. Pairing puts what it found in the place of a new element's tag: the
  /// old position plus 1, or 0 for what has no counterpart.
  @usableFromInline var tag: UInt32

  @inlinable
  @inline(__always)
  init(_ position: Int) {
    self.position = Int32(truncatingIfNeeded: position)
    tag = 0
  }
}

/// One old element of many in a long gap.
@usableFromInline
struct Anchor: BitwiseCopyable {
  @usableFromInline var segment: Int32
  /// Its position on the old line.
  @usableFromInline var position: Int32

  /// One in this many old ids of a long gap is an anchor; gaps that are shorter have none.
  @inlinable static var spacing: Int { 32 }

  /// Gaps have to be this long, on both sides, for the search by anchors to save hashing.
  @inlinable static var leastGap: Int { spacing * 2 }
}

extension Matching {
  /// Chooses anchors in all gaps of the old line.
  ///
  /// - Parameters:
  ///   - taken: The old positions that runs have.
  ///   - anchors: Gets the anchors, ascending.
  @usableFromInline
  func collectAnchors(_ taken: borrowing BitSet, in anchors: inout ScratchArray<Anchor>) {
    for segment in 0..<segmentCount {
      var start = segments[segment].start.old
      let end = segments[segment + 1].start.old
      while start < end {
        start = taken.firstAbsent(in: start..<end)
        let gapEnd = taken.firstMember(in: start..<end)
        for position in stride(from: start + Anchor.spacing / 2, to: gapEnd, by: Anchor.spacing) {
          anchors.append(Anchor(segment: Int32(segment), position: Int32(position)))
        }
        start = gapEnd
      }
    }
  }

  /// Collects what no run has, ascending on both sides.
  @usableFromInline
  func collectLeftovers(_ old: inout ScratchArray<Leftover>, _ new: inout ScratchArray<Leftover>) {
    old.reserve(leftoverCounts.old)
    new.reserve(leftoverCounts.new)
    forEachOldLeftover { old.append(Leftover($0)) }
    forEachNewLeftover { new.append(Leftover($0)) }
  }

  /// Adds the pairs among the new leftovers to the runs.
  ///
  /// - Parameter leftovers: The new leftovers, each with the old position of its counterpart plus 1 as its tag, or 0.
  @usableFromInline
  mutating func merge(_ leftovers: borrowing ScratchArray<Leftover>) {
    swap(&runs, &spareRuns)
    runs.truncate(to: 0)
    runs.reserve(spareRuns.count + leftovers.count)
    var next = 0
    for index in 0..<leftovers.count where leftovers[index].tag != 0 {
      let position = leftovers[index].position
      while next < spareRuns.count, spareRuns[next].new < position {
        runs.append(spareRuns[next])
        next += 1
      }
      add(Run(old: Int(leftovers[index].tag) - 1, new: Int(position), count: 1))
      isInOrder = false
    }
    for index in next..<spareRuns.count { runs.append(spareRuns[index]) }
  }
}

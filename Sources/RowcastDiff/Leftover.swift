/// An element that following did not pair.
@usableFromInline
struct Leftover: BitwiseCopyable {
  /// Its position on its line.
  @usableFromInline var position: Int32
  /// The tag of its id, 0 while it is not hashed.
  ///
  /// Pairing puts what it found in the place of the tag. Of an old element that is 0 if it has a counterpart, of a new
  /// one the old position plus 1, or 0 if it has none.
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

  /// Collects what no run has, ascending on both sides. There is room for one more: a gap is written before it is known
  /// whether it is empty.
  @usableFromInline
  mutating func collectLeftovers() {
    if survivorCount < lineCount.new {
      newLeftovers.reserve(lineCount.new - survivorCount + 1)
      var end = 0
      for index in 0..<runs.count {
        newLeftovers.append(gap: end, Int(runs[index].new))
        end = runs[index].newRange.upperBound
      }
      newLeftovers.append(gap: end, lineCount.new)
    }
    if survivorCount == lineCount.old { return }
    if isInOrder {
      oldLeftovers.reserve(lineCount.old - survivorCount + 1)
      var end = 0
      for index in 0..<runs.count {
        oldLeftovers.append(gap: end, Int(runs[index].old))
        end = runs[index].oldRange.upperBound
      }
      oldLeftovers.append(gap: end, lineCount.old)
    } else {
      withScratch { scratch in
        let taken = BitSet(limit: lineCount.old, in: scratch.array(of: UInt64.self))
        collectOld(in: taken)
        collectOldLeftovers(taken)
      }
    }
  }

  /// Collects what no run has on the old side.
  @usableFromInline
  mutating func collectOldLeftovers(_ taken: borrowing BitSet) {
    oldLeftovers.reserve(lineCount.old - survivorCount + 1)
    taken.forEachAbsent { oldLeftovers.append(Leftover($0)) }
  }

  /// Adds the pairs among the leftovers, of which there are so many, to the runs. Those without a counterpart are left.
  @usableFromInline
  mutating func merge(_ pairCount: Int) {
    swap(&runs, &spareRuns)
    runs.reserve(spareRuns.count + pairCount)
    runs.merge(spareRuns, newLeftovers)
    survivorCount += pairCount
    isInOrder = false
    newLeftovers.keep(newLeftovers.count - pairCount) { $0.tag == 0 }
    oldLeftovers.keep(oldLeftovers.count - pairCount) { $0.tag != 0 }
  }
}

extension ScratchArray where Element == Run {
  /// Sets the array to some runs and the pairs among the new leftovers, in the order of the new list.
  fileprivate mutating func merge(_ runs: borrowing ScratchArray<Run>, _ leftovers: borrowing ScratchArray<Leftover>) {
    truncate(to: 0)
    var next = 0
    for index in 0..<leftovers.count where leftovers[index].tag != 0 {
      let leftover = leftovers[index]
      while next < runs.count, runs[next].new < leftover.position {
        append(runs[next])
        next += 1
      }
      append(Run(old: Int(leftover.tag) - 1, new: Int(leftover.position), count: 1))
    }
    for index in next..<runs.count { append(runs[index]) }
  }
}

extension ScratchArray where Element == Leftover {
  /// Leaves the elements that pass a test, of which there are so many. The test is hard to predict.
  @inline(__always)
  fileprivate mutating func keep(_ keptCount: Int, where test: (Leftover) -> Bool) {
    var (kept, index) = (0, 0)
    while kept < keptCount {
      let leftover = self[index]
      self[kept] = leftover
      kept += test(leftover) ? 1 : 0
      index += 1
    }
    truncate(to: kept)
  }

  /// Appends the positions of a gap between two runs.
  @inline(__always)
  fileprivate mutating func append(gap start: Int, _ end: Int) {
    // Most gaps are empty or have one element, and which of both is hard to predict.
    append(Leftover(start), if: start < end)
    var position = start + 1
    while position < end {
      append(Leftover(position))
      position += 1
    }
  }
}

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

  /// After this many hits in a row that have no neighbours, the list is taken for shuffled there.
  @inlinable static var strayLimit: Int { 4 }

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
  mutating func collectLeftovers() {
    newLeftovers.collect(lineCount.new - survivorCount, of: lineCount.new, between: runs) { $0.newRange }
    if isInOrder {
      oldLeftovers.collect(lineCount.old - survivorCount, of: lineCount.old, between: runs) { $0.oldRange }
    } else if survivorCount < lineCount.old {
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
    oldLeftovers.reserve(lineCount.old - survivorCount)
    taken.forEachAbsent { oldLeftovers.append(Leftover($0)) }
  }

  /// Adds the pairs among the leftovers, of which there are so many, to the runs. Those without a counterpart are left.
  @usableFromInline
  mutating func merge(_ pairCount: Int) {
    swap(&runs, &spareRuns)
    runs.reserve(spareRuns.count + pairCount)
    let last = runs.merge(spareRuns, newLeftovers)
    survivorCount += pairCount
    isInOrder = isInOrder && pairCount == 1 && segmentCount == 1 && markOnlyMove(last)
    newLeftovers.keep(newLeftovers.count - pairCount) { $0.tag == 0 }
    oldLeftovers.keep(oldLeftovers.count - pairCount) { $0.tag != 0 }
  }
}

extension ScratchArray where Element == Run {
  /// Sets the array to some runs and the pairs among the new leftovers, in the order of the new list.
  ///
  /// - Returns: The index of the last of the pairs.
  fileprivate mutating func merge(
    _ runs: borrowing ScratchArray<Run>, _ leftovers: borrowing ScratchArray<Leftover>
  ) -> Int {
    truncate(to: 0)
    var (next, last) = (0, 0)
    for index in 0..<leftovers.count where leftovers[index].tag != 0 {
      let leftover = leftovers[index]
      while next < runs.count, runs[next].new < leftover.position {
        append(runs[next])
        next += 1
      }
      last = count
      append(Run(old: Int(leftover.tag) - 1, new: Int(leftover.position), count: 1))
    }
    for index in next..<runs.count { append(runs[index]) }
    return last
  }
}

extension ScratchArray where Element == Leftover {
  /// Leaves the positions of elements that pass a test, of which there are so many. The test is hard to predict.
  @inline(__always)
  fileprivate mutating func keep(_ keptCount: Int, where test: (Leftover) -> Bool) {
    var (kept, index) = (0, 0)
    while kept < keptCount {
      // Tags were written just before. To read one together with its position would wait until it is in the cache.
      self[kept].position = self[index].position
      kept += test(self[index]) ? 1 : 0
      index += 1
    }
    truncate(to: kept)
  }

  /// Collects the positions of a line that no run has, of which there are so many. The runs are in the order of the line.
  @inline(__always)
  fileprivate mutating func collect(
    _ expected: Int, of lineCount: Int, between runs: borrowing ScratchArray<Run>, _ range: (Run) -> Range<Int>
  ) {
    if expected == 0 { return }
    // One more: the first position of a gap is written before it is known whether the gap is empty.
    reserve(expected + 1)
    var start = 0
    for index in 0...runs.count {
      let run = index < runs.count ? range(runs[index]) : lineCount..<lineCount
      // Most gaps are empty or have one position, and which of both is hard to predict.
      append(Leftover(start), if: start < run.lowerBound)
      start += 1
      while start < run.lowerBound {
        append(Leftover(start))
        start += 1
      }
      start = run.upperBound
    }
  }
}

/// An element that no run has.
@usableFromInline
struct UnmatchedElement: BitwiseCopyable {
  /// Its position on its line.
  @usableFromInline var position: Int32
  /// The tag of its id, 0 while it is not hashed.
  ///
  /// Pairing puts its result in place of the tag: for an old element 0 if it has a counterpart; for a new
  /// one the old position plus 1, or 0 if it has none.
  @usableFromInline var tag: UInt32

  @inlinable
  init(_ position: Int) {
    self.position = Int32(truncatingIfNeeded: position)
    tag = 0
  }
}

extension Matching {
  /// One in this many old ids of a long unmatched range is an *anchor*: where its counterpart is found, both sides are followed.
  /// Shorter ranges have none.
  @inlinable static var anchorSpacing: Int { 32 }

  /// After this many hits in a row that have no neighbours, the list is taken for shuffled there.
  @inlinable static var strayLimit: Int { 4 }

  /// Chooses the positions of anchors, ascending, in all unmatched ranges of the old side. `taken` has the old positions of runs.
  @usableFromInline
  func collectAnchors(_ taken: borrowing BitSet, in anchors: inout ScratchArray<Int32>) {
    for gap in 0..<gapCount {
      var start = gapOffsets[gap].start.old
      let end = gapOffsets[gap + 1].start.old
      while start < end {
        start = taken.firstAbsent(in: start..<end)
        let rangeEnd = taken.firstMember(in: start..<end)
        for position in stride(from: start + Self.anchorSpacing / 2, to: rangeEnd, by: Self.anchorSpacing) {
          anchors.append(Int32(position))
        }
        start = rangeEnd
      }
    }
  }

  /// Collects the elements that no run has, ascending on both sides.
  @usableFromInline
  mutating func collectUnmatched() {
    newUnmatched.collect(lineCount.new - survivorCount, of: lineCount.new, between: runs) { $0.newRange }
    if isInOrder {
      oldUnmatched.collect(lineCount.old - survivorCount, of: lineCount.old, between: runs) { $0.oldRange }
    } else if survivorCount < lineCount.old {
      withScratch { scratch in
        let taken = BitSet(limit: lineCount.old, in: scratch.array(of: UInt64.self))
        collectOld(in: taken)
        collectOldUnmatched(taken)
      }
    }
  }

  /// Collects the elements that no run has on the old side.
  @usableFromInline
  mutating func collectOldUnmatched(_ taken: borrowing BitSet) {
    oldUnmatched.reserve(lineCount.old - survivorCount)
    taken.forEachAbsent { oldUnmatched.append(UnmatchedElement($0)) }
  }

  /// Adds the `pairCount` pairs among the unmatched elements to the runs. Elements without a counterpart stay unmatched.
  @usableFromInline
  mutating func merge(_ pairCount: Int) {
    swap(&runs, &spareRuns)
    runs.reserve(spareRuns.count + pairCount)
    runs.merge(spareRuns, newUnmatched)
    survivorCount += pairCount
    isInOrder = false
    newUnmatched.keep(newUnmatched.count - pairCount) { $0.tag == 0 }
    oldUnmatched.keep(oldUnmatched.count - pairCount) { $0.tag != 0 }
  }
}

extension ScratchArray where Element == Run {
  /// Sets the array to some runs and the pairs among the new unmatched elements, in the order of the new list.
  fileprivate mutating func merge(
    _ runs: borrowing ScratchArray<Run>, _ unmatched: borrowing ScratchArray<UnmatchedElement>
  ) {
    truncate(to: 0)
    var next = 0
    for index in 0..<unmatched.count where unmatched[index].tag != 0 {
      let element = unmatched[index]
      while next < runs.count, runs[next].new < element.position {
        append(runs[next])
        next += 1
      }
      append(Run(old: Int(element.tag) - 1, new: Int(element.position), count: 1))
    }
    for index in next..<runs.count { append(runs[index]) }
  }
}

extension ScratchArray where Element == UnmatchedElement {
  /// Drops all but the `keptCount` elements that pass a test, which is hard to predict.
  fileprivate mutating func keep(_ keptCount: Int, where test: (UnmatchedElement) -> Bool) {
    var (kept, index) = (0, 0)
    while kept < keptCount {
      // Tags were written just before; reading one together with its position would stall.
      self[kept].position = self[index].position
      kept += test(self[index]) ? 1 : 0
      index += 1
    }
    truncate(to: kept)
  }

  /// Collects the `expected` positions of a line that no run has. The runs are in the order of the line.
  fileprivate mutating func collect(
    _ expected: Int, of lineCount: Int, between runs: borrowing ScratchArray<Run>, _ range: (Run) -> Range<Int>
  ) {
    if expected == 0 { return }
    // One more: the first position of a range is written before the range is known to be empty.
    reserve(expected + 1)
    var start = 0
    for index in 0...runs.count {
      let run = index < runs.count ? range(runs[index]) : lineCount..<lineCount
      // Most ranges are empty or have one position, which is hard to predict.
      append(UnmatchedElement(start), if: start < run.lowerBound)
      start += 1
      while start < run.lowerBound {
        append(UnmatchedElement(start))
        start += 1
      }
      start = run.upperBound
    }
  }
}

extension Matcher {
  /// Hashes a few old ids, looks all new ids of long unmatched ranges up among them, and follows both sides from each hit.
  ///
  /// A block that was moved or reversed, or that follows a long deletion or insertion, is found at the cost of
  /// hashing one anchor and, in the new list, the elements before the block's first anchor.
  ///
  /// `taken` has the old positions of runs. The unmatched elements of the new line keep the tags that were made.
  ///
  /// - Complexity: O(size of the ranges): each new id is looked up once, and a hit costs no more than the number of
  ///   elements that it pairs.
  @inlinable
  func followAnchors(_ matching: inout Matching, _ taken: borrowing BitSet) {
    matching.newUnmatched.reserve(matching.lineCount.new - matching.survivorCount)
    withScratch { scratch in
      // Their positions on the old line.
      var anchors = scratch.array(of: Int32.self)
      matching.collectAnchors(taken, in: &anchors)
      // Most ids are not found: a thin table shows that at the first slot.
      let table = IndexTable(count: anchors.count * 4, limit: anchors.count, in: scratch.array(of: UInt32.self))
      var gap = 0
      for index in 0..<anchors.count {
        gap = matching.gapOffsets.index(ofOld: Int(anchors[index]), guess: gap)
        let id = id(ofOld: anchors[index], matching.gapOffsets, guess: gap)
        let tag = tag(of: id)
        let slot = table.slot(tag: tag) { self.id(ofOld: anchors[$0], matching.gapOffsets, guess: gap) == id }
        // Of equal ids the first is the anchor.
        if table.entry(inSlot: slot) == nil { table.set(index, tag: tag, inSlot: slot) }
      }
      swap(&matching.runs, &matching.spareRuns)
      matching.runs.truncate(to: 0)
      gap = 0
      var start = 0
      for index in 0...matching.spareRuns.count {
        let isLast = index == matching.spareRuns.count
        let rangeEnd = isLast ? matching.lineCount.new : Int(matching.spareRuns[index].new)
        while start < rangeEnd {
          gap = matching.gapOffsets.index(ofNew: start, guess: gap)
          let end = min(rangeEnd, matching.gapOffsets[gap + 1].start.new)
          if end - start < Matching.anchorSpacing {
            for position in start..<end { matching.newUnmatched.append(UnmatchedElement(position)) }
          } else {
            followAnchors(in: start..<end, gap, table, anchors, &matching, taken)
          }
          start = end
        }
        if !isLast {
          matching.runs.append(matching.spareRuns[index])
          start = matching.spareRuns[index].newRange.upperBound
        }
      }
    }
    matching.checkInvariants("following anchors")
  }

  @inlinable
  func id(ofOld position: Int32, _ gapOffsets: borrowing ScratchArray<GapOffset>, guess: Int) -> Key.ID {
    let gap = gapOffsets.index(ofOld: Int(position), guess: guess)
    return key.id(of: gaps[gap].old[Int(position) - gapOffsets[gap].start.old])
  }

  /// Looks for anchors in one unmatched range of the new side.
  @inlinable
  func followAnchors(
    in range: Range<Int>, _ gap: Int, _ table: borrowing IndexTable, _ anchors: borrowing ScratchArray<Int32>,
    _ matching: inout Matching, _ taken: borrowing BitSet
  ) {
    let start = matching.gapOffsets[gap].start.new
    let new = gaps[gap].new
    var position = range.lowerBound
    // The first position after the paired ones, and the first one that is not among the unmatched elements.
    var (low, listed) = (position, position)
    // The number of hits in a row that had no neighbours.
    var strays = 0
    while position < range.upperBound {
      if position == listed {
        // A few ahead, at the risk that following makes them unnecessary.
        listed = min(position + 8, range.upperBound)
        let first = matching.newUnmatched.count
        for position in position..<listed { matching.newUnmatched.append(UnmatchedElement(position)) }
        addTags(to: matching.newUnmatched, first..<matching.newUnmatched.count) { key.id(of: new[$0 - start]) }
      }
      let element = matching.newUnmatched[matching.newUnmatched.count - (listed - position)]
      let slot = table.slot(tag: element.tag) { index in
        id(ofOld: anchors[index], matching.gapOffsets, guess: gap) == key.id(of: new[position - start])
      }
      guard let index = table.entry(inSlot: slot)?.index, !taken.contains(Int(anchors[index])) else {
        position += 1
        continue
      }
      let first = matching.runs.count
      matching.isInOrder = false
      follow(IndexPair(old: Int(anchors[index]), new: position), in: low..<range.upperBound, gap, &matching, taken)
      let followed = Int(matching.runs[first].new)
      matching.newUnmatched.truncate(to: matching.newUnmatched.count - (listed - followed))
      position = followed
      for index in first..<matching.runs.count {
        let run = matching.runs[index]
        while position < Int(run.new) {
          matching.newUnmatched.append(UnmatchedElement(position))
          position += 1
        }
        taken.insert(run.oldRange)
        position = run.newRange.upperBound
      }
      (low, listed) = (position, position)
      // In a shuffled list no hit has neighbours, and to look for others gains nothing: the more of them, the more
      // elements are passed over, up to four limits' worth. A longer block is found after its beginning, and followed back.
      strays = position == followed + 1 ? min(strays + 1, Matching.strayLimit * 4) : 0
      if strays < Matching.strayLimit { continue }
      position = min(position + strays * Matching.anchorSpacing, range.upperBound)
      while listed < position {
        matching.newUnmatched.append(UnmatchedElement(listed))
        listed += 1
      }
    }
  }

  /// Pairs an anchor with its counterpart, and the elements that agree before and after it, forwards or backwards.
  ///
  /// `hit` is the position of both on the lines, `range` the unpaired positions of the new line around it, and `newGap` the index
  /// of their gap.
  @inlinable
  func follow(
    _ hit: IndexPair, in range: Range<Int>, _ newGap: Int, _ matching: inout Matching, _ taken: borrowing BitSet
  ) {
    let oldGap = matching.gapOffsets.index(ofOld: hit.old, guess: newGap)
    let (old, new) = (gaps[oldGap].old, gaps[newGap].new)
    let start = IndexPair(old: matching.gapOffsets[oldGap].start.old, new: matching.gapOffsets[newGap].start.new)
    let (low, high) = (range.lowerBound - start.new, range.upperBound - start.new)
    func agrees(_ oldIndex: Int, _ newIndex: Int) -> Bool {
      oldIndex >= 0 && oldIndex < old.count && newIndex >= low && newIndex < high
        && !taken.contains(start.old + oldIndex) && isSame(old[oldIndex], new[newIndex])
    }
    var place = IndexPair(old: hit.old - start.old, new: hit.new - start.new)
    let isForward = agrees(place.old + 1, place.new + 1) || agrees(place.old - 1, place.new - 1)
    let isBackward = !isForward && (agrees(place.old - 1, place.new + 1) || agrees(place.old + 1, place.new - 1))
    let step = isBackward ? -1 : 1
    while agrees(place.old - step, place.new - 1) {
      place.old -= step
      place.new -= 1
    }
    // Both sides as one gap, though they may belong to two.
    let gap = Gap(old: old, new: new, offset: GapOffset(start: start))
    followUntaken(gap, from: &place, before: high, step: step, &matching, taken)
  }

  /// Follows both sides, but not into old elements that are taken: an earlier anchor may have had a duplicate id.
  @inlinable
  func followUntaken(
    _ gap: Gap<Key.Element>, from place: inout IndexPair, before newEnd: Int, step: Int, _ matching: inout Matching,
    _ taken: borrowing BitSet
  ) {
    let start = gap.offset.start.old
    var patience = 2
    while true {
      // Taken elements are searched 4,096 at a time; otherwise a thousand short runs would each scan the whole side.
      var stop: Int
      let isCutShort: Bool
      if step > 0 {
        let horizon = min(gap.old.count, place.old + 4096)
        stop = taken.firstMember(in: start + place.old..<start + horizon) - start
        isCutShort = stop == horizon && horizon < gap.old.count
      } else {
        let horizon = max(0, place.old - 4095)
        stop = taken.lastMember(in: start + horizon..<start + place.old + 1) - start
        isCutShort = stop == horizon - 1 && horizon > 0
      }
      let end = IndexPair(old: stop, new: newEnd)
      followInStep(gap, from: &place, to: end, step: step, patience: patience, &matching)
      // Continues if the walk ended at the horizon.
      guard isCutShort, (stop - place.old) * step <= Self.reach * 2, place.new < newEnd else { return }
      patience = 0
    }
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
}

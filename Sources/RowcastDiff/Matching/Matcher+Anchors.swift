extension Matcher {
  /// Hashes a few old ids, looks all new ids of long gaps up among them, and follows both sides from each hit.
  ///
  /// A block that was moved or reversed, or that stands behind a long deletion or insertion, is found at the cost of
  /// hashing one anchor and, in the new list, the elements before the block's first anchor.
  ///
  /// `taken` has the old positions that runs have. The leftovers of the new line keep the tags that were made.
  ///
  /// - Complexity: O(size of the gaps): each new id is looked up once, and a hit costs no more than the number of
  ///   elements that it pairs.
  @inlinable
  func followAnchors(_ matching: inout Matching, _ taken: borrowing BitSet) {
    matching.newLeftovers.reserve(matching.lineCount.new - matching.survivorCount)
    withScratch { scratch in
      var anchors = scratch.array(of: Anchor.self)
      matching.collectAnchors(taken, in: &anchors)
      // Most ids are looked up in vain: a thin table says so at the first slot.
      let table = IndexTable(count: anchors.count * 4, limit: anchors.count, in: scratch.array(of: UInt32.self))
      for index in 0..<anchors.count {
        let id = id(of: anchors[index], matching.segments)
        let tag = tag(of: id)
        let slot = table.slot(tag: tag) { self.id(of: anchors[$0], matching.segments) == id }
        // Of equal ids the first is the anchor.
        if table.entry(inSlot: slot) == nil { table.set(index, tag: tag, inSlot: slot) }
      }
      swap(&matching.runs, &matching.spareRuns)
      matching.runs.truncate(to: 0)
      var segment = 0
      var start = 0
      for index in 0...matching.spareRuns.count {
        let isLast = index == matching.spareRuns.count
        let gapEnd = isLast ? matching.lineCount.new : Int(matching.spareRuns[index].new)
        while start < gapEnd {
          segment = matching.segments.index(ofNew: start, guess: segment)
          let end = min(gapEnd, matching.segments[segment + 1].start.new)
          if end - start < Anchor.spacing {
            for position in start..<end { matching.newLeftovers.append(Leftover(position)) }
          } else {
            followAnchors(in: start..<end, segment, table, anchors, &matching, taken)
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
  @inline(__always)
  func id(of anchor: Anchor, _ segments: borrowing ScratchArray<Segment>) -> Key.ID {
    let segment = Int(anchor.segment)
    return key.id(of: stretches[segment].old[Int(anchor.position) - segments[segment].start.old])
  }

  /// Looks for anchors in one gap of the new line.
  @inlinable
  func followAnchors(
    in gap: Range<Int>, _ segment: Int, _ table: borrowing IndexTable, _ anchors: borrowing ScratchArray<Anchor>,
    _ matching: inout Matching, _ taken: borrowing BitSet
  ) {
    let start = matching.segments[segment].start.new
    let new = stretches[segment].new
    var position = gap.lowerBound
    // The first position behind the paired ones, and the first one that is not among the leftovers.
    var (low, listed) = (position, position)
    // The number of hits in a row that had no neighbours.
    var strays = 0
    while position < gap.upperBound {
      if position == listed {
        // A few ahead, at the risk that following makes them unnecessary.
        listed = min(position + 8, gap.upperBound)
        let first = matching.newLeftovers.count
        for position in position..<listed { matching.newLeftovers.append(Leftover(position)) }
        addTags(to: matching.newLeftovers, first..<matching.newLeftovers.count) { key.id(of: new[$0 - start]) }
      }
      let leftover = matching.newLeftovers[matching.newLeftovers.count - (listed - position)]
      let slot = table.slot(tag: leftover.tag) { index in
        id(of: anchors[index], matching.segments) == key.id(of: new[position - start])
      }
      guard let index = table.entry(inSlot: slot)?.index, !taken.contains(Int(anchors[index].position)) else {
        position += 1
        continue
      }
      let first = matching.runs.count
      matching.isInOrder = false
      follow(anchors[index], at: position, in: low..<gap.upperBound, new, start, &matching, taken)
      let followed = Int(matching.runs[first].new)
      matching.newLeftovers.truncate(to: matching.newLeftovers.count - (listed - followed))
      position = followed
      for index in first..<matching.runs.count {
        let run = matching.runs[index]
        while position < Int(run.new) {
          matching.newLeftovers.append(Leftover(position))
          position += 1
        }
        taken.insert(run.oldRange)
        position = run.newRange.upperBound
      }
      (low, listed) = (position, position)
      // In a shuffled list no hit has neighbours, and to look for others gains nothing: the more of them, the more
      // elements are passed over, up to four limits' worth. A longer block is found behind its beginning, and followed back.
      strays = position == followed + 1 ? min(strays + 1, Anchor.strayLimit * 4) : 0
      if strays < Anchor.strayLimit { continue }
      position = min(position + strays * Anchor.spacing, gap.upperBound)
      while listed < position {
        matching.newLeftovers.append(Leftover(listed))
        listed += 1
      }
    }
  }

  /// Pairs an anchor with its counterpart, and the elements that agree before and after it, forwards or backwards.
  @inlinable
  func follow(
    _ anchor: Anchor, at position: Int, in gap: Range<Int>, _ new: Elements, _ newStart: Int,
    _ matching: inout Matching, _ taken: borrowing BitSet
  ) {
    let segment = Int(anchor.segment)
    let oldStart = matching.segments[segment].start.old
    let old = stretches[segment].old
    let pair = Pair(old: old, new: new, start: IndexPair(old: oldStart, new: newStart))
    let (low, high) = (gap.lowerBound - newStart, gap.upperBound - newStart)
    let hit = IndexPair(old: Int(anchor.position) - oldStart, new: position - newStart)
    func agrees(_ oldIndex: Int, _ newIndex: Int) -> Bool {
      oldIndex >= 0 && oldIndex < old.count && newIndex >= low && newIndex < high
        && !taken.contains(oldStart + oldIndex) && isSame(old[oldIndex], new[newIndex])
    }
    let isForward = agrees(hit.old + 1, hit.new + 1) || agrees(hit.old - 1, hit.new - 1)
    let isBackward = !isForward && (agrees(hit.old - 1, hit.new + 1) || agrees(hit.old + 1, hit.new - 1))
    let step = isBackward ? -1 : 1
    var place = hit
    while agrees(place.old - step, place.new - 1) {
      place.old -= step
      place.new -= 1
    }
    followUntaken(pair, from: &place, before: high, step: step, &matching, taken)
  }

  /// Follows both sides, but not into old elements that are taken: an earlier anchor may have had a duplicate id.
  @inlinable
  func followUntaken(
    _ pair: Pair, from place: inout IndexPair, before newEnd: Int, step: Int, _ matching: inout Matching,
    _ taken: borrowing BitSet
  ) {
    let start = pair.start.old
    var patience = 2
    while true {
      // Taken elements are looked for a stretch at a time, or a thousand short runs would each read the whole line.
      var stop: Int
      let isCutShort: Bool
      if step > 0 {
        let horizon = min(pair.old.count, place.old + 4096)
        stop = taken.firstMember(in: start + place.old..<start + horizon) - start
        isCutShort = stop == horizon && horizon < pair.old.count
      } else {
        let horizon = max(0, place.old - 4095)
        stop = taken.lastMember(in: start + horizon..<start + place.old + 1) - start
        isCutShort = stop == horizon - 1 && horizon > 0
      }
      let end = IndexPair(old: stop, new: newEnd)
      if step > 0 {
        followUp(pair, from: &place, to: end, patience: patience, &matching)
      } else {
        followDown(pair, from: &place, to: end, patience: patience, &matching)
      }
      // Goes on if the walk ended at the horizon.
      guard isCutShort, (stop - place.old) * step <= Self.reach * 2, place.new < newEnd else { return }
      patience = 0
    }
  }
}

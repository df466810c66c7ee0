extension Matcher {
  /// Hashes a few old ids, looks all new ids of long gaps up among them, and follows both sides from each hit.
  ///
  /// A block that was moved, or that stands behind a long deletion or insertion, is found at the cost of hashing one
  /// anchor and, in the new list, what stands before the block's first anchor.
  ///
  /// - Complexity: O(size of the gaps): each new id is looked up once, and what a hit costs is paid for by the
  ///   elements that it pairs.
  @inlinable
  mutating func followAnchors(in pool: inout LeftoverPool) {
    let anchors = pool.anchors
    // Most ids are looked up in vain: a thin table says so at the first slot.
    let table = IndexTable(count: anchors.count * 4, length: anchors.count)
    for number in anchors.indices {
      let id = oldID(of: anchors[number])
      let tag = hasher.tag(of: id)
      let slot = table.slot(tag: tag) { oldID(of: anchors[$0]) == id }
      // Of equal ids the first is the anchor.
      if table.entry(inSlot: slot) == nil { table.set(number, tag: tag, inSlot: slot) }
    }
    var rest: [LeftoverPool.Gap] = []
    for gap in pool.newGaps {
      if gap.positions.count < LeftoverPool.anchorSpacing {
        rest.append(gap)
      } else {
        followAnchors(from: gap, table, anchors, in: &pool, &rest)
      }
    }
    pool.narrow(to: rest)
  }

  @inlinable
  @inline(__always)
  func oldID(of anchor: LeftoverPool.Anchor) -> Key.ID {
    let row = Int(anchor.position) - matching.oldLine.starts[Int(anchor.segment)]
    return Key.id(of: old[Int(anchor.segment)][row])
  }

  @inlinable
  mutating func followAnchors(
    from gap: LeftoverPool.Gap, _ table: borrowing IndexTable, _ anchors: [LeftoverPool.Anchor],
    in pool: inout LeftoverPool, _ rest: inout [LeftoverPool.Gap]
  ) {
    let newRows = new[Int(gap.segment)]
    let origin = matching.newLine.starts[Int(gap.segment)]
    var low = gap.positions.lowerBound
    var position = low
    while position < gap.positions.upperBound {
      var tag = pool.partners[position &+ gap.shift]
      if tag == 0 {
        // A few ahead, at the risk that following makes them unnecessary.
        let end = Swift.min(position + 8, gap.positions.upperBound)
        hash(position..<end, of: gap, newRows, matching.newLine, pool.partners)
        hasher.finish(pool.partners)
        tag = pool.partners[position &+ gap.shift]
      }
      let slot = table.slot(tag: tag) { number in
        newRows.withElements { oldID(of: anchors[number]) == Key.id(of: $0[position - origin]) }
      }
      if let number = table.entry(inSlot: slot)?.position, !pool.taken[Int(anchors[number].position)] {
        let first = matching.found.count
        follow(anchors[number], at: position, since: low, in: gap, pool)
        for run in matching.found[first...] {
          if low < run.newRange.lowerBound { rest.append(gap.part(low..<run.newRange.lowerBound)) }
          low = run.newRange.upperBound
          pool.taken.insert(run.oldRange)
        }
        position = low
      } else {
        position += 1
      }
    }
    if low < position { rest.append(gap.part(low..<position)) }
  }

  /// Pairs an anchor with its counterpart, and what agrees before and after it.
  ///
  /// - Parameters:
  ///   - anchor: The old element, which no run holds.
  ///   - position: The counterpart's position on the new line.
  ///   - low: The first position of the new gap that no run before it in the gap holds.
  ///   - gap: The new gap.
  ///   - pool: What is left over.
  @inlinable
  mutating func follow(
    _ anchor: LeftoverPool.Anchor, at position: Int, since low: Int, in gap: LeftoverPool.Gap,
    _ pool: borrowing LeftoverPool
  ) {
    let oldGap = pool.oldGaps[Int(anchor.gap)]
    let (oldRows, newRows) = (old[Int(oldGap.segment)], new[Int(gap.segment)])
    let origin = Place(
      old: matching.oldLine.starts[Int(oldGap.segment)], new: matching.newLine.starts[Int(gap.segment)])
    var place = Place(old: Int(anchor.position) - origin.old, new: position - origin.new)
    oldRows.withElements { old in
      newRows.withElements { new in
        while place.new + origin.new > low, place.old + origin.old > oldGap.positions.lowerBound,
          !pool.taken[place.old + origin.old - 1], isSame(old[place.old - 1], new[place.new - 1])
        {
          place.old -= 1
          place.new -= 1
        }
        let end = Place(old: oldGap.positions.upperBound - origin.old, new: gap.positions.upperBound - origin.new)
        followUntaken(old, new, origin, from: &place, to: end, pool.taken)
      }
    }
  }

  /// Follows both sides, but not into old elements that an earlier anchor took: those have duplicate ids.
  @inlinable
  mutating func followUntaken(
    _ old: Elements, _ new: Elements, _ origin: Place, from place: inout Place, to end: Place, _ taken: BitLine
  ) {
    var patience = 2
    while true {
      // Taken elements are looked for a stretch at a time, or a thousand short runs would each read the whole line.
      let horizon = Swift.min(end.old, place.old + 4096)
      let stop = taken.firstMember(in: origin.old + place.old..<origin.old + horizon) - origin.old
      follow(old, new, origin, from: &place, to: Place(old: stop, new: end.new), patience: patience)
      // Did it end for want of old elements, although there are more?
      let isCutShort = place.old + Self.reach * 2 >= stop && stop == horizon && horizon < end.old
      guard isCutShort && place.new < end.new else { return }
      patience = 0
    }
  }
}

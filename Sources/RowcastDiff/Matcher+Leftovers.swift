extension Matcher {
  /// Collects what following left over, and pairs it, in all segments together.
  @inlinable
  func matchLeftovers(_ matching: inout Matching, hasLongGaps: Bool) {
    if hasLongGaps {
      withScratch { scratch in
        let taken = BitSet(limit: matching.lineCount.old, in: scratch.array(of: UInt64.self))
        matching.collectOld(in: taken)
        followAnchors(&matching, taken)
        matching.collectOldLeftovers(taken)
      }
    } else {
      matching.collectLeftovers()
    }
    let (old, new) = (matching.oldLeftovers.count, matching.newLeftovers.count)
    if old == 0 || new == 0 { return }
    let pairCount =
      old * new <= 64
      ? pairByComparing(matching.oldLeftovers, matching.newLeftovers, matching.segments, matching.changed)
      : pairByHashing(matching.oldLeftovers, matching.newLeftovers, matching.segments, matching.changed)
    if pairCount > 0 { matching.merge(pairCount) }
  }

  /// Compares the few elements that are left with one another. The first is paired with the first.
  ///
  /// - Returns: The number of pairs.
  @inlinable
  func pairByComparing(
    _ old: borrowing ScratchArray<Leftover>, _ new: borrowing ScratchArray<Leftover>,
    _ segments: borrowing ScratchArray<Segment>, _ changed: borrowing BitSet
  ) -> Int {
    var (oldSegment, newSegment, pairCount) = (0, 0, 0)
    for candidate in 0..<old.count { old[candidate].tag = 1 }
    for index in 0..<new.count {
      let position = Int(new[index].position)
      let id = newID(at: position, in: &newSegment, segments)
      new[index].tag = 0
      for candidate in 0..<old.count {
        let partner = Int(old[candidate].position)
        guard old[candidate].tag != 0, oldID(at: partner, in: &oldSegment, segments) == id else { continue }
        old[candidate].tag = 0
        new[index].tag = UInt32(truncatingIfNeeded: partner &+ 1)
        compareContents(partner, &oldSegment, position, &newSegment, segments, changed)
        pairCount += 1
        break
      }
    }
    return pairCount
  }

  /// Pairs elements through one hash table.
  ///
  /// Equal old ids are chained in order, so that duplicates cost no search: the first is paired with the first that
  /// is left on the other side.
  ///
  /// - Returns: The number of pairs.
  /// - Complexity: O(number of leftovers), with one hash for each.
  @inlinable
  func pairByHashing(
    _ old: borrowing ScratchArray<Leftover>, _ new: borrowing ScratchArray<Leftover>,
    _ segments: borrowing ScratchArray<Segment>, _ changed: borrowing BitSet
  ) -> Int {
    let hasher = IDHasher<Key.ID>()
    var (oldSegment, newSegment) = (0, 0)
    hasher.addTags(to: old, 0..<old.count) { oldID(at: $0, in: &oldSegment, segments) }
    hasher.addTags(to: new, 0..<new.count) { newID(at: $0, in: &newSegment, segments) }
    return withScratch { scratch in
      let table = IndexTable(count: old.count, limit: old.count, in: scratch.array(of: UInt32.self))
      var next = scratch.array(of: Int32.self)
      var found = scratch.array(of: UInt32.self)
      fill(table, &next, old, segments)
      return pair(table, &found, next, old, new, segments, changed)
    }
  }

  /// Puts the indexes of all old leftovers into the table, the last first.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - next: By index, the next leftover with the same id, or -1; empty for as long as there are no duplicates.
  ///   - old: The old leftovers.
  ///   - segments: The segments.
  @inlinable
  func fill(
    _ table: borrowing IndexTable, _ next: inout ScratchArray<Int32>, _ old: borrowing ScratchArray<Leftover>,
    _ segments: borrowing ScratchArray<Segment>
  ) {
    var (segment, otherSegment) = (0, 0)
    var index = old.count - 1
    while index >= 0 {
      let slot = table.slot(tag: old[index].tag) { other in
        oldID(at: Int(old[index].position), in: &segment, segments)
          == oldID(at: Int(old[other].position), in: &otherSegment, segments)
      }
      if let later = table.entry(inSlot: slot) {
        if next.isEmpty { next.fill(old.count, with: -1) }
        next[index] = Int32(truncatingIfNeeded: later.index)
      }
      table.set(index, tag: old[index].tag, inSlot: slot)
      index -= 1
    }
  }

  /// Looks all new leftovers up in the table. Returns the number of pairs.
  @inlinable
  func pair(
    _ table: borrowing IndexTable, _ found: inout ScratchArray<UInt32>, _ next: borrowing ScratchArray<Int32>,
    _ old: borrowing ScratchArray<Leftover>, _ new: borrowing ScratchArray<Leftover>,
    _ segments: borrowing ScratchArray<Segment>, _ changed: borrowing BitSet
  ) -> Int {
    var (oldSegment, newSegment, start, pairCount) = (0, 0, 0, 0)
    while start < new.count {
      // What the table has for some elements is read ahead, so that what is not cached is fetched all at once.
      let end = min(start + 32, new.count)
      found.truncate(to: 0)
      for index in start..<end { found.append(table.content(for: new[index].tag)) }
      // That an id is found is hard to predict, and so nothing depends on it while others are still looked up.
      for index in start..<end {
        let position = Int(new[index].position)
        let slot = table.slot(tag: new[index].tag, first: found[index - start]) { other in
          oldID(at: Int(old[other].position), in: &oldSegment, segments)
            == newID(at: position, in: &newSegment, segments)
        }
        found[index - start] = UInt32(truncatingIfNeeded: slot)
      }
      for index in start..<end {
        let (position, slot) = (Int(new[index].position), Int(found[index - start]))
        new[index].tag = 0
        guard let match = table.entry(inSlot: slot), !match.isSpent else { continue }
        if !next.isEmpty, next[match.index] >= 0 {
          table.replace(Int(next[match.index]), inSlot: slot)
        } else {
          table.spend(slot: slot)
        }
        let partner = Int(old[match.index].position)
        old[match.index].tag = 0
        new[index].tag = UInt32(truncatingIfNeeded: partner &+ 1)
        compareContents(partner, &oldSegment, position, &newSegment, segments, changed)
        pairCount += 1
      }
      start = end
    }
    return pairCount
  }
}

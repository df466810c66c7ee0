extension Matcher {
  /// Pairs what following left over, in all segments together.
  @inlinable
  func matchLeftovers(_ matching: inout Matching, hasLongGaps: Bool) {
    withScratch { scratch in
      var old = scratch.array(of: Leftover.self)
      var new = scratch.array(of: Leftover.self)
      matching.markTaken()
      if hasLongGaps {
        followAnchors(&matching, &new)
        matching.checkInvariants("following anchors")
      } else {
        matching.collectNewLeftovers(in: &new)
      }
      matching.collectOldLeftovers(in: &old)
      if old.isEmpty || new.isEmpty { return }
      matching.setRunsAside(room: min(old.count, new.count))
      if old.count * new.count <= 64 {
        pairByComparing(old, new, &matching)
      } else {
        pairByHashing(old, new, &matching)
      }
      matching.mergeRuns()
    }
  }

  /// The id of an element that is left over of the old list.
  @inlinable
  @inline(__always)
  func oldID(of leftover: Leftover, _ segments: borrowing ScratchArray<Segment>) -> Key.ID {
    let start = Lists.isFlat ? 0 : segments[Int(leftover.segment)].start.old
    return lists.withOld(Int(leftover.segment)) { key.id(of: $0[Int(leftover.position) - start]) }
  }

  /// The id of an element that is left over of the new list.
  @inlinable
  @inline(__always)
  func newID(of leftover: Leftover, _ segments: borrowing ScratchArray<Segment>) -> Key.ID {
    let start = Lists.isFlat ? 0 : segments[Int(leftover.segment)].start.new
    return lists.withNew(Int(leftover.segment)) { key.id(of: $0[Int(leftover.position) - start]) }
  }

  /// Pairs two elements that are the same.
  @inlinable
  @inline(__always)
  func pair(_ old: Leftover, _ new: Leftover, _ matching: inout Matching) {
    let oldIndex = Int(old.position) - (Lists.isFlat ? 0 : matching.segments[Int(old.segment)].start.old)
    let newIndex = Int(new.position) - (Lists.isFlat ? 0 : matching.segments[Int(new.segment)].start.new)
    let isEqual = lists.withOld(Int(old.segment)) { old in
      lists.withNew(Int(new.segment)) { new in key.hasSameContent(old[oldIndex], new[newIndex]) }
    }
    if !isEqual { matching.changed.insert(Int(new.position)) }
    matching.add(old, new)
  }

  /// Compares the few elements that are left with one another. The first is paired with the first.
  @inlinable
  func pairByComparing(
    _ old: borrowing ScratchArray<Leftover>, _ new: borrowing ScratchArray<Leftover>, _ matching: inout Matching
  ) {
    for index in 0..<new.count {
      let id = newID(of: new[index], matching.segments)
      for candidate in 0..<old.count where !matching.oldTaken.contains(Int(old[candidate].position)) {
        guard oldID(of: old[candidate], matching.segments) == id else { continue }
        pair(old[candidate], new[index], &matching)
        break
      }
    }
  }

  /// Pairs elements through one hash table.
  ///
  /// Equal old ids are chained in order, so that duplicates cost no search: the first is paired with the first that
  /// is left on the other side.
  ///
  /// - Complexity: O(number of leftovers), with one hash for each.
  @inlinable
  func pairByHashing(
    _ old: borrowing ScratchArray<Leftover>, _ new: borrowing ScratchArray<Leftover>, _ matching: inout Matching
  ) {
    let hasher = IDHasher<Key.ID>()
    hasher.addTags(to: old, 0..<old.count) { oldID(of: $0, matching.segments) }
    hasher.addTags(to: new, 0..<new.count) { newID(of: $0, matching.segments) }
    withScratch { scratch in
      let table = IndexTable(count: old.count, limit: old.count, in: scratch.array(of: UInt32.self))
      var next = scratch.array(of: Int32.self)
      var slots = scratch.array(of: UInt32.self)
      fill(table, &next, old, matching.segments)
      pair(table, &slots, next, old, new, &matching)
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
    var index = old.count - 1
    while index >= 0 {
      let slot = table.slot(tag: old[index].tag) { other in
        oldID(of: old[index], segments) == oldID(of: old[other], segments)
      }
      if let later = table.entry(inSlot: slot) {
        if next.isEmpty { next.fill(old.count, with: -1) }
        next[index] = Int32(truncatingIfNeeded: later.index)
      }
      table.set(index, tag: old[index].tag, inSlot: slot)
      index -= 1
    }
  }

  /// Looks all new leftovers up in the table.
  @inlinable
  func pair(
    _ table: borrowing IndexTable, _ slots: inout ScratchArray<UInt32>, _ next: borrowing ScratchArray<Int32>,
    _ old: borrowing ScratchArray<Leftover>, _ new: borrowing ScratchArray<Leftover>, _ matching: inout Matching
  ) {
    var start = 0
    while start < new.count {
      // What the table has for some elements is read ahead, so that what is not cached is fetched all at once.
      let end = min(start + 32, new.count)
      slots.truncate(to: 0)
      for index in start..<end { slots.append(table.content(for: new[index].tag)) }
      // That an id is found is hard to predict, and so nothing depends on it while others are still looked up.
      for index in start..<end {
        let slot = table.slot(tag: new[index].tag, first: slots[index - start]) { other in
          oldID(of: old[other], matching.segments) == newID(of: new[index], matching.segments)
        }
        slots[index - start] = UInt32(truncatingIfNeeded: slot)
      }
      for index in start..<end {
        let slot = Int(slots[index - start])
        guard let match = table.entry(inSlot: slot), !match.isSpent else { continue }
        if !next.isEmpty, next[match.index] >= 0 {
          table.replace(Int(next[match.index]), inSlot: slot)
        } else {
          table.spend(slot: slot)
        }
        pair(old[match.index], new[index], &matching)
      }
      start = end
    }
  }
}

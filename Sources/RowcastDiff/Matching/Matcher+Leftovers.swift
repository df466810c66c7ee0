extension Matcher {
  /// Collects the elements that following left over, and pairs those of all segments together.
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
    if matching.oldLeftovers.isEmpty || matching.newLeftovers.isEmpty { return }
    let pairCount: Int
    if stretches.count == 1 {
      // The search for segments would cost a flat list a tenth of its difference.
      let (old, new) = (stretches[0].old, stretches[0].new)
      pairCount = pair(matching.oldLeftovers, matching.newLeftovers, matching.changed, { old[$0] }, { new[$0] })
    } else {
      var (old, new) = (0, 0)
      pairCount = pair(
        matching.oldLeftovers, matching.newLeftovers, matching.changed,
        { position in
          old = matching.segments.index(ofOld: position, guess: old)
          return stretches[old].old[position - matching.segments[old].start.old]
        },
        { position in
          new = matching.segments.index(ofNew: position, guess: new)
          return stretches[new].new[position - matching.segments[new].start.new]
        })
    }
    if pairCount > 0 { matching.merge(pairCount) }
  }

  /// Pairs leftovers with equal ids, the first with the first, and returns the number of pairs. Each new leftover gets its
  /// result in place of the tag, `changed` the positions of new elements whose contents changed.
  @inlinable
  @inline(__always)
  func pair(
    _ old: borrowing ScratchArray<Leftover>, _ new: borrowing ScratchArray<Leftover>, _ changed: borrowing BitSet,
    _ oldElement: (Int) -> Key.Element, _ newElement: (Int) -> Key.Element
  ) -> Int {
    old.count * new.count <= 64
      ? pairByComparing(old, new, changed, oldElement, newElement)
      : pairByHashing(old, new, changed, oldElement, newElement)
  }

  /// Compares the few elements that are left with one another.
  @inlinable
  @inline(__always)
  func pairByComparing(
    _ old: borrowing ScratchArray<Leftover>, _ new: borrowing ScratchArray<Leftover>, _ changed: borrowing BitSet,
    _ oldElement: (Int) -> Key.Element, _ newElement: (Int) -> Key.Element
  ) -> Int {
    var pairCount = 0
    for candidate in 0..<old.count { old[candidate].tag = 1 }
    for index in 0..<new.count {
      let position = Int(new[index].position)
      let id = key.id(of: newElement(position))
      new[index].tag = 0
      for candidate in 0..<old.count {
        let partner = Int(old[candidate].position)
        guard old[candidate].tag != 0, key.id(of: oldElement(partner)) == id else { continue }
        old[candidate].tag = 0
        new[index].tag = UInt32(truncatingIfNeeded: partner &+ 1)
        if !key.haveSameContent(oldElement(partner), newElement(position)) { changed.insert(position) }
        pairCount += 1
        break
      }
    }
    return pairCount
  }

  /// Pairs elements through one hash table.
  ///
  /// Equal old ids are chained in order, so that duplicates cost no search.
  ///
  /// - Complexity: O(number of leftovers), with one hash for each.
  @inlinable
  @inline(__always)
  func pairByHashing(
    _ old: borrowing ScratchArray<Leftover>, _ new: borrowing ScratchArray<Leftover>, _ changed: borrowing BitSet,
    _ oldElement: (Int) -> Key.Element, _ newElement: (Int) -> Key.Element
  ) -> Int {
    addTags(to: old, 0..<old.count) { key.id(of: oldElement($0)) }
    addTags(to: new, 0..<new.count) { key.id(of: newElement($0)) }
    return withScratch { scratch in
      let table = IndexTable(count: old.count, limit: old.count, in: scratch.array(of: UInt32.self))
      var next = scratch.array(of: Int32.self)
      var found = scratch.array(of: UInt32.self)
      fill(table, &next, old, oldElement)
      var (start, pairCount) = (0, 0)
      while start < new.count {
        // The slots of some elements are read ahead, so that those outside the cache are fetched all at once.
        let end = min(start + 32, new.count)
        found.truncate(to: 0)
        for index in start..<end { found.append(table.content(for: new[index].tag)) }
        // Hits are hard to predict, and so nothing branches on one while others are still looked up.
        for index in start..<end {
          let position = Int(new[index].position)
          let slot = table.slot(tag: new[index].tag, first: found[index - start]) { other in
            key.id(of: oldElement(Int(old[other].position))) == key.id(of: newElement(position))
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
          if !key.haveSameContent(oldElement(partner), newElement(position)) { changed.insert(position) }
          pairCount += 1
        }
        start = end
      }
      return pairCount
    }
  }

  /// Puts the indexes of all old leftovers into the table, the last first. `next` has, by index, the next leftover with the
  /// same id, or -1; it is empty for as long as there are no duplicates.
  @inlinable
  @inline(__always)
  func fill(
    _ table: borrowing IndexTable, _ next: inout ScratchArray<Int32>, _ old: borrowing ScratchArray<Leftover>,
    _ element: (Int) -> Key.Element
  ) {
    var index = old.count - 1
    while index >= 0 {
      let slot = table.slot(tag: old[index].tag) { other in
        key.id(of: element(Int(old[index].position))) == key.id(of: element(Int(old[other].position)))
      }
      if let later = table.entry(inSlot: slot) {
        if next.isEmpty { next.fill(old.count, with: -1) }
        next[index] = Int32(truncatingIfNeeded: later.index)
      }
      table.set(index, tag: old[index].tag, inSlot: slot)
      index -= 1
    }
  }
}

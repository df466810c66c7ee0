extension Matcher {
  /// Matches what is left of all segments through one hash table.
  ///
  /// Equal old ids are chained in order, so that duplicates cost no search: the first is paired with the first that
  /// is left on the other side.
  ///
  /// - Complexity: O(number of leftovers), with one hash for each.
  @inlinable
  mutating func matchByHashing(_ pool: inout LeftoverPool) {
    hashLeftovers(pool)
    // By position; empty for as long as there are no duplicates.
    var next: [Int32] = []
    let table = IndexTable(count: pool.oldCount, length: matching.oldLine.count)
    for gap in pool.oldGaps.reversed() {
      for position in gap.positions.reversed() {
        let tag = pool.oldTags[position &+ gap.shift]
        let slot = table.slot(tag: tag) { oldID(at: $0) == oldID(at: position) }
        if let later = table.entry(inSlot: slot) {
          if next.isEmpty { next = Array(repeating: -1, count: matching.oldLine.count) }
          next[position] = Int32(truncatingIfNeeded: later.position)
        }
        table.set(position, tag: tag, inSlot: slot)
      }
    }
    for gap in pool.newGaps { pair(gap, table, next, &pool) }
  }

  /// Looks up what is left in a new gap, a few elements at a time.
  @inlinable
  mutating func pair(
    _ gap: LeftoverPool.Gap, _ table: borrowing IndexTable, _ next: [Int32], _ pool: inout LeftoverPool
  ) {
    let origin = matching.newLine.starts[Int(gap.segment)]
    var oldSegment = 0
    new[Int(gap.segment)].withElements { rows in
      var start = gap.positions.lowerBound
      while start < gap.positions.upperBound {
        let end = Swift.min(start + 32, gap.positions.upperBound)
        lookUp(start..<end, of: rows, origin, table, pool.partners + (start + gap.shift), &oldSegment)
        for position in start..<end {
          let slot = Int(pool.partners[position &+ gap.shift])
          let partner = claim(slot: slot, for: position, rows[position &- origin], table, next, &oldSegment)
          pool.partners[position &+ gap.shift] = partner
          if partner != 0 {
            pool.taken.insert(Int(partner) - 1)
            pool.pairCount &+= 1
          }
        }
        start = end
      }
    }
  }

  /// Puts the slots of new elements in the place of their tags.
  @inlinable
  @inline(__always)
  func lookUp(
    _ positions: Range<Int>, of rows: Elements, _ origin: Int, _ table: borrowing IndexTable,
    _ tags: UnsafeMutablePointer<UInt32>, _ oldSegment: inout Int
  ) {
    func lookUp(_ index: Int, from content: UInt32) {
      let slot = table.slot(tag: tags[index], first: content) {
        let id = Key.id(of: element(at: $0, of: old, matching.oldLine, guess: &oldSegment))
        return id == Key.id(of: rows[positions.lowerBound &+ index &- origin])
      }
      tags[index] = UInt32(truncatingIfNeeded: slot)
    }
    if positions.count == 1 { return lookUp(0, from: table.content(for: tags[0])) }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 32) { contents in
      for index in 0..<positions.count { contents.initializeElement(at: index, to: table.content(for: tags[index])) }
      for index in 0..<positions.count { lookUp(index, from: contents[index]) }
    }
  }

  /// Pairs a new element with the old one in its slot, if there is one that has no counterpart yet.
  ///
  /// - Returns: The old position plus 1, or 0.
  @inlinable
  @inline(__always)
  mutating func claim(
    slot: Int, for position: Int, _ after: Key.Element, _ table: borrowing IndexTable, _ next: [Int32],
    _ oldSegment: inout Int
  ) -> UInt32 {
    guard let match = table.entry(inSlot: slot), !match.isSpent else { return 0 }
    if !next.isEmpty, next[match.position] >= 0 {
      table.replace(Int(next[match.position]), inSlot: slot)
    } else {
      table.spend(slot: slot)
    }
    if !Key.hasSameContent(element(at: match.position, of: old, matching.oldLine, guess: &oldSegment), after) {
      matching.updates.append(Run(old: match.position, new: position, count: 1))
    }
    return UInt32(truncatingIfNeeded: match.position &+ 1)
  }

  /// Hashes all leftovers whose tags are not known yet.
  ///
  /// They are made ahead, so that the memory which the table touches next is fetched while the last one is still
  /// compared.
  @inlinable
  mutating func hashLeftovers(_ pool: borrowing LeftoverPool) {
    for gap in pool.oldGaps {
      hash(gap.positions, of: gap, old[Int(gap.segment)], matching.oldLine, pool.oldTags)
    }
    hasher.finish(pool.oldTags)
    for gap in pool.newGaps {
      hash(gap.positions, of: gap, new[Int(gap.segment)], matching.newLine, pool.partners)
    }
    hasher.finish(pool.partners)
  }

  /// Hashes positions of a gap whose tags are not known yet; perhaps all but the last few.
  @inlinable
  @inline(__always)
  mutating func hash(
    _ positions: Range<Int>, of gap: LeftoverPool.Gap, _ rows: Rows, _ line: SegmentLine,
    _ tags: UnsafeMutablePointer<UInt32>
  ) {
    let origin = line.starts[Int(gap.segment)]
    rows.withElements { rows in
      for position in positions where tags[position &+ gap.shift] == 0 {
        hasher.add(Key.id(of: rows[position &- origin]), at: position &+ gap.shift, tags)
      }
    }
  }

  @inlinable
  @inline(__always)
  func oldID(at position: Int) -> Key.ID {
    var segment = 0
    return Key.id(of: element(at: position, of: old, matching.oldLine, guess: &segment))
  }

  /// The element at a position.
  ///
  /// - Parameters:
  ///   - position: A position on the line.
  ///   - rows: The segments of one side.
  ///   - line: The line of these segments.
  ///   - segment: A guess at the position's segment, which is set right.
  /// - Returns: The element.
  @inlinable
  @inline(__always)
  func element(at position: Int, of rows: [Rows], _ line: SegmentLine, guess segment: inout Int) -> Key.Element {
    segment = line.segment(of: position, guess: segment)
    return rows[segment][position - line.starts[segment]]
  }
}

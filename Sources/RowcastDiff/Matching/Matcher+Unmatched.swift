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

// These functions are inlined into one another, and so are those of the table: then the closures that read elements are, too. If they
// are called, each element is copied, and a shuffled list takes 1.6 times as long. Elsewhere the compiler's own choice is as fast.

extension Matcher {
  /// Collects the elements that following did not match, and pairs those of all gaps together.
  @inlinable
  func pairUnmatched(_ matching: inout Matching, hasLongRanges: Bool) {
    if hasLongRanges {
      withScratch { scratch in
        let taken = BitSet(limit: matching.lineCount.old, in: scratch.array(of: UInt64.self))
        matching.collectOld(in: taken)
        followAnchors(&matching, taken)
        matching.collectOldUnmatched(taken)
      }
    } else {
      matching.collectUnmatched()
    }
    if matching.oldUnmatched.isEmpty || matching.newUnmatched.isEmpty { return }
    let pairCount: Int
    if gaps.count == 1 {
      // For a flat list, searching the gap of each position would take a tenth of the time.
      let (old, new) = (gaps[0].old, gaps[0].new)
      pairCount = pair(matching.oldUnmatched, matching.newUnmatched, matching.changed, { old[$0] }, { new[$0] })
    } else {
      var (old, new) = (0, 0)
      pairCount = pair(
        matching.oldUnmatched, matching.newUnmatched, matching.changed,
        { position in
          old = matching.gapOffsets.index(ofOld: position, guess: old)
          return gaps[old].old[position - matching.gapOffsets[old].start.old]
        },
        { position in
          new = matching.gapOffsets.index(ofNew: position, guess: new)
          return gaps[new].new[position - matching.gapOffsets[new].start.new]
        })
    }
    if pairCount > 0 { matching.merge(pairCount) }
  }

  /// Pairs unmatched elements with equal ids, the first with the first, and returns the number of pairs. The result replaces the
  /// tag of each new element; the positions of new elements whose content changed are added to `changed`.
  @inlinable
  @inline(__always)
  func pair(
    _ old: borrowing ScratchArray<UnmatchedElement>, _ new: borrowing ScratchArray<UnmatchedElement>,
    _ changed: borrowing BitSet, _ oldElement: (Int) -> Key.Element, _ newElement: (Int) -> Key.Element
  ) -> Int {
    // Few elements that are hashed make the difference of a screen, with one row moved, half as long again.
    old.count * new.count <= 64
      ? pairByComparing(old, new, changed, oldElement, newElement)
      : pairByHashing(old, new, changed, oldElement, newElement)
  }

  /// Compares the few elements that are left with one another.
  @inlinable
  @inline(__always)
  func pairByComparing(
    _ old: borrowing ScratchArray<UnmatchedElement>, _ new: borrowing ScratchArray<UnmatchedElement>,
    _ changed: borrowing BitSet, _ oldElement: (Int) -> Key.Element, _ newElement: (Int) -> Key.Element
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
        if !key.isUnchanged(oldElement(partner), newElement(position)) { changed.insert(position) }
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
  /// - Complexity: O(number of unmatched elements), with one hash for each.
  @inlinable
  @inline(__always)
  func pairByHashing(
    _ old: borrowing ScratchArray<UnmatchedElement>, _ new: borrowing ScratchArray<UnmatchedElement>,
    _ changed: borrowing BitSet, _ oldElement: (Int) -> Key.Element, _ newElement: (Int) -> Key.Element
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
          if !key.isUnchanged(oldElement(partner), newElement(position)) { changed.insert(position) }
          pairCount += 1
        }
        start = end
      }
      return pairCount
    }
  }

  /// Inserts the indexes of all old unmatched elements into the table, the last first. `next` has, by index, the next unmatched
  /// element with the same id, or -1; it is empty while there are no duplicates.
  @inlinable
  @inline(__always)
  func fill(
    _ table: borrowing IndexTable, _ next: inout ScratchArray<Int32>, _ old: borrowing ScratchArray<UnmatchedElement>,
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

extension Matcher {
  /// The tag of an id: 32 bits of its hash; never 0, which means "not computed yet".
  ///
  /// The standard library seeds hashes for each process: ids that were chosen to collide do not.
  @inlinable
  @inline(__always)
  func tag(of id: Key.ID) -> UInt32 { tag(id.hashValue) }

  @inlinable
  @inline(__always)
  func tag(_ hash: Int) -> UInt32 { max(1, UInt32(truncatingIfNeeded: hash)) }

  /// Makes the tags that some unmatched elements do not have yet.
  ///
  /// Each hasher is finished when the next id is hashed: right after hashing, finishing would wait for the store buffer, and a
  /// UUID would take 17 ns instead of 11. Integers and strings have a faster `hashValue`.
  ///
  /// - Parameters:
  ///   - unmatched: The unmatched elements.
  ///   - range: The indexes of the elements that get a tag.
  ///   - id: The id at a position.
  @inlinable
  @inline(__always)
  func addTags(to unmatched: borrowing ScratchArray<UnmatchedElement>, _ range: Range<Int>, id: (Int) -> Key.ID) {
    let fresh = Hasher()
    var (waiting, hashed) = (-1, fresh)
    for index in range where unmatched[index].tag == 0 {
      let id = id(Int(unmatched[index].position))
      if Key.ID.self == Int.self || Key.ID.self == String.self {
        unmatched[index].tag = tag(of: id)
        continue
      }
      var hasher = fresh
      id.hash(into: &hasher)
      if waiting >= 0 { unmatched[waiting].tag = tag(hashed.finalize()) }
      (waiting, hashed) = (index, hasher)
    }
    if waiting >= 0 { unmatched[waiting].tag = tag(hashed.finalize()) }
  }
}

extension Matching {
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

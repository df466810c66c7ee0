/// What following in step left over on both sides, in all segments, and what is found in it.
///
/// The pool owns 32 bits of memory for each leftover. A gap says which are its own: `position + gap.shift` for a
/// position of the gap. That is below the number of leftovers, as parts of a gap keep the gap's share.
@usableFromInline
struct LeftoverPool: ~Copyable {
  /// The number of runs that were found before there was a pool.
  @usableFromInline let followedCount: Int
  /// What is left of the old segments, ascending.
  @usableFromInline var oldGaps: [Gap]
  /// What is left of the new segments, ascending.
  @usableFromInline var newGaps: [Gap]
  /// The number of old elements that the pool was made for.
  @usableFromInline let oldCount: Int
  /// The number of new elements that the pool was made for.
  @usableFromInline let newCount: Int
  /// The tags of the old elements, once they are hashed.
  @usableFromInline let oldTags: UnsafeMutablePointer<UInt32>
  /// The tags of the new elements, 0 where the id was not hashed yet. Hashing puts what it found in their place: the old
  /// position plus 1, or 0 for what is not in the old list.
  @usableFromInline let partners: UnsafeMutablePointer<UInt32>
  /// The number of elements that hashing paired.
  @usableFromInline var pairCount = 0
  /// The old positions that were paired since the pool was made.
  @usableFromInline var taken: BitLine

  /// Looks up what a matching has not found by following the segments.
  ///
  /// - Parameters:
  ///   - matching: What was found; in order on both sides.
  ///   - isFragmented: Whether there are only short gaps, not worth anchors.
  @usableFromInline
  init(_ matching: Matching, isFragmented: Bool) {
    let (oldLine, newLine) = (matching.oldLine, matching.newLine)
    followedCount = matching.found.count
    oldCount = oldLine.count - matching.survivorCount
    newCount = newLine.count - matching.survivorCount
    let (oldRanges, newRanges) = (matching.found.lazy.map(\.oldRange), matching.found.lazy.map(\.newRange))
    if isFragmented {
      oldGaps = Gap.singles(between: oldRanges, on: oldLine, count: oldCount)
      newGaps = Gap.singles(between: newRanges, on: newLine, count: newCount)
    } else {
      oldGaps = Gap.between(oldRanges, on: oldLine)
      newGaps = Gap.between(newRanges, on: newLine)
    }
    taken = BitLine(count: oldLine.count)
    partners = .allocate(capacity: newCount + oldCount)
    partners.initialize(repeating: 0, count: newCount + oldCount)
    oldTags = partners + newCount
  }

  @inlinable
  deinit { partners.deallocate() }

  /// Says that no new element has a partner.
  @usableFromInline
  func forgetTags() { partners.update(repeating: 0, count: newCount) }

  // MARK: - Results

  /// All runs in the order of the new list: those that were followed, those that were found from anchors, and the pairs.
  func runs(mergedWith found: [Run]) -> [Run] {
    // One more than there are: each leftover is written as a pair before it is known whether it is one.
    Array(unsafeUninitializedCapacity: found.count + pairCount + 1) { runs, count in
      var (followed, anchored) = (0, followedCount)
      func take(below position: Int32) {
        while true {
          let left = followed < followedCount ? found[followed].new : .max
          let right = anchored < found.count ? found[anchored].new : .max
          if min(left, right) >= position { return }
          runs.initializeElement(at: count, to: found[left < right ? followed : anchored])
          count += 1
          if left < right { followed += 1 } else { anchored += 1 }
        }
      }
      for gap in newGaps {
        take(below: Int32(truncatingIfNeeded: gap.positions.lowerBound))
        for position in gap.positions {
          let partner = Int(partners[position &+ gap.shift])
          runs.initializeElement(at: count, to: Run(old: partner &- 1, new: position, count: 1))
          count += partner == 0 ? 0 : 1
        }
      }
      take(below: .max)
    }
  }

  /// The old positions that are in no pair.
  func unpairedOld(count: Int) -> [Int32] { Self.select(count, in: oldGaps) { position, _ in !taken[position] } }

  /// The new positions that are in no pair.
  func unpairedNew(count: Int) -> [Int32] { Self.select(count, in: newGaps) { _, place in partners[place] == 0 } }

  /// Selects a known number of positions; each is written before it is known whether it is one of them.
  @inline(__always)
  private static func select(
    _ total: Int, in gaps: [Gap], _ isWanted: (_ position: Int, _ place: Int) -> Bool
  ) -> [Int32] {
    if total == 0 { return [] }
    return Array(unsafeUninitializedCapacity: total + 1) { positions, count in
      for gap in gaps {
        for position in gap.positions {
          positions.initializeElement(at: count, to: Int32(truncatingIfNeeded: position))
          count += isWanted(position, position &+ gap.shift) ? 1 : 0
        }
      }
    }
  }
}

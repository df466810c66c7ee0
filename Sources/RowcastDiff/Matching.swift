/// Which elements of two lists are the same: all that the rest of the differ needs to know about them.
@usableFromInline
struct Matching {
  /// The segments before the change, end to end.
  @usableFromInline let oldLine: SegmentLine
  /// The segments after the change, end to end.
  @usableFromInline let newLine: SegmentLine
  /// The survivors, as runs. In the order of the new list once the matching is complete.
  @usableFromInline var found: [Run] = []
  /// The number of elements in ``found``.
  @usableFromInline var survivorCount = 0
  /// The survivors whose content changed, as runs of one. In no order.
  @usableFromInline var updates: [Run] = []
  /// The old positions of what did not survive, ascending, once the matching is complete.
  private(set) var deletes: [Int32] = []
  /// The new positions of what was not there before, ascending, once the matching is complete.
  private(set) var inserts: [Int32] = []
  /// Whether the survivors are in the order of the old list, each in its segment: true if comparing found them all.
  private(set) var isInOrder = true

  @usableFromInline
  init(oldCounts: [Int], newCounts: [Int]) {
    oldLine = SegmentLine(counts: oldCounts)
    newLine = SegmentLine(counts: newCounts)
  }

  /// Whether elements are left that may survive.
  @usableFromInline var hasLeftoversOnBothSides: Bool {
    survivorCount < oldLine.count && survivorCount < newLine.count
  }

  /// Adds a run of survivors.
  @inlinable
  @inline(__always)
  mutating func add(_ run: Run) {
    found.append(run)
    survivorCount &+= Int(run.count)
  }

  /// Completes a matching that leaves nothing on one of the sides.
  @usableFromInline
  mutating func complete() {
    deletes = Self.positions(
      between: found.lazy.map(\.oldRange), below: oldLine.count, count: oldLine.count - survivorCount)
    inserts = Self.positions(
      between: found.lazy.map(\.newRange), below: newLine.count, count: newLine.count - survivorCount)
  }

  /// The positions that lie between ranges.
  @inline(__always)
  private static func positions(
    between ranges: some Sequence<Range<Int>>, below limit: Int, count: Int
  ) -> [Int32] {
    var positions: [Int32] = []
    if count == 0 { return positions }
    positions.reserveCapacity(count)
    var end = 0
    for range in ranges {
      for position in end..<range.lowerBound { positions.append(Int32(truncatingIfNeeded: position)) }
      end = range.upperBound
    }
    for position in end..<limit { positions.append(Int32(truncatingIfNeeded: position)) }
    return positions
  }

  /// Completes a matching with what was found among its leftovers.
  @usableFromInline
  mutating func complete(with pool: consuming LeftoverPool) {
    survivorCount += pool.pairCount
    isInOrder = pool.pairCount == 0 && found.count == pool.followedCount
    if !isInOrder { found = pool.runs(mergedWith: found) }
    inserts = pool.unpairedNew(count: newLine.count - survivorCount)
    deletes = pool.unpairedOld(count: oldLine.count - survivorCount)
  }
}

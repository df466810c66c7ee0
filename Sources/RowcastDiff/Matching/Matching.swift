/// The pairs of elements that are in both lists.
///
/// The phases of a difference are methods that change this value, each of which ends in ``checkInvariants(_:)``:
/// the gaps are numbered, a ``Matcher`` finds the runs, ``markMoves()`` chooses the runs that move, and a changeset lists the
/// operations.
@usableFromInline
struct Matching: ~Copyable {
  /// Where each gap begins, and after the last of them the ends of the lines.
  @usableFromInline var gapOffsets: ScratchArray<GapOffset>
  /// The survivors, in the order of the new list between the phases.
  @usableFromInline var runs: ScratchArray<Run>
  /// Room for the runs of the next phase.
  @usableFromInline var spareRuns: ScratchArray<Run>
  /// The positions on the new line of survivors whose content changed.
  @usableFromInline let changed: BitSet
  /// The elements of either side that no run has, ascending, once they are collected.
  @usableFromInline var oldUnmatched: ScratchArray<UnmatchedElement>
  @usableFromInline var newUnmatched: ScratchArray<UnmatchedElement>
  /// The positions on the old line that runs have.
  @usableFromInline var survivorCount = 0
  /// True if the runs that stay are in the order of the old list, each in its gap.
  @usableFromInline var isInOrder = true
  /// The number of elements that move, once that is known.
  @usableFromInline var moveCount = 0

  /// A matching without runs, of gaps that have been numbered, in memory for five arrays.
  @inlinable
  @inline(__always)
  init(_ gapOffsets: consuming ScratchArray<GapOffset>, _ scratch: inout Scratch) {
    changed = BitSet(limit: gapOffsets[gapOffsets.count - 1].start.new, in: scratch.array(of: UInt64.self))
    runs = scratch.array(of: Run.self)
    spareRuns = scratch.array(of: Run.self)
    oldUnmatched = scratch.array(of: UnmatchedElement.self)
    newUnmatched = scratch.array(of: UnmatchedElement.self)
    self.gapOffsets = gapOffsets
  }

  /// The number of gaps.
  @inlinable
  @inline(__always)
  var gapCount: Int { gapOffsets.count &- 1 }

  /// The lengths of the lines.
  @inlinable
  @inline(__always)
  var lineCount: IndexPair { gapOffsets[gapOffsets.count &- 1].start }

  /// True if elements are left on either side.
  @inlinable var hasUnmatched: Bool { survivorCount < lineCount.old || survivorCount < lineCount.new }

  /// Adds a run of survivors.
  @inlinable
  @inline(__always)
  mutating func add(_ run: Run) {
    runs.append(run)
    survivorCount &+= Int(run.count)
  }

  /// Adds the positions on the old line that runs have.
  @usableFromInline
  func collectOld(in taken: borrowing BitSet) {
    for index in 0..<runs.count { taken.insert(runs[index].oldRange) }
  }
}

extension ScratchArray where Element == GapOffset {
  /// Begins the lines. The last element holds their ends.
  @inlinable
  @inline(__always)
  mutating func begin() { append(GapOffset(end: 0, 0)) }

  /// Appends the next gap to the lines.
  ///
  /// Inlined, since most lists are one gap, and a call would keep the array in memory instead of registers.
  @inlinable
  @inline(__always)
  mutating func add<Row>(_ gap: Gap<Row>) {
    let start = self[count - 1].start
    let (row, shared) = (gap.row, gap.sharedCount)
    let rows = IndexPair(old: gap.old.count, new: gap.new.count)
    let separator = shared > 0 ? 1 : 0
    let end = IndexPair(old: start.old + rows.old + separator, new: start.new + rows.new + separator)
    let longest = max(end.old, end.new, row.old + rows.old + shared, row.new + rows.new + shared)
    precondition(longest < Int32.max, "The differ takes fewer than \(Int32.max) rows, not \(longest)")
    self[count - 1] = GapOffset(start: start, section: gap.section, row: row, sharedCount: shared)
    append(GapOffset(end: end.old, end.new))
  }

  /// The index of the gap of a position on the old line: O(1) if it is the guess, else O(log gaps).
  @inlinable
  @inline(__always)
  func index(ofOld position: Int, guess: Int) -> Int {
    self[guess].start.old <= position && position < self[guess &+ 1].start.old
      ? guess : search(position, after: guess, isOld: true)
  }

  /// The index of the gap of a position on the new line: O(1) if it is the guess, else O(log gaps).
  @inlinable
  @inline(__always)
  func index(ofNew position: Int, guess: Int) -> Int {
    self[guess].start.new <= position && position < self[guess &+ 1].start.new
      ? guess : search(position, after: guess, isOld: false)
  }

  @usableFromInline
  @inline(never)
  func search(_ position: Int, after guess: Int, isOld: Bool) -> Int {
    func start(_ index: Int) -> Int { isOld ? self[index].start.old : self[index].start.new }
    let (next, gapCount) = (guess &+ 1, count &- 1)
    // Most positions are looked up in order.
    if next < gapCount, start(next) <= position, position < start(next &+ 1) { return next }
    // Gaps are often of similar length.
    let likely = position * gapCount / max(1, start(gapCount))
    if start(likely) <= position, position < start(likely + 1) { return likely }
    var (low, high) = (0, gapCount)
    while high - low > 1 {
      let middle = (low + high) / 2
      if start(middle) <= position { low = middle } else { high = middle }
    }
    return low
  }
}

/// Neighbours in the old list that are neighbours, in the same order, in the new list.
@usableFromInline
struct Run: BitwiseCopyable {
  /// The position of the first element on the old line.
  @usableFromInline var old: Int32
  /// The position of the first element on the new line.
  @usableFromInline var new: Int32
  /// The number of positions on either line, at least 1.
  @usableFromInline var count: Int32
  /// The number of elements: more than positions where elements are shared. Negative if they move.
  @usableFromInline var weight: Int32

  /// A run whose elements have a position each.
  @inlinable
  @inline(__always)
  init(old: Int, new: Int, count: Int) { self.init(old: old, new: new, count: count, weight: count) }

  @inlinable
  @inline(__always)
  init(old: Int, new: Int, count: Int, weight: Int) {
    // Lines are shorter than `Int32.max`: `Matching` sees to that.
    self.old = Int32(truncatingIfNeeded: old)
    self.new = Int32(truncatingIfNeeded: new)
    self.count = Int32(truncatingIfNeeded: count)
    self.weight = Int32(truncatingIfNeeded: weight)
  }

  /// The positions on the old line.
  @inlinable
  @inline(__always)
  var oldRange: Range<Int> { Int(old)..<Int(old &+ count) }

  /// The positions on the new line.
  @inlinable
  @inline(__always)
  var newRange: Range<Int> { Int(new)..<Int(new &+ count) }

  @inlinable
  @inline(__always)
  var isMoving: Bool { weight < 0 }
}

/// An index before the change together with one after it.
@usableFromInline
package struct IndexPair: BitwiseCopyable {
  @usableFromInline package var old: Int
  @usableFromInline package var new: Int

  @inlinable
  @inline(__always)
  package init(old: Int, new: Int) {
    self.old = old
    self.new = new
  }
}

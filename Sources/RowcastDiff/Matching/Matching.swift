/// The pairs of elements that are in both lists.
///
/// The phases of a difference are methods that change this value, each of which ends in ``checkInvariants(_:)``:
/// a ``Matcher`` finds the runs, ``markMoves()`` chooses the runs that move, and a changeset lists the
/// operations.
@usableFromInline
struct Matching: ~Copyable {
  /// The offset of each gap, then the ends of the lines.
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

  /// A matching without runs, in memory for five arrays.
  @inlinable
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
  var gapCount: Int { gapOffsets.count &- 1 }

  /// The lengths of the lines.
  @inlinable
  var lineCount: IndexPair { gapOffsets[gapOffsets.count &- 1].start }

  /// True if unmatched elements are left on either side.
  @inlinable var hasUnmatched: Bool { survivorCount < lineCount.old || survivorCount < lineCount.new }

  /// Adds a run of survivors.
  @inlinable
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
  /// The index of the gap of a position on the old line: O(1) if it is the guess, else O(log gaps).
  @inlinable
  func index(ofOld position: Int, guess: Int) -> Int {
    self[guess].start.old <= position && position < self[guess &+ 1].start.old
      ? guess : search(position, after: guess, isOld: true)
  }

  /// The index of the gap of a position on the new line: O(1) if it is the guess, else O(log gaps).
  @inlinable
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
    // Gaps often have similar lengths: 10,000 rows shuffled in 1,000 sections take 2.7 times as long without this.
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
  init(old: Int, new: Int, count: Int) { self.init(old: old, new: new, count: count, weight: count) }

  @inlinable
  init(old: Int, new: Int, count: Int, weight: Int) {
    // Lines are shorter than `Int32.max`: `Gap` sees to that.
    self.old = Int32(truncatingIfNeeded: old)
    self.new = Int32(truncatingIfNeeded: new)
    self.count = Int32(truncatingIfNeeded: count)
    self.weight = Int32(truncatingIfNeeded: weight)
  }

  /// The positions on the old line.
  @inlinable
  var oldRange: Range<Int> { Int(old)..<Int(old &+ count) }

  /// The positions on the new line.
  @inlinable
  var newRange: Range<Int> { Int(new)..<Int(new &+ count) }

  @inlinable
  var isMoving: Bool { weight < 0 }
}

/// An index before the change together with one after it.
@usableFromInline
package struct IndexPair: BitwiseCopyable {
  @usableFromInline package var old: Int
  @usableFromInline package var new: Int

  @inlinable
  package init(old: Int, new: Int) {
    self.old = old
    self.new = new
  }
}

extension Changeset where Position == Int {
  /// Lists the operations of a matching of a flat list.
  @usableFromInline
  init(_ matching: inout Matching) {
    self.init(&matching, before: { $0.path(ofOld: $1).row }, after: { $0.path(ofNew: $1).row })
  }
}

extension Changeset where Position == RowPath {
  /// Lists the operations of a matching of the rows of sections.
  @usableFromInline
  init(_ matching: inout Matching) {
    self.init(&matching, before: { $0.path(ofOld: $1) }, after: { $0.path(ofNew: $1) })
    if matching.gapCount == 1 { return }
    // The gaps are in the order of the new list. In the old one their sections may have been in another order.
    deletes = deletes.ascending
  }
}

extension Changeset {
  /// Lists the operations of a matching. The runs that move are chosen here.
  /// `before` and `after` convert positions on the lines, in their gaps, to positions in the lists.
  fileprivate init(
    _ matching: inout Matching, before: (GapOffset, Int) -> Position, after: (GapOffset, Int) -> Position
  ) {
    self.init()
    if !matching.isInOrder { matching.markMoves() }
    if matching.gapCount == 1 {
      // For a flat list, searching the gap of each position would take a tenth of the time.
      let only = matching.gapOffsets[0]
      spell(matching, { _ in only }, { _ in only }, before, after)
    } else {
      var (old, new) = (0, 0)
      spell(
        matching,
        { position in
          old = matching.gapOffsets.index(ofOld: position, guess: old)
          return matching.gapOffsets[old]
        },
        { position in
          new = matching.gapOffsets.index(ofNew: position, guess: new)
          return matching.gapOffsets[new]
        }, before, after)
    }
  }

  /// Lists the operations of a matching, with closures that find the gap of a position on each line.
  private mutating func spell(
    _ matching: borrowing Matching, _ oldOffset: (Int) -> GapOffset, _ newOffset: (Int) -> GapOffset,
    _ before: (GapOffset, Int) -> Position, _ after: (GapOffset, Int) -> Position
  ) {
    deletes = makeArray(matching.oldUnmatched.count) { append in
      for index in 0..<matching.oldUnmatched.count {
        let position = Int(matching.oldUnmatched[index].position)
        append(before(oldOffset(position), position))
      }
    }
    inserts = makeArray(matching.newUnmatched.count) { append in
      for index in 0..<matching.newUnmatched.count {
        let position = Int(matching.newUnmatched[index].position)
        append(after(newOffset(position), position))
      }
    }
    moves = makeArray(matching.moveCount) { append in
      for index in 0..<matching.runs.count where matching.runs[index].isMoving {
        let run = matching.runs[index]
        let old = oldOffset(Int(run.old))
        let new = newOffset(Int(run.new))
        // The elements of a run are neighbours in the list, including those without a position of their own.
        for offset in 0..<Int(-run.weight) {
          append(
            Transition(
              from: before(old, Int(run.old) + offset), to: after(new, Int(run.new) + offset)))
        }
      }
    }
    var index = 0
    matching.changed.forEach { position in
      while matching.runs[index].newRange.upperBound <= position { index += 1 }
      let old = Int(matching.runs[index].old) + position - Int(matching.runs[index].new)
      updates.append(
        Transition(
          from: before(oldOffset(old), old),
          to: after(newOffset(position), position)))
    }
  }
}

extension Matching {
  /// Calls the body with the indexes of each survivor of a flat list, in the order of the new list.
  @inlinable
  func forEachPair(_ body: (IndexPair) -> Void) {
    for index in 0..<runs.count {
      for offset in 0..<Int(runs[index].count) {
        body(IndexPair(old: Int(runs[index].old) + offset, new: Int(runs[index].new) + offset))
      }
    }
  }
}

/// Makes an array of a known number of elements, which `fill` appends.
private func makeArray<Element>(_ count: Int, _ fill: (_ append: (Element) -> Void) -> Void)
  -> [Element]
{
  var array: [Element] = []
  if count == 0 { return array }
  array.reserveCapacity(count)
  fill { array.append($0) }
  return array
}

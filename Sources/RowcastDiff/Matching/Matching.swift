/// The pairs of elements that are in both lists.
///
/// The phases of a difference are methods that change this value, each of which ends in ``checkInvariants(_:)``:
/// segments are laid out, a ``Matcher`` finds the runs, ``markMoves()`` chooses the runs that move, and a changeset
/// spells the operations out.
@usableFromInline
struct Matching: ~Copyable {
  /// The segments, and one behind the last that holds the ends of the lines.
  @usableFromInline var segments: ScratchArray<Segment>
  /// The survivors, in the order of the new list between the phases.
  @usableFromInline var runs: ScratchArray<Run>
  /// Room for the runs of the next phase.
  @usableFromInline var spareRuns: ScratchArray<Run>
  /// The positions on the new line of survivors whose content changed.
  @usableFromInline let changed: BitSet
  /// The elements of either side that no run has, ascending, once they are collected.
  @usableFromInline var oldLeftovers: ScratchArray<Leftover>
  @usableFromInline var newLeftovers: ScratchArray<Leftover>
  /// The positions on the old line that runs have.
  @usableFromInline var survivorCount = 0
  /// True if the runs that stay are in the order of the old list, each in its segment.
  @usableFromInline var isInOrder = true
  /// The number of elements that move, once that is known.
  @usableFromInline var moveCount = 0

  /// A matching without runs, of segments that have been laid out, in memory for five arrays.
  @inlinable
  @inline(__always)
  init(_ segments: consuming ScratchArray<Segment>, _ scratch: inout Scratch) {
    changed = BitSet(limit: segments[segments.count - 1].start.new, in: scratch.array(of: UInt64.self))
    runs = scratch.array(of: Run.self)
    spareRuns = scratch.array(of: Run.self)
    oldLeftovers = scratch.array(of: Leftover.self)
    newLeftovers = scratch.array(of: Leftover.self)
    self.segments = segments
  }

  /// The number of segments.
  @inlinable
  @inline(__always)
  var segmentCount: Int { segments.count &- 1 }

  /// The lengths of the lines.
  @inlinable
  @inline(__always)
  var lineCount: IndexPair { segments[segments.count &- 1].start }

  /// True if elements are left on either side.
  @inlinable var hasLeftovers: Bool { survivorCount < lineCount.old || survivorCount < lineCount.new }

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

extension ScratchArray where Element == Segment {
  /// Begins the lines. The last segment holds their ends.
  @inlinable
  @inline(__always)
  mutating func begin() { append(Segment(end: 0, 0)) }

  /// Lays the segment of the next stretch out.
  ///
  /// Inlined, since most lists have one segment, and a call would keep the array in memory instead of registers.
  @inlinable
  @inline(__always)
  mutating func add<Row>(_ stretch: Stretch<Row>) {
    let start = self[count - 1].start
    let (row, shared) = (stretch.row, stretch.sharedCount)
    let rows = IndexPair(old: stretch.old.count, new: stretch.new.count)
    let gap = shared > 0 ? 1 : 0
    let end = IndexPair(old: start.old + rows.old + gap, new: start.new + rows.new + gap)
    let longest = max(end.old, end.new, row.old + rows.old + shared, row.new + rows.new + shared)
    precondition(longest < Int32.max, "The differ takes fewer than \(Int32.max) rows, not \(longest)")
    self[count - 1] = Segment(start: start, section: stretch.section, row: row, sharedCount: shared)
    append(Segment(end: end.old, end.new))
  }

  /// The index of the segment of a position on the old line: O(1) if it is the guess, else O(log segments).
  @inlinable
  @inline(__always)
  func index(ofOld position: Int, guess: Int) -> Int {
    self[guess].start.old <= position && position < self[guess &+ 1].start.old
      ? guess : search(position, after: guess, isOld: true)
  }

  /// The index of the segment of a position on the new line: O(1) if it is the guess, else O(log segments).
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
    let (next, segmentCount) = (guess &+ 1, count &- 1)
    // Most positions are looked up in order.
    if next < segmentCount, start(next) <= position, position < start(next &+ 1) { return next }
    // Segments are often of like length.
    let likely = position * segmentCount / max(1, start(segmentCount))
    if start(likely) <= position, position < start(likely + 1) { return likely }
    var (low, high) = (0, segmentCount)
    while high - low > 1 {
      let middle = (low + high) / 2
      if start(middle) <= position { low = middle } else { high = middle }
    }
    return low
  }
}

/// Chooses which survivors move: as few as possible.
///
/// Those that stay are a longest increasing subsequence of the survivors' old positions, in the order of the new list.
/// A run stays or moves as a whole: no other survivor lies between two of its elements on either side. The segments
/// stand in the same order on both lines, and so the subsequence of the whole line is that of each section. Elements
/// that changed their section take no part: they move.
///
/// The runs fall into *tangles*: the shortest stretches of runs that hold the same elements on both sides. A tangle of
/// one run stays. Where several subsequences of a tangle are equally long, one is preferred that leaves those rows to
/// the moves whose content changed, and among these one that leaves them the longer ways; see ``Tangle``.
extension Matching {
  /// Marks the runs that move.
  ///
  /// - Complexity: O(r) steps for r runs, each of few words of bits.
  @usableFromInline
  mutating func markMoves() {
    joinRuns()
    withScratch { scratch in
      // For each run, the least old position at which it or a later one begins, of those that did not change their section.
      var least = scratch.array(of: Int32.self)
      least.fill(runs.count + 1, with: .max)
      for index in (0..<runs.count).reversed() {
        least[index] = min(least[index + 1], runs[index].isMoving ? .max : runs[index].old)
      }
      var (start, greatest) = (0, Int32(-1))
      for index in 0..<runs.count {
        let run = runs[index]
        if !run.isMoving { greatest = max(greatest, run.old + run.count - 1) }
        if greatest < least[index + 1] {
          if index > start { markMoves(in: start..<index + 1, oldPositions: Int(least[start])..<Int(greatest) + 1) }
          start = index + 1
        }
      }
    }
    checkInvariants("choosing moves")
  }

  /// Joins runs that are neighbours on both sides.
  ///
  /// Joining makes the runs the same however they were found, and with them the choice of what moves.
  private mutating func joinRuns() {
    var (segment, count, segmentEnd) = (0, 0, segments[1].newStart)
    // The run before, unless it changed its section or is in another one.
    var last = Run(old: -1, new: -1, count: 0)
    for index in 0..<runs.count {
      var run = runs[index]
      if run.new >= segmentEnd {
        let section = segments[segment].newSection
        segment = segments.index(ofNew: Int(run.new), guess: segment + 1)
        segmentEnd = segments[segment + 1].newStart
        if segments[segment].newSection != section { last.count = 0 }
      }
      if run.isMoving {
        moveCount -= Int(run.weight)
        last.count = 0
      } else if last.count > 0, last.old + last.count == run.old, last.new + last.count == run.new {
        run = Run(
          old: Int(last.old), new: Int(last.new), count: Int(last.count + run.count),
          weight: Int(last.weight + run.weight))
        count -= 1
        last = run
      } else {
        last = run
      }
      runs[count] = run
      count += 1
    }
    runs.truncate(to: count)
  }

  /// Marks the moves in a tangle.
  private mutating func markMoves(in members: Range<Int>, oldPositions: Range<Int>) {
    members.count <= Tangle.preferenceLimit
      ? markPreferredMoves(in: members) : markFewestMoves(in: members, oldPositions: oldPositions)
  }

  /// Marks the moves in a tangle of many runs.
  ///
  /// The method is patience sorting with predecessor links (M. L. Fredman, "On computing the length of longest
  /// increasing subsequences", 1975), for runs. Each *tail* ends the heaviest subsequence that was found so far and does
  /// not go on above it. A run adds a tail for each of its positions, and takes as many of the next greater tails away.
  /// As no other run lies between two positions of one, the tail below any position is always the last of a run.
  private mutating func markFewestMoves(in members: Range<Int>, oldPositions: Range<Int>) {
    withScratch { scratch in
      let base = oldPositions.lowerBound
      let tails = PositionSet(limit: oldPositions.count, in: scratch.array(of: UInt64.self))
      // What a tail adds to the weight of the tail below; empty for as long as that is 1 for all.
      var weights = scratch.array(of: Int32.self)
      var predecessors = scratch.array(of: Int32.self)
      predecessors.reserve(members.count)
      // The greatest tail: most runs come after it.
      var greatest = -1
      for index in members {
        let run = runs[index]
        guard !run.isMoving else {
          predecessors.append(-1)
          continue
        }
        let positions = Int(run.old) - base..<Int(run.old + run.count) - base
        var tail = greatest
        if positions.lowerBound > greatest {
          greatest = positions.upperBound - 1
        } else {
          tail = tails.last(below: positions.lowerBound)
          if weights.isEmpty {
            tails.remove(Int(run.weight), above: positions.lowerBound)
          } else {
            tails.remove(run.weight, above: positions.lowerBound, weights)
          }
          if !tails.contains(greatest) { greatest = positions.upperBound - 1 }
        }
        predecessors.append(Int32(truncatingIfNeeded: tail))
        tails.insert(positions)
        if run.weight > run.count {
          if weights.isEmpty { weights.fill(oldPositions.count, with: 1) }
          weights[positions.upperBound - 1] = run.weight - run.count + 1
        }
      }
      var expected = greatest
      for index in members.reversed() where !runs[index].isMoving {
        if runs[index].oldRange.upperBound - 1 - base == expected {
          expected = Int(predecessors[index - members.lowerBound])
        } else {
          move(index)
        }
      }
    }
  }

  /// Marks the moves in a tangle of few runs: of all subsequences with the most elements those with the best score.
  private mutating func markPreferredMoves(in members: Range<Int>) {
    withScratch { scratch in
      var rows = scratch.array(of: IndexPair.self)
      var scores = scratch.array(of: Tangle.Score.self)
      var predecessors = scratch.array(of: Int32.self)
      segments.collectRows(of: runs, members, in: &rows)
      var (origin, best) = (IndexPair(old: .max, new: .max), -1)
      for index in 0..<rows.count where !runs[members.lowerBound + index].isMoving {
        origin = IndexPair(old: min(origin.old, rows[index].old), new: min(origin.new, rows[index].new))
      }
      for index in members {
        let run = runs[index]
        let row = rows[scores.count]
        var (score, predecessor) = (Tangle.Score(), -1)
        if !run.isMoving {
          for earlier in 0..<scores.count where rows[earlier].old < row.old && score < scores[earlier] {
            (score, predecessor) = (scores[earlier], earlier)
          }
          let weight = Int(run.weight)
          score.add(
            Tangle.Score(
              weight: weight, unchangedCount: weight - changed.count(in: run.newRange),
              way: (row.new - origin.new) - (row.old - origin.old)))
          if best < 0 || scores[best] < score { best = scores.count }
        }
        scores.append(score)
        predecessors.append(Int32(truncatingIfNeeded: predecessor))
      }
      for offset in (0..<members.count).reversed() where !runs[members.lowerBound + offset].isMoving {
        if offset == best { best = Int(predecessors[offset]) } else { move(members.lowerBound + offset) }
      }
    }
  }

  private mutating func move(_ index: Int) {
    moveCount += Int(runs[index].weight)
    runs[index].weight = -runs[index].weight
  }
}

extension ScratchArray where Element == Segment {
  /// Collects the indexes, in their section, at which runs begin.
  fileprivate func collectRows(
    of runs: borrowing ScratchArray<Run>, _ members: Range<Int>, in rows: inout ScratchArray<IndexPair>
  ) {
    var (oldSegment, newSegment) = (0, 0)
    for index in members {
      let run = runs[index]
      if run.isMoving {
        rows.append(IndexPair(old: 0, new: 0))
        continue
      }
      newSegment = self.index(ofNew: Int(run.new), guess: newSegment)
      oldSegment = self.index(ofOld: Int(run.old), guess: newSegment)
      rows.append(
        IndexPair(
          old: self[oldSegment].path(ofOld: Int(run.old)).row, new: self[newSegment].path(ofNew: Int(run.new)).row))
    }
  }
}

extension PositionSet {
  /// Takes the least members above a position out, until they have some weight together, the last perhaps in part.
  @inline(__always)
  fileprivate func remove(_ weight: Int32, above position: Int, _ weights: borrowing ScratchArray<Int32>) {
    var rest = weight
    while rest > 0 {
      let member = first(above: position)
      if member < 0 { return }
      if weights[member] > rest {
        weights[member] -= rest
        return
      }
      rest -= weights[member]
      remove(member)
    }
  }
}

/// A stretch of runs that hold the same elements on both sides, and that cannot be cut.
enum Tangle {
  /// Tangles of more runs than this have no preference among moves that are equally few.
  static let preferenceLimit = 32

  /// What it is worth that runs stay. A greater score is a better choice.
  struct Score: BitwiseCopyable, Comparable {
    /// How many rows stay, and among equal numbers how many of them are unchanged.
    private var rows = 0
    /// The less, the farther the rows that stay would have gone.
    private var nearness = 0
    /// The less, the more of the rows that stay would have gone down.
    private var height = 0

    init() {}

    init(weight: Int, unchangedCount: Int, way: Int) {
      // Below 2³¹ rows there is room for both counts. Ways are capped, so that no sum overflows.
      rows = weight << 32 + unchangedCount
      nearness = -min(weight, 1 << 24) * min(abs(way), 1 << 24)
      height = way > 0 ? -weight : 0
    }

    mutating func add(_ other: Score) {
      rows += other.rows
      nearness += other.nearness
      height += other.height
    }

    static func < (lhs: Score, rhs: Score) -> Bool {
      if lhs.rows != rhs.rows { return lhs.rows < rhs.rows }
      return lhs.nearness == rhs.nearness ? lhs.height < rhs.height : lhs.nearness < rhs.nearness
    }
  }
}

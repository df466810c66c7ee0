/// Chooses the survivors that move: as few as possible.
///
/// The others are a longest increasing subsequence of the survivors' old positions, in the order of the new list.
/// A run stays or moves as a whole: no other survivor lies between two of its elements on either side. The gaps
/// have the same order on both lines, so one subsequence of the whole line serves every section. Elements that changed their
/// section are not considered: they move.
///
/// The runs fall into *groups*: the shortest sequences of runs that have the same elements on both sides. A group of
/// one run stays. Of several equally long subsequences, the choice prefers to move rows whose content changed, then rows
/// that go farther; see ``MoveGroup``.
extension Matching {
  /// Marks the runs that move.
  ///
  /// - Complexity: O(r) steps for r runs, each of few words of bits.
  @usableFromInline
  mutating func markMoves() {
    withScratch { scratch in
      var groups = scratch.array(of: MoveGroup.self)
      collectGroups(&groups)
      for index in 0..<groups.count {
        if groups[index].count == 1 { continue }
        let end = index + 1 < groups.count ? Int(groups[index + 1].first) : runs.count
        let members = Int(groups[index].first)..<end
        let (first, second) = (members.lowerBound, members.lowerBound + 1)
        // Most groups are a row and those that it passed: weighing these as others would take a quarter more of a difference.
        if members.count == 2, runs[first].weight != runs[second].weight {
          move(runs[first].weight < runs[second].weight ? first : second)
        } else if members.count <= MoveGroup.preferenceLimit {
          markPreferredMoves(in: members)
        } else {
          markMoves(in: members, oldPositions: Int(groups[index].least)..<Int(groups[index].greatest) + 1)
        }
      }
    }
    checkInvariants("choosing moves")
  }

  /// Joins runs that are neighbours on both sides, marks the runs that changed their section, and cuts the others into
  /// groups.
  ///
  /// Joining makes the runs, and so the choice of moves, independent of how the runs were found. The stack has the groups of the
  /// runs so far, except the last. A run that is before some of them in the old list merges these.
  private mutating func collectGroups(_ groups: inout ScratchArray<MoveGroup>) {
    var (oldGap, newGap, count) = (0, 0, 0)
    // The run before, unless it changed its section.
    var last = Run(old: -1, new: -1, count: 0)
    var top = MoveGroup(first: 0, count: 0, least: -1, greatest: -1)
    for index in 0..<runs.count {
      var run = runs[index]
      if gapCount > 1 {
        newGap = gapOffsets.index(ofNew: Int(run.new), guess: newGap)
        oldGap = gapOffsets.index(ofOld: Int(run.old), guess: newGap)
        let section = gapOffsets[newGap].newSection
        if gapOffsets[oldGap].newSection != section {
          moveCount += Int(run.weight)
          run.weight = -run.weight
          runs[count] = run
          count += 1
          last.count = 0
          continue
        }
      }
      if last.count > 0, last.old + last.count == run.old, last.new + last.count == run.new {
        last.count += run.count
        last.weight += run.weight
        runs[count - 1] = last
        continue
      }
      if run.old > top.greatest {
        if top.count > 0 { groups.append(top) }
        top = MoveGroup(first: Int32(truncatingIfNeeded: count), count: 1, least: run.old, greatest: run.old)
      } else {
        top.count += 1
        top.least = min(top.least, run.old)
        while groups.count > 0, groups[groups.count - 1].greatest > run.old {
          top.join(groups[groups.count - 1])
          groups.removeLast()
        }
      }
      last = run
      runs[count] = run
      count += 1
    }
    if top.count > 0 { groups.append(top) }
    runs.truncate(to: count)
  }

  /// Marks the moves in a group of many runs.
  ///
  /// The method is patience sorting with predecessor links (M. L. Fredman, "On computing the length of longest
  /// increasing subsequences", 1975), for weighted elements. Each *tail* is the last element of the heaviest subsequence so far
  /// that ends there, and has a weight: the amount that it adds to the weight of the tail below. A run becomes a tail, and its
  /// weight is subtracted from the weights of the next greater tails.
  private mutating func markMoves(in members: Range<Int>, oldPositions: Range<Int>) {
    withScratch { scratch in
      let base = oldPositions.lowerBound
      let tails = PositionSet(limit: oldPositions.count, in: scratch.array(of: UInt64.self))
      // Tails that weigh more than 1. Most weigh 1, and these need no access to the weights.
      let heavy = BitSet(limit: oldPositions.count, in: scratch.array(of: UInt64.self))
      var weights = scratch.array(of: Int32.self)
      var predecessors = scratch.array(of: Int32.self)
      predecessors.reserve(members.count)
      // The greatest tail: most runs are above it.
      var greatest = -1
      for index in members {
        let run = runs[index]
        guard !run.isMoving else {
          predecessors.append(-1)
          continue
        }
        let position = Int(run.old) - base
        if position > greatest {
          predecessors.append(Int32(truncatingIfNeeded: greatest))
          greatest = position
        } else {
          predecessors.append(Int32(truncatingIfNeeded: tails.last(below: position)))
          var rest = run.weight
          while rest > 0 {
            let tail = tails.first(above: position)
            let weight = heavy.contains(tail) ? weights[tail] : 1
            if weight > rest {
              weights[tail] = weight - rest
            } else {
              tails.remove(tail)
              if tail == greatest {
                greatest = position
                break
              }
            }
            rest -= weight
          }
        }
        tails.insert(position)
        if run.weight > 1 {
          if weights.isEmpty { weights.fill(oldPositions.count, with: 0) }
          heavy.insert(position)
          weights[position] = run.weight
        }
      }
      var expected = greatest
      for index in members.reversed() where !runs[index].isMoving {
        if Int(runs[index].old) - base == expected {
          expected = Int(predecessors[index - members.lowerBound])
        } else {
          move(index)
        }
      }
    }
  }

  /// The value of a choice of runs that stay; greater is better. `rows` is the number of rows that stay, with the number of
  /// unchanged ones in the low half. The others decrease: `nearness` with the distances of the rows that stay although they could
  /// move, `height` with the number of rows that stay although they could move down.
  private typealias Score = (rows: Int, nearness: Int, height: Int)

  /// Marks the moves in a group of few runs: of the subsequences with the most elements, the one with the best score stays.
  private mutating func markPreferredMoves(in members: Range<Int>) {
    withScratch { scratch in
      var rows = scratch.array(of: IndexPair.self)
      var scores = scratch.array(of: Score.self)
      var predecessors = scratch.array(of: Int32.self)
      gapOffsets.collectRows(of: runs, members, in: &rows)
      var (origin, best) = (IndexPair(old: .max, new: .max), -1)
      for index in 0..<rows.count where !runs[members.lowerBound + index].isMoving {
        origin = IndexPair(old: min(origin.old, rows[index].old), new: min(origin.new, rows[index].new))
      }
      for index in members {
        let run = runs[index]
        let row = rows[scores.count]
        var (score, predecessor) = (Score(0, 0, 0), -1)
        if !run.isMoving {
          for earlier in 0..<scores.count where rows[earlier].old < row.old && score < scores[earlier] {
            (score, predecessor) = (scores[earlier], earlier)
          }
          let weight = Int(run.weight)
          let way = (row.new - origin.new) - (row.old - origin.old)
          // Both counts are below 2³¹. Distances are capped, so that no sum overflows.
          score.rows += weight << 32 + weight - changed.count(in: run.newRange)
          score.nearness -= min(weight, 1 << 24) * min(abs(way), 1 << 24)
          score.height -= way > 0 ? weight : 0
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

extension ScratchArray where Element == GapOffset {
  /// Collects the indexes, in their section, at which runs begin.
  fileprivate func collectRows(
    of runs: borrowing ScratchArray<Run>, _ members: Range<Int>, in rows: inout ScratchArray<IndexPair>
  ) {
    var (oldGap, newGap) = (0, 0)
    for index in members {
      let run = runs[index]
      newGap = self.index(ofNew: Int(run.new), guess: newGap)
      oldGap = self.index(ofOld: Int(run.old), guess: newGap)
      rows.append(
        IndexPair(
          old: self[oldGap].path(ofOld: Int(run.old)).row, new: self[newGap].path(ofNew: Int(run.new)).row))
    }
  }
}

/// A sequence of runs that have the same elements on both sides and cannot be split: its moves are chosen independently.
struct MoveGroup: BitwiseCopyable {
  /// The index of its first run.
  var first: Int32
  /// The number of its runs, without runs that changed their section.
  var count: Int32
  /// The least and the greatest old position at which one of its runs begins.
  var least: Int32
  var greatest: Int32

  /// Merges the group before this one into it.
  mutating func join(_ below: MoveGroup) {
    first = below.first
    count += below.count
    least = min(below.least, least)
  }

  /// Groups of more runs than this have no preference among moves that are equally few.
  static let preferenceLimit = 32
}

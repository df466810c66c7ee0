/// Which survivors stay where they are: as many as possible. The others move.
///
/// Those that stay are a longest increasing subsequence of the survivors' old positions, in the order of the new list.
/// Each segment has positions of its own on the line, and so the subsequence of the whole line is that of each segment.
/// Elements that changed their segment take no part.
///
/// The method is patience sorting with predecessor links (M. L. Fredman, "On computing the length of longest increasing
/// subsequences", 1975). Its *tails* are kept as a set of positions: the k-th member ends the best subsequence of
/// length k that was found so far. An element takes the place of the next greater tail. A run of elements takes the
/// places of as many, all at once, as no other element lies between two of its own; and so the tail below any position
/// is always the last element of a run.
struct StayingRuns {
  private let runs: [Run]
  /// For each run, the last element of the run before it in its subsequence, or -1; for those that changed their
  /// segment anything.
  private let predecessors: [Int32]
  /// The last element of the best subsequence, or -1.
  private let last: Int
  /// The number of elements that move.
  let moveCount: Int

  /// Finds out who stays.
  ///
  /// - Complexity: O(r) steps for r runs, each of few words of bits, and one more for 64 elements.
  init(_ matching: Matching) {
    runs = matching.found
    let tails = PositionSet(limit: matching.oldLine.count)
    var end = (length: 0, greatest: -1)
    predecessors = Array(unsafeUninitializedCapacity: matching.found.count) { predecessors, count in
      end = Self.place(matching, in: tails, predecessors)
      count = matching.found.count
    }
    last = end.greatest
    moveCount = matching.survivorCount - end.length
  }

  /// Places all runs, one after the other.
  ///
  /// - Parameters:
  ///   - matching: The runs.
  ///   - tails: The tails, none at first.
  ///   - predecessors: Room for the predecessor of each run.
  /// - Returns: The length of the best subsequence, and its last element.
  private static func place(
    _ matching: Matching, in tails: borrowing PositionSet, _ predecessors: UnsafeMutableBufferPointer<Int32>
  ) -> (length: Int, greatest: Int) {
    // The greatest tail: most runs come after it.
    var greatest = -1
    var length = 0
    var segment = 0
    var (oldBounds, newBounds) = (matching.oldLine.bounds(of: 0), matching.newLine.bounds(of: 0))
    for (index, run) in matching.found.enumerated() {
      if run.new >= newBounds.upperBound {
        segment = matching.newLine.segment(of: Int(run.new), guess: segment + 1)
        (oldBounds, newBounds) = (matching.oldLine.bounds(of: segment), matching.newLine.bounds(of: segment))
      }
      var tail = -1
      if oldBounds.contains(Int(run.old)) {
        length += Int(run.count)
        if Int(run.old) > greatest {
          tail = greatest
          greatest = run.oldRange.upperBound - 1
        } else {
          tail = tails.last(below: Int(run.old))
          length -= tails.remove(Int(run.count), above: Int(run.old))
          if !tails.contains(greatest) { greatest = run.oldRange.upperBound - 1 }
        }
        tails.insert(run.oldRange)
      }
      predecessors.initializeElement(at: index, to: Int32(truncatingIfNeeded: tail))
    }
    return (length, greatest)
  }

  /// Calls `body` with the old and the new position of each element that moves, the last in the new list first.
  @inline(__always)
  func forEachMoveFromEnd(_ body: (_ old: Int, _ new: Int) -> Void) {
    var expected = last
    for index in runs.indices.reversed() {
      let run = runs[index]
      var offset = Int(run.count) - 1
      if Int(run.old) + offset == expected {
        expected = Int(predecessors[index])
        continue
      }
      while offset >= 0 {
        body(Int(run.old) + offset, Int(run.new) + offset)
        offset -= 1
      }
    }
  }
}

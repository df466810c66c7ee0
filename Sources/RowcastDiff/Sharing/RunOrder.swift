/// Which of the runs that survived have to move: all but those of the heaviest increasing subsequence.
///
/// A run stays or moves as a whole: no other survivor lies between two of its elements on either side, so that a longest
/// increasing subsequence that has one of them can have all.
struct RunOrder {
  /// Whether all runs are in the same order on both sides.
  let isAscending: Bool
  /// The indexes of the runs that move, ascending.
  private(set) var movers: [Int] = []

  /// - Parameters:
  ///   - runs: The runs, in the order of the list after the change.
  ///   - travels: Whether a run moves whatever the others do.
  /// - Complexity: O(r), and O(r log r) if they are not in order.
  init(_ runs: [SharedRun], travels: (SharedRun) -> Bool) {
    var isAscending = true
    var areStayersAscending = true
    var (end, stayerEnd) = (0, 0)
    var stayers: [Int] = []
    stayers.reserveCapacity(runs.count)
    for (index, run) in runs.enumerated() {
      if run.before < end { isAscending = false }
      end = run.before + run.count
      if travels(run) {
        movers.append(index)
      } else {
        if run.before < stayerEnd { areStayersAscending = false }
        stayerEnd = end
        stayers.append(index)
      }
    }
    self.isAscending = isAscending
    guard !areStayersAscending else { return }
    let staying = Self.heaviest(stayers, in: runs)
    for (index, stays) in zip(stayers, staying) where !stays { movers.append(index) }
    movers.sort()
  }

  /// Marks the members of the heaviest increasing subsequence.
  ///
  /// The best weight that ends below a place, for every place, in a binary indexed tree of maxima (P. M. Fenwick, "A new
  /// data structure for cumulative frequency tables", 1994). Patience sorting would take a step for each element; here
  /// a run may stand for a million.
  private static func heaviest(_ chosen: [Int], in runs: [SharedRun]) -> [Bool] {
    var ranks = Array(repeating: 0, count: chosen.count)
    let order = chosen.indices.sorted { runs[chosen[$0]].before < runs[chosen[$1]].before }
    for (rank, index) in order.enumerated() { ranks[index] = rank + 1 }

    var weights = Array(repeating: 0, count: chosen.count)
    var predecessors = Array(repeating: -1, count: chosen.count)
    // By rank: the member with which the heaviest subsequence of a range of ranks ends.
    var best = Array(repeating: -1, count: chosen.count + 1)
    var last = -1
    // Of subsequences of one weight the one that ends lower: it is what patience sorting comes to.
    func beats(_ index: Int, _ other: Int) -> Bool {
      if index < 0 || other < 0 { return index >= 0 }
      return weights[index] == weights[other] ? ranks[index] < ranks[other] : weights[index] > weights[other]
    }
    for index in chosen.indices {
      var predecessor = -1
      var rank = ranks[index] - 1
      while rank > 0 {
        if beats(best[rank], predecessor) { predecessor = best[rank] }
        rank &= rank - 1
      }
      predecessors[index] = predecessor
      weights[index] = runs[chosen[index]].count + (predecessor < 0 ? 0 : weights[predecessor])
      rank = ranks[index]
      while rank <= chosen.count {
        if beats(index, best[rank]) { best[rank] = index }
        rank += rank & -rank
      }
      if beats(index, last) { last = index }
    }
    var members = Array(repeating: false, count: chosen.count)
    while last >= 0 {
      members[last] = true
      last = predecessors[last]
    }
    return members
  }
}

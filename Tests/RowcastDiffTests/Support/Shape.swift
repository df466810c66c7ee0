/// The shapes of change that make some differs slow or wrong.
enum Shape: CaseIterable {
  case unchanged, reversal, rotation, disjoint, interleaving, halfReplaced, allEqualIDs, oneRow, empty, fromEmpty,
    toEmpty
  case shuffle, blockSwap, everyOtherDeleted, runsOfNine
  case editedReversal, blocksOfBothKinds, newBetweenBlocks, growingFromBelow, scattered, scatteredWidely

  /// The ids before and after, for a list of about `count`. The ids before count from 0 on, unless all are equal.
  func ids(count: Int) -> (old: [Int], new: [Int]) {
    var random = SeededGenerator(seed: 7)
    let old = Array(0..<count)
    switch self {
    case .unchanged: return (old, old)
    case .reversal: return (old, old.reversed())
    case .rotation: return (old, Array(old[(count / 3)...] + old[..<(count / 3)]))
    case .disjoint: return (old, Array(count..<2 * count))
    case .interleaving: return (old, old.flatMap { [$0, $0 + count] })
    case .halfReplaced: return (old, old.map { Bool.random(using: &random) ? $0 : $0 + count })
    case .allEqualIDs:
      return (Array(repeating: 1, count: count), [2] + Array(repeating: 1, count: count * 9 / 10) + [3])
    case .oneRow: return ([0], [1])
    case .empty: return ([], [])
    case .fromEmpty: return ([], old)
    case .toEmpty: return (old, [])
    case .shuffle: return (old, old.shuffled(using: &random))
    case .blockSwap:
      let (third, half) = (count / 3, count / 2)
      return (old, Array(old[half...] + old[third..<half] + old[..<third]))
    case .everyOtherDeleted: return (old, old.filter { $0 % 2 == 0 })
    case .runsOfNine:
      // One more element than the search ahead reaches is removed before every pair that stays.
      return (old, old.filter { $0 % 11 < 2 })
    case .editedReversal:
      var new = Array(old.reversed().filter { $0 % 50 != 7 })
      for index in stride(from: 40, to: count * 4 / 5, by: 45) { new.insert(count + index, at: index) }
      return (old, new)
    case .blocksOfBothKinds:
      // Blocks in another order, every other one turned round.
      let size = count / 12
      let blocks = [7, 2, 11, 0, 5, 9, 4, 1, 10, 3, 8, 6].map { Array(old[$0 * size..<($0 + 1) * size]) }
      return (old, blocks.enumerated().flatMap { $0 % 2 == 0 ? $1 : $1.reversed() })
    case .newBetweenBlocks:
      // Anchors find all that is old: what is new stays new.
      return (old, Array(old[(count / 2)...]) + Array(count..<2 * count) + Array(old[..<(count / 2)]))
    case .growingFromBelow:
      // First a block from the top, which is not what stays; then what stays, one by one, between what runs downwards.
      let top = count * 7 / 10
      let between = zip(stride(from: 0, to: top, by: 2), stride(from: top - 1, to: 0, by: -2))
      return (old, Array(old[top...]) + between.flatMap { [$0, $1] })
    case .scattered, .scatteredWidely:
      // Most of the list is thinned out, so that the positions of the remaining elements do not grow evenly.
      var new = old.filter { $0 >= count * 3 / 4 || $0 % 3 == 0 }
      for index in 0..<(self == .scattered ? count / 100 : count / 5) {
        let row = new.remove(at: Int.random(in: 0..<new.count, using: &random))
        new.insert(index % 2 == 0 ? row : count + index, at: Int.random(in: 0..<new.count, using: &random))
      }
      return (old, new)
    }
  }

  /// The most comparisons of ids, and hashes, of a list of `count`, where they are few: comparing finds nearly all.
  func bounds(count: Int) -> (comparisons: Int?, hashes: Int?) {
    switch self {
    case .reversal: (count + 60, 0)
    case .interleaving: (nil, 0)
    // Hardly more than the inserted and removed elements, and their neighbours.
    case .editedReversal: (nil, count / 25)
    // The anchors, and the elements before the first anchor of each block.
    case .blocksOfBothKinds: (nil, count / 32 + 12 * 40)
    // Each id of both sides once, and hardly more than one in 32 again.
    case .shuffle: (nil, 2 * count + count / 20)
    default: (nil, nil)
    }
  }
}

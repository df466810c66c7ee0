import RowcastTestSupport

/// The shapes of change that make some differs slow or wrong.
enum Shape: CaseIterable {
  case unchanged, reversal, rotation, disjoint, interleaving, halfReplaced, allEqualIDs, oneRow, empty, fromEmpty,
    toEmpty
  case shuffle, blockSwap, everyOtherDeleted, runsOfNine

  /// The ids before and after, for a list of about `count`.
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
    case .oneRow: return ([1], [2])
    case .empty: return ([], [])
    case .fromEmpty: return ([], old)
    case .toEmpty: return (old, [])
    case .shuffle: return (old, old.shuffled(using: &random))
    case .blockSwap:
      let (third, half) = (count / 3, count / 2)
      return (old, Array(old[half...] + old[third..<half] + old[..<third]))
    case .everyOtherDeleted: return (old, old.filter { $0 % 2 == 0 })
    case .runsOfNine:
      // One more than the search ahead reaches is gone before every pair that stays.
      return (old, old.filter { $0 % 11 < 2 })
    }
  }
}

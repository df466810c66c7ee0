/// A set of positions that finds the neighbours of a position in few steps.
///
/// One bit for each position, and above the bits two levels of summaries: a bit of a summary says whether a word of the
/// level below has a bit. A word of the highest level covers 262,144 positions.
///
/// Words are reached without a check: positions are checked to be below the limit that the levels were made for, and
/// every other index comes from a bit that was set.
struct PositionSet: ~Copyable {
  /// The bits of all levels, the lowest first.
  private let levels: ScratchArray<UInt64>
  /// Where the words of the second and of the third level begin.
  private let words: Int
  private let groups: Int
  /// The upper bound of all positions.
  private let limit: Int

  /// The empty set of positions below `limit`, in borrowed memory.
  init(limit: Int, in memory: consuming ScratchArray<UInt64>) {
    self.limit = limit
    words = (limit + 63) >> 6
    groups = words + (words + 63) >> 6
    var memory = memory
    memory.fill(groups + (groups - words + 63) >> 6, with: 0)
    levels = memory
  }

  /// The greatest member below a position, or -1.
  func last(below position: Int) -> Int {
    check(position)
    let word = position >> 6
    let group = word >> 6
    let near = self[word] & below(position)
    let far = self[words + group] & below(word)
    if near | far == 0 { return last(beforeGroup: group) }
    // There is no branch, since the word that holds it is hard to predict.
    let found = near != 0 ? word : group << 6 | highest(far)
    return found << 6 | highest(self[found] & (near != 0 ? below(position) : ~0))
  }

  /// The least member above a position, or -1.
  func first(above position: Int) -> Int {
    check(position)
    let word = position >> 6
    let group = word >> 6
    let near = self[word] & above(position)
    let far = self[words + group] & above(word)
    if near | far == 0 { return first(afterGroup: group) }
    let found = near != 0 ? word : group << 6 | far.trailingZeroBitCount
    return found << 6 | (self[found] & (near != 0 ? above(position) : ~0)).trailingZeroBitCount
  }

  /// Adds a position.
  func insert(_ position: Int) {
    check(position)
    self[position >> 6] |= bit(position)
    self[words + position >> 12] |= bit(position >> 6)
    self[groups + position >> 18] |= bit(position >> 12)
    checkSummaries(of: position)
  }

  /// Removes a member.
  func remove(_ position: Int) {
    check(position)
    let word = self[position >> 6] & ~bit(position)
    self[position >> 6] = word
    // There is no branch, since the last member of a word is hard to predict.
    let summary = self[words + position >> 12] & ~(word == 0 ? bit(position >> 6) : 0)
    self[words + position >> 12] = summary
    if summary == 0 { self[groups + position >> 18] &= ~bit(position >> 12) }
    checkSummaries(of: position)
  }

  /// Checks, in debug builds, that the summaries of a position's word and of its group are right.
  private func checkSummaries(of position: Int) {
    assert(
      (self[position >> 6] != 0) == (self[words + position >> 12] & bit(position >> 6) != 0)
        && (self[words + position >> 12] != 0) == (self[groups + position >> 18] & bit(position >> 12) != 0),
      "the summaries of position \(position) are wrong")
  }

  // MARK: - Steps

  /// A word of any level.
  private subscript(index: Int) -> UInt64 {
    get { unsafe levels[unchecked: index] }
    nonmutating set { unsafe levels[unchecked: index] = newValue }
  }

  private func check(_ position: Int) {
    precondition(
      position >= 0 && position < limit, "Position \(position) is out of range 0..<\(limit)")
  }

  private func bit(_ index: Int) -> UInt64 { 1 << UInt64(truncatingIfNeeded: index & 63) }

  /// The bits below an index in its word.
  private func below(_ index: Int) -> UInt64 { bit(index) &- 1 }

  /// The bits above an index in its word.
  private func above(_ index: Int) -> UInt64 { ~(bit(index) | below(index)) }

  private func highest(_ word: UInt64) -> Int { 63 &- word.leadingZeroBitCount }

  /// The greatest member of the groups before one, or -1.
  private func last(beforeGroup group: Int) -> Int {
    var summary = group >> 6
    var near = self[groups + summary] & below(group)
    while near == 0 {
      if summary == 0 { return -1 }
      summary -= 1
      near = self[groups + summary]
    }
    let group = summary << 6 | highest(near)
    let word = group << 6 | highest(self[words + group])
    return word << 6 | highest(self[word])
  }

  /// The least member of the groups after one, or -1.
  private func first(afterGroup group: Int) -> Int {
    var summary = group >> 6
    var near = self[groups + summary] & above(group)
    while near == 0 {
      summary += 1
      if groups + summary == levels.count { return -1 }
      near = self[groups + summary]
    }
    let group = summary << 6 | near.trailingZeroBitCount
    let word = group << 6 | self[words + group].trailingZeroBitCount
    return word << 6 | self[word].trailingZeroBitCount
  }
}

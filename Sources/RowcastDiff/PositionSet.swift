/// A set of positions that finds the neighbours of a position in few steps.
///
/// One bit for each position, and above that two levels of summaries: a bit of a summary says whether a word of the
/// level below has a bit. A word of the highest level stands for 262,144 positions.
///
/// Words are reached without a check: positions are checked to be below the limit that the levels were made for, and
/// every other index comes from a bit that was set.
struct PositionSet: ~Copyable {
  /// The bits of all levels, the lowest first.
  private let levels: ScratchArray<UInt64>
  /// Where the words of the second and of the third level begin.
  private let words: Int
  private let groups: Int
  /// What all positions are below.
  private let limit: Int

  /// The empty set of positions below `limit`, in memory that is lent.
  init(limit: Int, in memory: consuming ScratchArray<UInt64>) {
    self.limit = limit
    words = (limit + 63) >> 6
    groups = words + (words + 63) >> 6
    var memory = memory
    memory.fill(groups + (groups - words + 63) >> 6, with: 0)
    levels = memory
  }

  /// The greatest member below a position, or -1.
  @inline(__always)
  func last(below position: Int) -> Int {
    check(position)
    let word = position >> 6
    let group = word >> 6
    let near = self[word] & below(position)
    let far = self[words + group] & below(word)
    if near | far == 0 { return last(beforeGroup: group) }
    // In this word or in another one: that is hard to predict, and so there is no branch.
    let found = near != 0 ? word : group << 6 | highest(far)
    return found << 6 | highest(self[found] & (near != 0 ? below(position) : ~0))
  }

  /// The least member above a position, or -1.
  @inline(__always)
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

  @inline(__always)
  func contains(_ position: Int) -> Bool {
    check(position)
    return self[position >> 6] & bit(position) != 0
  }

  /// Adds a range of positions, which is not empty.
  @inline(__always)
  func insert(_ range: Range<Int>) {
    check(range.lowerBound)
    if range.count > 1 { return insertMany(range) }
    self[range.lowerBound >> 6] |= bit(range.lowerBound)
    self[words + range.lowerBound >> 12] |= bit(range.lowerBound >> 6)
    self[groups + range.lowerBound >> 18] |= bit(range.lowerBound >> 12)
  }

  private func insertMany(_ range: Range<Int>) {
    let (first, last) = (range.lowerBound, range.upperBound - 1)
    check(last)
    set(from: first, through: last, inLevelAt: 0)
    set(from: first >> 6, through: last >> 6, inLevelAt: words)
    set(from: first >> 12, through: last >> 12, inLevelAt: groups)
  }

  /// Sets bits of a level.
  @inline(__always)
  private func set(from first: Int, through last: Int, inLevelAt start: Int) {
    var (word, mask) = (first >> 6, ~below(first))
    while word < last >> 6 {
      self[start + word] |= mask
      mask = ~0
      word += 1
    }
    self[start + word] |= mask & ~above(last)
  }

  /// Takes the least members above a position out: so many, or all that there are.
  @inline(__always)
  func remove(_ count: Int, above position: Int) {
    if count > 1 { return removeMany(count, above: position) }
    let member = first(above: position)
    if member >= 0 { remove(member) }
  }

  private func removeMany(_ count: Int, above position: Int) {
    var rest = count
    while rest > 0 {
      let member = first(above: position)
      if member < 0 { return }
      let members = self[member >> 6] & ~below(member)
      if members.nonzeroBitCount <= rest {
        rest -= members.nonzeroBitCount
        self[member >> 6] ^= members
        clearSummary(of: member >> 6)
      } else {
        rest -= 1
        remove(member)
      }
    }
  }

  /// Takes a member out.
  @inline(__always)
  func remove(_ position: Int) {
    check(position)
    self[position >> 6] &= ~bit(position)
    clearSummary(of: position >> 6)
  }

  /// Says in the summaries that a word has no bit left, if so.
  @inline(__always)
  private func clearSummary(of word: Int) {
    if self[word] != 0 { return }
    self[words + word >> 6] &= ~bit(word)
    if self[words + word >> 6] == 0 { self[groups + word >> 12] &= ~bit(word >> 6) }
  }

  // MARK: - Steps

  /// A word of any level.
  @inline(__always)
  private subscript(index: Int) -> UInt64 {
    get { unsafe levels[unchecked: index] }
    nonmutating set { unsafe levels[unchecked: index] = newValue }
  }

  @inline(__always)
  private func check(_ position: Int) {
    precondition(
      position >= 0 && position < limit, "Position \(position) is out of range 0..<\(limit)")
  }

  @inline(__always)
  private func bit(_ index: Int) -> UInt64 { 1 << UInt64(truncatingIfNeeded: index & 63) }

  /// The bits below an index in its word.
  @inline(__always)
  private func below(_ index: Int) -> UInt64 { bit(index) &- 1 }

  /// The bits above an index in its word.
  @inline(__always)
  private func above(_ index: Int) -> UInt64 { ~(bit(index) | below(index)) }

  @inline(__always)
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

/// A set of positions that finds the neighbours of a position in few steps.
///
/// One bit for each position, and above that two levels of summaries: a bit of a summary says whether a word of the
/// level below has a bit. A word of the highest level stands for 262,144 positions.
///
/// All levels lie in one piece of memory that the set owns and `deinit` gives back. The set itself is a constant, so that
/// its addresses stay in registers. Positions are below the count that
/// the set was made for: the methods check that, and every other index comes from a bit that was set.
struct PositionSet: ~Copyable {
  private let bits: UnsafeMutablePointer<UInt64>
  private let words: UnsafeMutablePointer<UInt64>
  private let groups: UnsafeMutablePointer<UInt64>
  private let groupCount: Int
  private let limit: Int

  /// The empty set of positions below `limit`.
  init(limit: Int) {
    self.limit = limit
    let bitCount = (limit + 63) >> 6
    let wordCount = (bitCount + 63) >> 6
    groupCount = (wordCount + 63) >> 6
    let capacity = bitCount + wordCount + groupCount
    bits = .allocate(capacity: capacity)
    bits.initialize(repeating: 0, count: capacity)
    words = bits + bitCount
    groups = words + wordCount
  }

  deinit { bits.deallocate() }

  /// The greatest member below a position, or -1.
  @inline(__always)
  func last(below position: Int) -> Int {
    precondition(position >= 0 && position < limit)
    let word = position >> 6
    let group = word >> 6
    let near = bits[word] & below(position)
    let far = words[group] & below(word)
    if near | far == 0 { return last(beforeGroup: group) }
    // In this word or in another one: that is hard to predict, and so there is no branch.
    let found = near != 0 ? word : group << 6 | highest(far)
    return found << 6 | highest(bits[found] & (near != 0 ? below(position) : ~0))
  }

  /// The least member above a position, or -1.
  @inline(__always)
  func first(above position: Int) -> Int {
    precondition(position >= 0 && position < limit)
    let word = position >> 6
    let group = word >> 6
    let near = bits[word] & above(position)
    let far = words[group] & above(word)
    if near | far == 0 { return first(afterGroup: group) }
    let found = near != 0 ? word : group << 6 | far.trailingZeroBitCount
    return found << 6 | (bits[found] & (near != 0 ? above(position) : ~0)).trailingZeroBitCount
  }

  @inline(__always)
  func contains(_ position: Int) -> Bool {
    precondition(position >= 0 && position < limit)
    return bits[position >> 6] & bit(position) != 0
  }

  /// Adds a range of positions.
  @inline(__always)
  func insert(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= limit && !range.isEmpty)
    fill(bits, range.lowerBound, range.upperBound - 1)
    fill(words, range.lowerBound >> 6, (range.upperBound - 1) >> 6)
    fill(groups, range.lowerBound >> 12, (range.upperBound - 1) >> 12)
  }

  /// Takes out the least members above a position.
  ///
  /// - Parameters:
  ///   - count: How many members to take out, at most.
  ///   - position: What they are above.
  /// - Returns: How many there were.
  @inline(__always)
  func remove(_ count: Int, above position: Int) -> Int {
    count == 1 ? removeFirst(above: position) : removeFew(count, above: position)
  }

  @inline(__always)
  private func removeFirst(above position: Int) -> Int {
    let member = first(above: position)
    if member < 0 { return 0 }
    bits[member >> 6] &= ~bit(member)
    clearSummary(of: member >> 6)
    return 1
  }

  private func removeFew(_ count: Int, above position: Int) -> Int {
    var left = count
    while left > 0 {
      let member = first(above: position)
      if member < 0 { break }
      left -= remove(upTo: left, inWordFrom: member)
    }
    return count - left
  }

  /// Takes members out of one word, from a member upwards.
  @inline(__always)
  private func remove(upTo count: Int, inWordFrom member: Int) -> Int {
    let word = member >> 6
    var rest = bits[word] & (~0 << UInt64(truncatingIfNeeded: member & 63))
    let kept = bits[word] & ~rest
    var removed = 0
    while removed < count, rest != 0 {
      rest &= rest &- 1
      removed += 1
    }
    bits[word] = kept | rest
    clearSummary(of: word)
    return removed
  }

  /// Says in the summaries that a word has no bit left, if so.
  @inline(__always)
  private func clearSummary(of word: Int) {
    words[word >> 6] &= ~(bits[word] == 0 ? bit(word) : 0)
    if words[word >> 6] == 0 { groups[word >> 12] &= ~bit(word >> 6) }
  }

  // MARK: - Steps

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

  @inline(__always)
  private func last(inWord word: Int) -> Int { word << 6 | highest(bits[word]) }

  @inline(__always)
  private func first(inWord word: Int) -> Int { word << 6 | bits[word].trailingZeroBitCount }

  private func last(beforeGroup group: Int) -> Int {
    let near = groups[group >> 6] & below(group)
    if near == 0 { return last(fromSummaryBelow: group >> 6) }
    let group = (group & ~63) | highest(near)
    return last(inWord: group << 6 | highest(words[group]))
  }

  private func last(fromSummaryBelow end: Int) -> Int {
    for summary in stride(from: end - 1, through: 0, by: -1) where groups[summary] != 0 {
      let group = summary << 6 | highest(groups[summary])
      return last(inWord: group << 6 | highest(words[group]))
    }
    return -1
  }

  private func first(afterGroup group: Int) -> Int {
    var summary = group >> 6
    var near = groups[summary] & above(group)
    while near == 0 {
      summary += 1
      if summary == groupCount { return -1 }
      near = groups[summary]
    }
    let group = summary << 6 | near.trailingZeroBitCount
    return first(inWord: group << 6 | words[group].trailingZeroBitCount)
  }

  /// Sets the bits from one index through another.
  @inline(__always)
  private func fill(_ words: UnsafeMutablePointer<UInt64>, _ first: Int, _ last: Int) {
    var word = first >> 6
    var mask = (~0 as UInt64) << UInt64(truncatingIfNeeded: first & 63)
    while word < last >> 6 {
      words[word] |= mask
      mask = ~0
      word += 1
    }
    words[word] |= mask & ~above(last)
  }
}

/// A set of positions, one bit each. A search in a range takes O(range / 64).
@usableFromInline
struct BitSet: ~Copyable {
  /// The bits, 64 positions a word. No bit at or above `limit` is set.
  @usableFromInline let words: ScratchArray<UInt64>
  /// The upper bound of all positions.
  @usableFromInline let limit: Int

  /// The empty set of positions below a limit, in borrowed memory.
  @inlinable
  init(limit: Int, in words: consuming ScratchArray<UInt64>) {
    var words = words
    words.fill((limit + 63) >> 6, with: 0)
    self.words = words
    self.limit = limit
  }

  @inlinable
  func contains(_ position: Int) -> Bool {
    words[position >> 6] & (1 << UInt64(truncatingIfNeeded: position & 63)) != 0
  }

  /// Adds a position.
  @inlinable
  func insert(_ position: Int) { words[position >> 6] |= 1 << UInt64(truncatingIfNeeded: position & 63) }

  /// Adds a range of positions.
  @usableFromInline
  func insert(_ range: Range<Int>) {
    var position = range.lowerBound
    while position < range.upperBound {
      words[position >> 6] |= Self.mask(from: position, to: range.upperBound)
      position = (position | 63) + 1
    }
  }

  /// The number of members in a range.
  func count(in range: Range<Int>) -> Int {
    var (count, position) = (0, range.lowerBound)
    while position < range.upperBound {
      count += (words[position >> 6] & Self.mask(from: position, to: range.upperBound)).nonzeroBitCount
      position = (position | 63) + 1
    }
    return count
  }

  /// The first member of a range, or the range's upper bound.
  @usableFromInline
  func firstMember(in range: Range<Int>) -> Int { first(in: range, flipping: 0) }

  /// The first position of a range that is not a member, or the range's upper bound.
  @usableFromInline
  func firstAbsent(in range: Range<Int>) -> Int { first(in: range, flipping: ~0) }

  /// The last member of a range, or the position before the range.
  @usableFromInline
  func lastMember(in range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound {
      let start = max(range.lowerBound, (end - 1) & ~63)
      let word = words[start >> 6] & Self.mask(from: start, to: end)
      if word != 0 { return (start & ~63) + 63 - word.leadingZeroBitCount }
      end = start
    }
    return range.lowerBound - 1
  }

  private func first(in range: Range<Int>, flipping flip: UInt64) -> Int {
    var position = range.lowerBound
    while position < range.upperBound {
      let word = (words[position >> 6] ^ flip) >> UInt64(truncatingIfNeeded: position & 63)
      if word != 0 { return min(position + word.trailingZeroBitCount, range.upperBound) }
      position = (position | 63) + 1
    }
    return range.upperBound
  }

  /// Calls the body with each member, ascending.
  @inlinable
  func forEach(_ body: (Int) -> Void) {
    for index in 0..<words.count {
      var word = words[index]
      while word != 0 {
        body(index << 6 | word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }

  /// Calls the body with each position below the limit that is no member, ascending.
  @inlinable
  func forEachAbsent(_ body: (Int) -> Void) {
    for index in 0..<words.count {
      var word = ~words[index]
      if index == words.count - 1, limit & 63 != 0 { word &= (1 << UInt64(truncatingIfNeeded: limit & 63)) &- 1 }
      while word != 0 {
        body(index << 6 | word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }

  /// The bits of the word of a position, from that position up to another one.
  private static func mask(from position: Int, to end: Int) -> UInt64 {
    // A shift by 64, at the end of a word, gives 0.
    let past = (~0 as UInt64) << (end - (position & ~63) < 64 ? UInt64(end - (position & ~63)) : 64)
    return ((~0 as UInt64) << UInt64(truncatingIfNeeded: position & 63)) & ~past
  }
}

/// One bit for each element of a line.
@usableFromInline
struct BitLine {
  @usableFromInline var words: [UInt64]
  @usableFromInline let count: Int

  @usableFromInline
  init(count: Int) {
    words = Array(repeating: 0, count: (count + 63) >> 6)
    self.count = count
  }

  @inlinable
  @inline(__always)
  subscript(position: Int) -> Bool { words[position >> 6] & (1 << UInt64(position & 63)) != 0 }

  /// Sets all bits of a range.
  @usableFromInline
  mutating func insert(_ range: Range<Int>) {
    var position = range.lowerBound
    while position < range.upperBound {
      let end = Swift.min(range.upperBound, (position | 63) + 1)
      // A shift by 64, at the end of a word, gives 0.
      let mask = (~0 as UInt64) << UInt64(position & 63)
      let past = (~0 as UInt64) << UInt64(end - (position & ~63))
      words[position >> 6] |= mask & ~past
      position = end
    }
  }

  /// Sets one bit.
  @inlinable
  @inline(__always)
  mutating func insert(_ position: Int) { words[position >> 6] |= 1 << UInt64(position & 63) }

  /// The first set bit of a range, or the range's upper bound.
  ///
  /// - Complexity: O(range / 64), stopping at the bit that is found.
  @usableFromInline
  func firstMember(in range: Range<Int>) -> Int {
    var position = range.lowerBound
    while position < range.upperBound {
      let word = words[position >> 6] >> UInt64(position & 63)
      if word != 0 { return Swift.min(position + word.trailingZeroBitCount, range.upperBound) }
      position = (position | 63) + 1
    }
    return range.upperBound
  }

  /// The first clear bit of a range, or the range's upper bound.
  ///
  /// - Complexity: O(range / 64), stopping at the bit that is found.
  func firstAbsent(in range: Range<Int>) -> Int {
    var position = range.lowerBound
    while position < range.upperBound {
      let word = ~words[position >> 6] >> UInt64(position & 63)
      if word != 0 { return Swift.min(position + word.trailingZeroBitCount, range.upperBound) }
      position = (position | 63) + 1
    }
    return range.upperBound
  }
}

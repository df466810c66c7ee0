/// The segments of one side laid end to end, so that one number, a *position*, names an element.
@usableFromInline
struct SegmentLine {
  /// Where each segment begins on the line; the last value is the line's length.
  @usableFromInline var starts: [Int]

  init(counts: [Int]) {
    starts = [0]
    starts.reserveCapacity(counts.count + 1)
    var sum = 0
    for count in counts {
      sum += count
      starts.append(sum)
    }
    precondition(sum < Int32.max, "The differ takes fewer than \(Int32.max) rows, not \(sum)")
  }

  @usableFromInline var count: Int { starts[starts.count - 1] }

  var segmentCount: Int { starts.count - 1 }

  /// The positions of a segment's elements.
  @inlinable
  @inline(__always)
  func bounds(of segment: Int) -> Range<Int> { starts[segment]..<starts[segment + 1] }

  /// The segment of a position.
  ///
  /// - Parameters:
  ///   - position: A position on the line.
  ///   - guess: A segment to try first, such as that of the position before.
  /// - Returns: The index of the segment.
  /// - Complexity: O(log segments); O(1) if the guess is right.
  @inlinable
  @inline(__always)
  func segment(of position: Int, guess: Int) -> Int {
    starts[guess] <= position && position < starts[guess + 1] ? guess : searchSegment(of: position)
  }

  @usableFromInline
  func searchSegment(of position: Int) -> Int {
    // Segments are often of like length.
    let likely = position * segmentCount / count
    for guess in max(0, likely - 1)...min(likely + 1, segmentCount - 1)
    where starts[guess] <= position && position < starts[guess + 1] {
      return guess
    }
    var low = 0
    var high = segmentCount
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }
}

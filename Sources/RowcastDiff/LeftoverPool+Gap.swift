extension LeftoverPool {
  /// A stretch of one segment that no run holds.
  @usableFromInline
  struct Gap {
    @usableFromInline let segment: Int32
    @usableFromInline let start: Int32
    @usableFromInline let end: Int32
    /// How many elements the gaps before it had when the pool was made.
    @usableFromInline let offset: Int32

    init(segment: Int, positions: Range<Int>, offset: Int) {
      self.segment = Int32(truncatingIfNeeded: segment)
      start = Int32(truncatingIfNeeded: positions.lowerBound)
      end = Int32(truncatingIfNeeded: positions.upperBound)
      self.offset = Int32(truncatingIfNeeded: offset)
    }

    /// The positions on the line of the segments.
    @inlinable
    @inline(__always)
    var positions: Range<Int> { Int(start)..<Int(end) }

    /// What to add to a position to get the element's place in the memory of the pool.
    @inlinable
    @inline(__always)
    var shift: Int { Int(offset) &- Int(start) }

    /// A part of this gap.
    @usableFromInline
    func part(_ positions: Range<Int>) -> Gap {
      Gap(segment: Int(segment), positions: positions, offset: positions.lowerBound + shift)
    }

    /// What lies between ranges that are in the order of the line and each inside a segment.
    @inline(__always)
    static func between(_ ranges: some Collection<Range<Int>>, on line: SegmentLine) -> [Gap] {
      var gaps: [Gap] = []
      gaps.reserveCapacity(ranges.count + line.segmentCount)
      var (segment, offset, end) = (0, 0, 0)
      func close(at start: Int) {
        // A gap that reaches over the end of a segment is one gap in each.
        while end < start {
          segment = line.segment(of: end, guess: segment)
          let border = min(start, line.bounds(of: segment).upperBound)
          gaps.append(Gap(segment: segment, positions: end..<border, offset: offset))
          offset += border - end
          end = border
        }
      }
      for range in ranges {
        close(at: range.lowerBound)
        end = range.upperBound
      }
      close(at: line.count)
      return gaps
    }

    /// What lies between ranges, each element as a gap of its own.
    ///
    /// This is for many short gaps: the processor could not predict, each time that they are read, how many elements
    /// they have. The first element of a gap is written before it is known whether the gap has one.
    ///
    /// - Parameters:
    ///   - ranges: The ranges, in the order of the line and each inside a segment.
    ///   - line: The line of the segments.
    ///   - total: The number of elements that lie between them.
    /// - Returns: The gaps, ascending.
    @inline(__always)
    static func singles(
      between ranges: some Collection<Range<Int>>, on line: SegmentLine, count total: Int
    ) -> [Gap] {
      // One more than there are: for what is written in vain after the last.
      Array(unsafeUninitializedCapacity: total + 1) { gaps, count in
        var (segment, end) = (0, 0)
        func write() {
          segment = line.segment(of: end, guess: segment)
          gaps.initializeElement(at: count, to: Gap(segment: segment, positions: end..<end + 1, offset: count))
        }
        for range in ranges {
          write()
          count += end < range.lowerBound ? 1 : 0
          end += 1
          while end < range.lowerBound {
            write()
            count += 1
            end += 1
          }
          end = range.upperBound
        }
        while end < line.count {
          write()
          count += 1
          end += 1
        }
      }
    }
  }
}

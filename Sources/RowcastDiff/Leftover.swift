/// An element, of either side, that following did not pair.
@usableFromInline
struct Leftover: BitwiseCopyable {
  /// Its position on its line.
  @usableFromInline let position: Int32
  /// The index of its segment.
  @usableFromInline let segment: Int32
  /// The tag of its id, 0 while that is not hashed.
  @usableFromInline var tag: UInt32 = 0

  @inlinable
  @inline(__always)
  init(_ position: Int, inSegment segment: Int) {
    self.position = Int32(truncatingIfNeeded: position)
    self.segment = Int32(truncatingIfNeeded: segment)
  }
}

extension Matching {
  /// Collects what no run has of the old line, ascending.
  @usableFromInline
  func collectOldLeftovers(in leftovers: inout ScratchArray<Leftover>) {
    collectLeftovers(oldTaken, in: &leftovers) { $0.oldStart }
  }

  /// Collects what no run has of the new line, ascending.
  @usableFromInline
  func collectNewLeftovers(in leftovers: inout ScratchArray<Leftover>) {
    collectLeftovers(newTaken, in: &leftovers) { $0.newStart }
  }

  @inline(__always)
  private func collectLeftovers(
    _ taken: borrowing BitSet, in leftovers: inout ScratchArray<Leftover>, start: (Segment) -> Int32
  ) {
    withScratch { scratch in
      var positions = scratch.array(of: Int32.self)
      taken.collectAbsent(count: taken.limit - survivorCount, in: &positions)
      leftovers.reserve(positions.count)
      var (segment, end) = (-1, 0 as Int32)
      for index in 0..<positions.count {
        while positions[index] >= end {
          segment += 1
          end = start(segments[segment + 1])
        }
        leftovers.append(Leftover(Int(positions[index]), inSegment: segment))
      }
    }
  }

  /// Adds a pair of elements that are the same. It moves if it is in two sections.
  @inlinable
  @inline(__always)
  mutating func add(_ old: Leftover, _ new: Leftover) {
    let moves = old.segment != new.segment && isCrossing(Int(old.segment), Int(new.segment))
    add(Run(old: Int(old.position), new: Int(new.position), count: 1, weight: moves ? -1 : 1))
    oldTaken.insert(Int(old.position))
    newTaken.insert(Int(new.position))
  }

  /// Whether a segment of the old line and one of the new line are in different sections.
  @inlinable
  @inline(__always)
  func isCrossing(_ oldSegment: Int, _ newSegment: Int) -> Bool {
    segments[oldSegment].newSection != segments[newSegment].newSection
  }
}

extension Changeset where Position == Int {
  /// Spells a matching of a flat list out as operations.
  @usableFromInline
  init(_ matching: inout Matching) {
    self.init(&matching, before: { $0.path(ofOld: $1).row }, after: { $0.path(ofNew: $1).row })
  }
}

extension Changeset where Position == RowPath {
  /// Spells a matching of the rows of sections out as operations.
  @usableFromInline
  init(_ matching: inout Matching) {
    self.init(&matching, before: { $0.path(ofOld: $1) }, after: { $0.path(ofNew: $1) })
    if matching.segmentCount == 1 { return }
    // The segments are in the order of the new list. In the old one their sections may have stood in another.
    deletes = deletes.ascending
  }
}

extension Changeset {
  /// Spells a matching out as operations. The runs that move are chosen here.
  /// `before` and `after` give the places of positions on the lines, in their segments.
  @inline(__always)
  fileprivate init(
    _ matching: inout Matching, before: (Segment, Int) -> Position, after: (Segment, Int) -> Position
  ) {
    self.init()
    if !matching.isInOrder { matching.markMoves() }
    if matching.segmentCount == 1 {
      // The search for segments would cost a flat list a tenth of its difference.
      let only = matching.segments[0]
      spell(matching, { _ in only }, { _ in only }, before, after)
    } else {
      var (old, new) = (0, 0)
      spell(
        matching,
        { position in
          old = matching.segments.index(ofOld: position, guess: old)
          return matching.segments[old]
        },
        { position in
          new = matching.segments.index(ofNew: position, guess: new)
          return matching.segments[new]
        }, before, after)
    }
  }

  /// Spells a matching out as operations, with closures that find the segment of a position on either line.
  @inline(__always)
  private mutating func spell(
    _ matching: borrowing Matching, _ oldSegment: (Int) -> Segment, _ newSegment: (Int) -> Segment,
    _ before: (Segment, Int) -> Position, _ after: (Segment, Int) -> Position
  ) {
    deletes = makeArray(matching.oldLeftovers.count) { append in
      for index in 0..<matching.oldLeftovers.count {
        let position = Int(matching.oldLeftovers[index].position)
        append(before(oldSegment(position), position))
      }
    }
    inserts = makeArray(matching.newLeftovers.count) { append in
      for index in 0..<matching.newLeftovers.count {
        let position = Int(matching.newLeftovers[index].position)
        append(after(newSegment(position), position))
      }
    }
    moves = makeArray(matching.moveCount) { append in
      for index in 0..<matching.runs.count where matching.runs[index].isMoving {
        let run = matching.runs[index]
        let old = oldSegment(Int(run.old))
        let new = newSegment(Int(run.new))
        // The elements of a run are neighbours in the list, also those without a position of their own.
        for offset in 0..<Int(-run.weight) {
          append(
            Transition(
              from: before(old, Int(run.old) + offset), to: after(new, Int(run.new) + offset)))
        }
      }
    }
    var index = 0
    matching.changed.forEach { position in
      while matching.runs[index].newRange.upperBound <= position { index += 1 }
      let old = Int(matching.runs[index].old) + position - Int(matching.runs[index].new)
      updates.append(
        Transition(
          from: before(oldSegment(old), old),
          to: after(newSegment(position), position)))
    }
  }
}

/// Makes an array of a known number of elements, which `fill` appends.
@inline(__always)
private func makeArray<Element>(_ count: Int, _ fill: (_ append: (Element) -> Void) -> Void)
  -> [Element]
{
  var array: [Element] = []
  if count == 0 { return array }
  array.reserveCapacity(count)
  fill { array.append($0) }
  return array
}

extension Changeset where Position == Int {
  /// Lists the operations of a matching of a flat list.
  @usableFromInline
  init(_ matching: inout Matching) {
    self.init(&matching, before: { $0.path(ofOld: $1).row }, after: { $0.path(ofNew: $1).row })
  }
}

extension Changeset where Position == RowPath {
  /// Lists the operations of a matching of the rows of sections.
  @usableFromInline
  init(_ matching: inout Matching) {
    self.init(&matching, before: { $0.path(ofOld: $1) }, after: { $0.path(ofNew: $1) })
    if matching.gapCount == 1 { return }
    // The gaps are in the order of the new list. In the old one their sections may have been in another order.
    deletes = deletes.ascending
  }
}

extension Changeset {
  /// Lists the operations of a matching. The runs that move are chosen here.
  /// `before` and `after` convert positions on the lines, in their gaps, to positions in the lists.
  @inline(__always)
  fileprivate init(
    _ matching: inout Matching, before: (GapOffset, Int) -> Position, after: (GapOffset, Int) -> Position
  ) {
    self.init()
    if !matching.isInOrder { matching.markMoves() }
    if matching.gapCount == 1 {
      // For a flat list, searching the gap of each position would take a tenth of the time.
      let only = matching.gapOffsets[0]
      spell(matching, { _ in only }, { _ in only }, before, after)
    } else {
      var (old, new) = (0, 0)
      spell(
        matching,
        { position in
          old = matching.gapOffsets.index(ofOld: position, guess: old)
          return matching.gapOffsets[old]
        },
        { position in
          new = matching.gapOffsets.index(ofNew: position, guess: new)
          return matching.gapOffsets[new]
        }, before, after)
    }
  }

  /// Lists the operations of a matching, with closures that find the gap of a position on each line.
  @inline(__always)
  private mutating func spell(
    _ matching: borrowing Matching, _ oldOffset: (Int) -> GapOffset, _ newOffset: (Int) -> GapOffset,
    _ before: (GapOffset, Int) -> Position, _ after: (GapOffset, Int) -> Position
  ) {
    deletes = makeArray(matching.oldUnmatched.count) { append in
      for index in 0..<matching.oldUnmatched.count {
        let position = Int(matching.oldUnmatched[index].position)
        append(before(oldOffset(position), position))
      }
    }
    inserts = makeArray(matching.newUnmatched.count) { append in
      for index in 0..<matching.newUnmatched.count {
        let position = Int(matching.newUnmatched[index].position)
        append(after(newOffset(position), position))
      }
    }
    moves = makeArray(matching.moveCount) { append in
      for index in 0..<matching.runs.count where matching.runs[index].isMoving {
        let run = matching.runs[index]
        let old = oldOffset(Int(run.old))
        let new = newOffset(Int(run.new))
        // The elements of a run are neighbours in the list, including those without a position of their own.
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
          from: before(oldOffset(old), old),
          to: after(newOffset(position), position)))
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

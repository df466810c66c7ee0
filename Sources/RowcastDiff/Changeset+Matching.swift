extension Changeset {
  /// Spells a matching out as operations.
  ///
  /// - Parameters:
  ///   - matching: What survived, on the lines of the segments.
  ///   - before: The position before the change of an element on the line of the old segments.
  ///   - after: The position after the change of an element on the line of the new segments.
  @inline(__always)
  init(_ matching: Matching, before: (Int) -> Position, after: (Int) -> Position) {
    self.init(
      deletes: matching.deletes.map { before(Int($0)) }, inserts: matching.inserts.map { after(Int($0)) },
      updates: matching.updates.sorted { $0.new < $1.new }
        .map { .init(from: before(Int($0.old)), to: after(Int($0.new))) })
    if matching.isInOrder { return }
    let stays = StayingRuns(matching)
    // Filling an array of no capacity would write to the one empty array that all threads share.
    if stays.moveCount == 0 { return }
    moves = Array(unsafeUninitializedCapacity: stays.moveCount) { moves, count in
      count = stays.moveCount
      var index = count
      stays.forEachMoveFromEnd { old, new in
        index -= 1
        moves.initializeElement(at: index, to: .init(from: before(old), to: after(new)))
      }
    }
  }
}

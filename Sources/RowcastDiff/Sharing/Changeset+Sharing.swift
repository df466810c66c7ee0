extension Changeset where Position == Int {
  /// Spells out what changed between two flat lists that share runs. Moves are minimal.
  ///
  /// - Parameters:
  ///   - matching: What survived.
  ///   - beforeCount: The number of elements before the change.
  ///   - afterCount: The number of elements after the change.
  /// - Complexity: O(d + r log r) for d operations and r runs, whatever the lengths of the lists.
  public init(_ matching: SharedMatching, beforeCount: Int, afterCount: Int) {
    self.init(
      matching, beforeCount: beforeCount, afterCount: afterCount, travels: { _ in false }, before: { $0 }, after: { $0 }
    )
  }
}

extension Changeset where Position == RowPath {
  /// Spells out what changed between the rows of sections that share runs. Moves are minimal.
  ///
  /// - Parameters:
  ///   - matching: What survived, by positions on the line of all segments, laid end to end on either side.
  ///   - segments: The sections that take part, in the order of the list after the change. Rows of others have not
  ///     changed.
  /// - Complexity: O(d + r log r + s) for d operations, r runs and s segments.
  public init(_ matching: SharedMatching, segments: [SharedSegment]) {
    let before = SegmentLine(counts: segments.map(\.beforeCount))
    let after = SegmentLine(counts: segments.map(\.afterCount))
    var (oldSegment, newSegment) = (0, 0)
    func segmentBefore(_ position: Int) -> Int {
      oldSegment = before.segment(of: position, guess: oldSegment)
      return oldSegment
    }
    func segmentAfter(_ position: Int) -> Int {
      newSegment = after.segment(of: position, guess: newSegment)
      return newSegment
    }
    self.init(
      matching, beforeCount: before.count, afterCount: after.count,
      travels: { segmentBefore($0.before) != segmentAfter($0.after) },
      before: { position in
        let segment = segmentBefore(position)
        return RowPath(section: segments[segment].before, row: position - before.starts[segment])
      },
      after: { position in
        let segment = segmentAfter(position)
        return RowPath(section: segments[segment].after, row: position - after.starts[segment])
      })
    // The line has the order of the new list; sections that moved had another one.
    if !zip(deletes, deletes.dropFirst()).allSatisfy({ $0 < $1 }) { deletes.sort() }
  }
}

extension Changeset {
  @inline(__always)
  fileprivate init(
    _ matching: SharedMatching, beforeCount: Int, afterCount: Int, travels: (SharedRun) -> Bool,
    before: (Int) -> Position, after: (Int) -> Position
  ) {
    self.init()
    let runs = matching.runs
    let order = RunOrder(runs, travels: travels)

    var end = 0
    let inOldOrder = order.isAscending ? runs : runs.sorted { $0.before < $1.before }
    for run in inOldOrder {
      for position in end..<run.before { deletes.append(before(position)) }
      end = run.before + run.count
    }
    for position in end..<beforeCount { deletes.append(before(position)) }

    end = 0
    for run in runs {
      for position in end..<run.after { inserts.append(after(position)) }
      end = run.after + run.count
    }
    for position in end..<afterCount { inserts.append(after(position)) }

    for index in order.movers {
      for offset in 0..<runs[index].count {
        moves.append(.init(from: before(runs[index].before + offset), to: after(runs[index].after + offset)))
      }
    }
    guard !matching.updates.isEmpty else { return }
    updates = matching.updates.sorted { $0.to < $1.to }.map { .init(from: before($0.from), to: after($0.to)) }
  }
}

extension ListChanges {
  /// The net change of this one and one that starts where this one ends.
  ///
  ///     before.changes(to: middle).followed(by: middle.changes(to: after))
  ///
  /// The result leads from the list before this change to the list after the second one, with as few moves as what both
  /// changes know allows. It is the difference of these two lists, but for what operations cannot say:
  ///
  /// - A row or section that goes and comes again is deleted and inserted, even if it has the same id. So is a row that
  ///   was, in between, in a section that neither list has.
  /// - A content that changes and changes back is an update.
  /// - Where several sets of moves are equally small, this may be another of them.
  ///
  /// - Parameter second: A change of the list that this one leads to.
  /// - Returns: The net change.
  /// - Precondition: The positions of the second change lie in the list that this one leads to.
  /// - Complexity: O(k log k) for the k operations of both changes, whatever the length of the lists.
  public func followed(by second: ListChanges) -> ListChanges {
    ListChanges(sections: sections.followed(by: second.sections), rows: Composition(self, second).changes)
  }
}

extension Changeset where Position == Int {
  /// The net change of this one and one that starts where this one ends.
  ///
  /// What it says of an element that goes and comes again, or whose content changes and changes back, is what
  /// ``ListChanges/followed(by:)`` says of rows.
  ///
  /// - Parameter second: A change of the list that this one leads to.
  /// - Returns: The net change.
  /// - Precondition: The positions of the second change lie in the list that this one leads to.
  /// - Complexity: O(k log k) for the k operations of both changes, whatever the length of the lists.
  public func followed(by second: Changeset<Int>) -> Changeset<Int> {
    let rows = Composition(ListChanges(rows: asRows), ListChanges(rows: second.asRows)).changes
    return Changeset(
      deletes: rows.deletes.map(\.row), inserts: rows.inserts.map(\.row),
      moves: rows.moves.map { Transition(from: $0.from.row, to: $0.to.row) },
      updates: rows.updates.map { Transition(from: $0.from.row, to: $0.to.row) })
  }

  /// The same operations on the rows of a list of one section.
  private var asRows: Changeset<RowPath> {
    func path(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }
    return Changeset<RowPath>(
      deletes: deletes.map(path), inserts: inserts.map(path),
      moves: moves.map { .init(from: path($0.from), to: path($0.to)) },
      updates: updates.map { .init(from: path($0.from), to: path($0.to)) })
  }
}

/// The rows that two changes in a row touch, as a matching: what lies between them is shared.
private struct Composition {
  /// A touched row that is in the first list and in the last.
  struct Survivor {
    var before: RowPath
    var after: RowPath
  }

  /// Touched rows of the first list, in sections that are in both lists, ascending.
  private var before: [RowPath] = []
  /// Touched rows of the last list, in sections that are in both lists, ascending.
  private var after: [RowPath] = []
  /// Those that are in both, ascending in the last list.
  private var survivors: [Survivor] = []
  /// The survivors whose content changed: paths in the last list, ascending.
  private var updated: [RowPath] = []
  private let first: PathMap
  private let last: PathMap

  init(_ firstChanges: ListChanges, _ lastChanges: ListChanges) {
    let (first, last) = (PathMap(firstChanges), PathMap(lastChanges))
    (self.first, self.last) = (first, last)
    let (firstRows, lastRows) = (firstChanges.rows, lastChanges.rows)
    let leaving = lastRows.deletes + (lastRows.moves + lastRows.updates).map(\.from)
    before = firstRows.deletes + (firstRows.moves + firstRows.updates).map(\.from) + leaving.compactMap(first.before)
    let arriving = firstRows.inserts + (firstRows.moves + firstRows.updates).map(\.to)
    after = lastRows.inserts + (lastRows.moves + lastRows.updates).map(\.to) + arriving.compactMap(last.after)
    // A row that is touched on one side only has come or gone, or it went over the border of a section that did.
    before += after.compactMap { last.before($0).flatMap(first.before) }
    after += before.compactMap { first.after($0).flatMap(last.after) }
    before = Self.unique(before.filter { first.after(section: $0.section).flatMap(last.after(section:)) != nil })
    after = Self.unique(after.filter { last.before(section: $0.section).flatMap(first.before(section:)) != nil })
    survivors = after.compactMap { after in
      guard let before = last.before(after).flatMap(first.before), self.before.containsAscending(before) else {
        return nil
      }
      return Survivor(before: before, after: after)
    }
    let updates = firstRows.updates.compactMap { last.after($0.to) } + lastRows.updates.map(\.to)
    updated = Self.unique(updates)
  }

  private static func unique(_ paths: [RowPath]) -> [RowPath] {
    let sorted = paths.sorted()
    return sorted.indices.filter { $0 == 0 || sorted[$0 - 1] != sorted[$0] }.map { sorted[$0] }
  }

  /// The operations on rows.
  var changes: Changeset<RowPath> {
    if before.isEmpty && after.isEmpty { return Changeset() }
    return withScratch { scratch in
      var segments = scratch.array(of: Segment.self)
      segments.begin()
      let gaps = gaps
      for gap in gaps { segments.add(gap) }
      var matching = Matching(segments, &scratch)
      fill(&matching, gaps)
      matching.isInOrder = false
      matching.collectLeftovers()
      matching.checkInvariants("composing")
      return Changeset(&matching)
    }
  }

  /// The stretches of touched rows, in the order of the last list, and how many untouched ones stand behind each.
  private var gaps: [StretchExtent] {
    var gaps: [StretchExtent] = []
    var pairs = Set(after.map(\.section))
    for path in before {
      if let section = first.after(section: path.section).flatMap(last.after) { pairs.insert(section) }
    }
    for section in pairs.sorted() {
      guard let old = last.before(section: section).flatMap(first.before(section:)) else { continue }
      let sections = IndexPair(old: old, new: section)
      let oldRows = Self.rows(of: before, in: old)
      let newRows = Self.rows(of: after, in: section)
      var (oldIndex, newIndex) = (0, 0)
      // The rows that neither side touches up to here.
      var untouched = 0
      while oldIndex < oldRows.count || newIndex < newRows.count {
        let row = IndexPair(old: untouched + oldIndex, new: untouched + newIndex)
        let start = IndexPair(old: oldIndex, new: newIndex)
        while oldIndex < oldRows.count, oldRows[oldIndex] - oldIndex <= untouched { oldIndex += 1 }
        while newIndex < newRows.count, newRows[newIndex] - newIndex <= untouched { newIndex += 1 }
        let oldNext = oldIndex < oldRows.count ? oldRows[oldIndex] - oldIndex : Int.max
        let newNext = newIndex < newRows.count ? newRows[newIndex] - newIndex : Int.max
        let next = min(oldNext, newNext)
        let isLast = next == .max
        gaps.append(
          StretchExtent(
            count: IndexPair(old: oldIndex - start.old, new: newIndex - start.new), section: sections, row: row,
            sharedCount: isLast ? 0 : next - untouched))
        if !isLast { untouched = next }
      }
    }
    return gaps
  }

  private static func rows(of paths: [RowPath], in section: Int) -> [Int] {
    let start = paths.countLess(than: RowPath(section: section, row: 0))
    return paths[start...].prefix { $0.section == section }.map(\.row)
  }

  /// Adds the survivors and what is shared as runs, in the order of the last list.
  private func fill(_ matching: inout Matching, _ gaps: [StretchExtent]) {
    var next = 0
    for (index, gap) in gaps.enumerated() {
      let (start, end) = (matching.segments[index].start, matching.segments[index + 1].start)
      while next < survivors.count, survivors[next].after.section == gap.section.new,
        survivors[next].after.row < gap.row.new + gap.count.new
      {
        let survivor = survivors[next]
        let new = start.new + survivor.after.row - gap.row.new
        matching.add(Run(old: position(ofOld: survivor.before, gaps, matching.segments), new: new, count: 1))
        if updated.containsAscending(survivor.after) { matching.changed.insert(new) }
        next += 1
      }
      if gap.sharedCount > 0 {
        matching.add(Run(old: end.old - 1, new: end.new - 1, count: 1, weight: gap.sharedCount))
      }
    }
  }

  /// The position on the old line of a touched row.
  private func position(
    ofOld path: RowPath, _ gaps: [StretchExtent], _ segments: borrowing ScratchArray<Segment>
  ) -> Int {
    // Sections may have moved: the gaps are in the order of the last list.
    guard let section = first.after(section: path.section).flatMap(last.after(section:)) else {
      preconditionFailure("Section \(path.section) is in the first list only")
    }
    let index = gaps.indices.countPrefix { index in
      let gap = gaps[index]
      return gap.section.new == section ? gap.row.old <= path.row : gap.section.new < section
    }
    return segments[index - 1].start.old + path.row - gaps[index - 1].row.old
  }
}

public import RowcastDiff

/// The difference of two snapshots, made by skipping what they share.
@usableFromInline
struct SnapshotComparison<Section: SectionViewModel, Row: RowViewModel> {
  @usableFromInline typealias Snapshot = ListSnapshot<Section, Row>
  @usableFromInline typealias Entry = SectionEntry<Section, Row>

  @usableFromInline let before: Snapshot
  @usableFromInline let after: Snapshot
  @usableFromInline var sections = TreeComparison<SectionKind<Section, Row>>()
  @usableFromInline var sectionMatching = SharedMatching(shared: [], changed: [ChangedStretch<Section>]())
  @usableFromInline var rows = TreeComparison<RowKind<Row>>()
  /// The sections whose rows are not all shared.
  @usableFromInline var segments: [SharedSegment] = []

  @inlinable
  init(_ before: Snapshot, _ after: Snapshot) {
    self.before = before
    self.after = after
    sections.compare(before.tree, at: 0, after.tree, at: 0)
    if sections.gaps.isEmpty { return }
    let stretches = sections.gaps.map { $0.stretch }
    sectionMatching = SharedMatching(
      shared: sections.shared,
      changed: stretches.map { stretch in
        ChangedStretch(
          beforeStart: stretch.beforeStart, afterStart: stretch.afterStart, before: stretch.before.map { $0.model },
          after: stretch.after.map { $0.model })
      })
    compareRows(in: stretches)
  }

  @inlinable
  mutating func compareRows(in stretches: [ChangedStretch<Entry>]) {
    var (oldLine, newLine) = (0, 0)
    var (oldGuess, newGuess) = (0, 0)
    // In the order of the new list, like everything that the line of the segments orders.
    for run in sectionMatching.found.sorted(by: { $0.after < $1.after }) {
      for offset in 0..<run.count {
        let (old, new) = (run.before + offset, run.after + offset)
        oldGuess = Self.stretch(of: old, in: stretches, oldGuess) { ($0.beforeStart, $0.before.count) }
        newGuess = Self.stretch(of: new, in: stretches, newGuess) { ($0.afterStart, $0.after.count) }
        let oldRows = stretches[oldGuess].before[old - stretches[oldGuess].beforeStart].rows
        let newRows = stretches[newGuess].after[new - stretches[newGuess].afterStart].rows
        if oldRows.root.node.address == newRows.root.node.address { continue }
        rows.compare(oldRows, at: oldLine, newRows, at: newLine)
        oldLine += oldRows.count
        newLine += newRows.count
        segments.append(
          SharedSegment(before: old, after: new, beforeCount: oldRows.count, afterCount: newRows.count))
      }
    }
  }

  /// The stretch that has a position, the one that had the last one being the first guess.
  @inlinable
  static func stretch(
    of position: Int, in stretches: [ChangedStretch<Entry>], _ guess: Int,
    _ extent: (ChangedStretch<Entry>) -> (start: Int, count: Int)
  ) -> Int {
    var index = guess
    for _ in stretches.indices {
      let (start, count) = extent(stretches[index])
      if position >= start, position < start + count { return index }
      index = index + 1 < stretches.count ? index + 1 : 0
    }
    preconditionFailure("No stretch of sections has the index \(position)")
  }

  /// The changes.
  @inlinable var changes: ListChanges {
    if sections.gaps.isEmpty { return ListChanges() }
    if isUnrelated { return before.allChanges(to: after) }
    let matching = SharedMatching(shared: rows.shared, changed: rows.gaps.map { $0.stretch })
    return ListChanges(
      sections: Changeset(sectionMatching, beforeCount: before.tree.count, afterCount: after.tree.count),
      rows: segments.isEmpty ? Changeset() : Changeset(matching, segments: segments))
  }

  /// Whether there is nothing to skip, and enough to leave to the differ.
  @inlinable var isUnrelated: Bool {
    sections.shared.isEmpty && rows.shared.isEmpty && segments.reduce(0) { $0 + $1.afterCount } > 256
  }

  /// The number of nodes that were looked into. For tests.
  @usableFromInline var visited: Int { sections.visited + rows.visited }
}

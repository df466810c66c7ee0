public import RowcastDiff

/// One step of a change that was cut for strict views: a batch, and the list that it leads to.
public struct ListStage<Section: SectionViewModel, Row: RowViewModel>: Equatable, Sendable {
  /// What this step changes, relative to the list of the step before it.
  public var changes: ListChanges
  /// The list after this step.
  public var snapshot: ListSnapshot<Section, Row>

  /// Creates a stage from its changes and the list that they lead to.
  public init(changes: ListChanges, snapshot: ListSnapshot<Section, Row>) {
    self.changes = changes
    self.snapshot = snapshot
  }
}

/// One step of a change that was cut for strict views, for data that is kept elsewhere: a batch, and the counts after it.
public struct CountedStage: Hashable, Sendable {
  /// What this step changes, relative to the list of the step before it.
  public var changes: ListChanges
  /// The number of rows of each section after this step.
  public var rowCounts: [Int]

  /// Creates a stage from its changes and the counts that they lead to.
  public init(changes: ListChanges, rowCounts: [Int]) {
    self.changes = changes
    self.rowCounts = rowCounts
  }
}

extension ListChanges {
  /// The same changes, cut into batches for views that refuse row operations inside a section that moves.
  ///
  /// UIKit's and AppKit's collection views are such views. Each stage is a valid batch against the list of the stage
  /// before it, and the last one ends at `after`. Content updates are applied after the batch, so they do not count as
  /// operations inside a section.
  ///
  /// The first of two stages deletes sections and brings the rows of the surviving ones into their final order; the
  /// second inserts and moves whole sections. No row ever stands in two places.
  ///
  /// - Parameters:
  ///   - before: The list that these changes start from.
  ///   - after: The list that they lead to.
  /// - Returns: Nothing for no change; two stages if a moved section has row operations inside; else one.
  /// - Precondition: These changes lead from `before` to `after`.
  /// - Complexity: O(s + k log k) for s sections and k operations.
  public func stages<Section, Row>(
    from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) -> [ListStage<Section, Row>] {
    requireFit(from: before, to: after)
    if isEmpty { return [] }
    guard let parts = halves else { return [ListStage(changes: self, snapshot: after)] }
    let map = PathMap(self)
    let middle = (0..<before.sectionCount).compactMap { section in
      map.after(section: section).map { SectionEntry(before.section(at: section), rows: after.entry(at: $0).rows) }
    }
    return [
      ListStage(changes: parts.first, snapshot: ListSnapshot(combining: middle)),
      ListStage(changes: parts.second, snapshot: after),
    ]
  }

  /// Stops if the operations lie outside of the lists that they are said to stand between.
  private func requireFit<Section, Row>(from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>) {
    let sectionCount = before.sectionCount - sections.deletes.count + sections.inserts.count
    precondition(
      after.sectionCount == sectionCount,
      """
      These changes lead from a list of \(before.sectionCount) sections to one of \(sectionCount), and the list after \
      them has \(after.sectionCount): take the list that they were made from and the one that they were made to
      """)
    for index in sections.deletes + sections.moves.map(\.from) + sections.updates.map(\.from) {
      precondition(
        index >= 0 && index < before.sectionCount,
        "These changes concern section \(index), and the list before them has \(before.sectionCount) sections")
    }
    for index in sections.inserts + sections.moves.map(\.to) + sections.updates.map(\.to) {
      precondition(
        index >= 0 && index < after.sectionCount,
        "These changes lead to section \(index), and the list after them has \(after.sectionCount) sections")
    }
    for path in rows.deletes + rows.moves.map(\.from) + rows.updates.map(\.from) {
      precondition(
        before.contains(path), "These changes concern row \(path), which the list before them lacks: \(before.extent)")
    }
    for path in rows.inserts + rows.moves.map(\.to) + rows.updates.map(\.to) {
      precondition(
        after.contains(path), "These changes lead to row \(path), which the list after them lacks: \(after.extent)")
    }
  }

  /// The same changes, cut into batches as ``stages(from:to:)`` does, for lists of which only the row counts are known.
  ///
  /// For models that are not snapshots, such as managed objects. The data that the view reads has to be that of the last
  /// list, cut to the sections of each stage.
  ///
  /// - Parameters:
  ///   - before: The number of rows of each section of the list that these changes start from.
  ///   - after: The number of rows of each section of the list that they lead to.
  /// - Returns: Nothing for no change; two stages if a moved section has row operations inside; else one.
  /// - Precondition: These changes lead from a list with the counts `before` to one with the counts `after`.
  /// - Complexity: O(s + k log k) for s sections and k operations.
  public func stages(fromRowCounts before: [Int], to after: [Int]) -> [CountedStage] {
    if isEmpty { return [] }
    guard let parts = halves else { return [CountedStage(changes: self, rowCounts: after)] }
    let map = PathMap(self)
    let middle = before.indices.compactMap { map.after(section: $0).map { after[$0] } }
    return [
      CountedStage(changes: parts.first, rowCounts: middle), CountedStage(changes: parts.second, rowCounts: after),
    ]
  }

  /// What deletes sections and changes rows, and then what inserts and moves sections; nothing if one batch is enough.
  private var halves: (first: ListChanges, second: ListChanges)? {
    guard hasRowOperationsInMovedSections else { return nil }
    let map = PathMap(self)
    /// The index of a section among those that survive, in their old order, from the one before the change.
    func middle(_ before: Int) -> Int {
      before - sections.deletes.indices.countPrefix { sections.deletes[$0] < before }
    }
    func middle(ofAfter path: RowPath) -> RowPath {
      guard let before = map.before(section: path.section) else {
        preconditionFailure("Row \(path) is listed in section \(path.section), which is inserted")
      }
      return RowPath(section: middle(before), row: path.row)
    }
    func transitions(_ all: [Changeset<RowPath>.Transition]) -> [Changeset<RowPath>.Transition] {
      all.map { .init(from: $0.from, to: middle(ofAfter: $0.to)) }.sorted { $0.to < $1.to }
    }
    func transitions(_ all: [Changeset<Int>.Transition]) -> [Changeset<Int>.Transition] {
      all.map { .init(from: middle($0.from), to: $0.to) }
    }
    return (
      ListChanges(
        sections: Changeset(deletes: sections.deletes),
        rows: Changeset(
          deletes: rows.deletes, inserts: rows.inserts.map(middle(ofAfter:)).sorted(),
          moves: transitions(rows.moves), updates: transitions(rows.updates))),
      ListChanges(
        sections: Changeset(
          inserts: sections.inserts, moves: transitions(sections.moves), updates: transitions(sections.updates)))
    )
  }

  private var hasRowOperationsInMovedSections: Bool {
    if sections.moves.isEmpty { return false }
    let sources = Set(sections.moves.map(\.from))
    let destinations = Set(sections.moves.map(\.to))
    return rows.deletes.contains { sources.contains($0.section) }
      || rows.inserts.contains { destinations.contains($0.section) }
      || rows.moves.contains { sources.contains($0.from.section) || destinations.contains($0.to.section) }
  }
}

extension ListSnapshot {
  /// The row counts of the first sections, in words.
  fileprivate var extent: String {
    let counts = (0..<Swift.min(sectionCount, 20)).map { rowCount(inSection: $0) }
    return "\(sectionCount) sections with \(counts)\(sectionCount > 20 ? "…" : "") rows"
  }
}

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
    guard let cut = cut(BatchValidator(self, from: before, to: after)) else {
      return isEmpty ? [] : [ListStage(changes: self, snapshot: after)]
    }
    let middle = cut.survivors.map { SectionEntry(before.section(at: $0), rows: after.entry(at: $1).rows) }
    return [
      ListStage(changes: cut.first, snapshot: ListSnapshot(combining: middle)),
      ListStage(changes: cut.second, snapshot: after),
    ]
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
    guard let cut = cut(BatchValidator(TableBatch(self), rowCountsBefore: before, rowCountsAfter: after)) else {
      return isEmpty ? [] : [CountedStage(changes: self, rowCounts: after)]
    }
    return [
      CountedStage(changes: cut.first, rowCounts: cut.survivors.map { after[$1] }),
      CountedStage(changes: cut.second, rowCounts: after),
    ]
  }

  /// What deletes sections and changes rows, what then inserts and moves sections, and the sections that are there between
  /// both, by their indexes before and after. Nothing if one batch is enough.
  private func cut(
    _ batch: BatchValidator
  ) -> (first: ListChanges, second: ListChanges, survivors: [(before: Int, after: Int)])? {
    do { try batch.validate() } catch {
      stop("These changes do not lead from the one list to the other. \(error)")
    }
    // One batch is enough if it is one for views that refuse rows in moved sections.
    if (try? batch.checkRowsInMovedSections()) != nil { return nil }
    let map = PathMap(self)
    /// The index of a section among those that survive, in their old order, from the one before the change.
    func middle(_ before: Int) -> Int {
      before - sections.deletes.indices.countPrefix { sections.deletes[$0] < before }
    }
    func middle(ofAfter path: RowPath) -> RowPath {
      guard let before = map.before(section: path.section) else {
        stop("Row \(path) is listed in section \(path.section), which is inserted")
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
          inserts: sections.inserts, moves: transitions(sections.moves), updates: transitions(sections.updates))),
      batch.before.indices.compactMap { index in map.after(section: index).map { (index, $0) } }
    )
  }
}

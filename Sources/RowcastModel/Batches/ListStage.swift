public import RowcastDiff

/// One step of a change that was cut for strict views: a batch, and the list after it.
public struct ListStage<Section: SectionViewModel, Row: RowViewModel>: Equatable, Sendable {
  /// The changes of this step, relative to the list of the step before it.
  public var changes: ListChanges
  /// The list after this step.
  public var snapshot: ListSnapshot<Section, Row>

  /// Creates a stage from its changes and the list that they lead to.
  package init(changes: ListChanges, snapshot: ListSnapshot<Section, Row>) {
    self.changes = changes
    self.snapshot = snapshot
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
  /// second inserts and moves whole sections. No row is ever in two places.
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
    let batch = BatchValidator(self, from: before, to: after)
    do { try batch.validate() } catch {
      stop("These changes do not lead from the one list to the other. \(error)")
    }
    if isEmpty { return [] }
    // One batch is enough if it is valid for views that refuse rows in moved sections.
    if batch.rowInMovedSection() == nil { return [ListStage(changes: self, snapshot: after)] }
    let map = PathMap(self)
    // Between the stages, the list has the surviving sections in their old order.
    let survivors = (0..<before.sectionCount).compactMap { index in
      map.destination(ofSection: index).map { SectionEntry(before.section(at: index), rows: after.entry(at: $0).rows) }
    }
    let (first, second) = cut(map)
    return [
      ListStage(changes: first, snapshot: ListSnapshot(combining: survivors)),
      ListStage(changes: second, snapshot: after),
    ]
  }

  /// The changes that delete sections and change rows, and the changes that then insert and move sections.
  private func cut(_ map: PathMap) -> (first: ListChanges, second: ListChanges) {
    /// The index of a section among the survivors, in their old order, from the one before the change.
    func middle(_ before: Int) -> Int { before - sections.deletes.countLess(than: before) }
    func middle(ofAfter path: RowPath) -> RowPath {
      guard let before = map.origin(ofSection: path.section) else {
        stop("Row \(path) is listed in section \(path.section), which is inserted")
      }
      return RowPath(section: middle(before), row: path.row)
    }
    var firstRows = rows
    firstRows.inserts = rows.inserts.map(middle(ofAfter:)).ascending
    for index in firstRows.moves.indices { firstRows.moves[index].to = middle(ofAfter: rows.moves[index].to) }
    for index in firstRows.updates.indices { firstRows.updates[index].to = middle(ofAfter: rows.updates[index].to) }
    firstRows.moves = firstRows.moves.inOrder { $0.to < $1.to }
    firstRows.updates = firstRows.updates.inOrder { $0.to < $1.to }
    var lastSections = sections
    lastSections.deletes = []
    for index in sections.moves.indices { lastSections.moves[index].from = middle(sections.moves[index].from) }
    for index in sections.updates.indices { lastSections.updates[index].from = middle(sections.updates[index].from) }
    return (
      ListChanges(sections: Changeset(deletes: sections.deletes), rows: firstRows), ListChanges(sections: lastSections)
    )
  }
}

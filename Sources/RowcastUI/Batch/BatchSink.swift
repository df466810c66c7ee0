import RowcastDiff
import RowcastModel

/// What a ``BatchDriver`` needs of a view, whatever kind of view it is. It does not keep the view alive.
@MainActor
protocol BatchSink {
  /// Whether the view is still there and in a window; `nil` if it is gone.
  var isInWindow: Bool? { get }

  /// How many operations a batch comes to in this view, or any number above a limit.
  func operationCount<Section, Row>(
    of changes: ListChanges, from before: ListSnapshot<Section, Row>, limit: Int
  ) -> Int

  /// Makes one batch of a stage. `swap` makes the list after it the one that the view reads; `completion` follows at rest.
  func perform<Section, Row>(
    _ stage: ListStage<Section, Row>, from before: ListSnapshot<Section, Row>, swap: @escaping () -> Void,
    completion: @escaping @MainActor @Sendable () -> Void)

  /// Has the cells of rows and sections whose content changed configured again, or replaced if their kind changed. Only the updates
  /// among the changes are meant.
  func reconfigure<Section, Row>(
    _ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>)

  /// Loads everything anew.
  func reload()
}

/// A view of sections.
struct SectionedSink<View: BatchView>: BatchSink {
  weak var view: View?

  var isInWindow: Bool? { view?.isInWindow }

  func operationCount<Section, Row>(
    of changes: ListChanges, from before: ListSnapshot<Section, Row>, limit: Int
  ) -> Int { changes.count }

  func perform<Section, Row>(
    _ stage: ListStage<Section, Row>, from before: ListSnapshot<Section, Row>, swap: @escaping () -> Void,
    completion: @escaping @MainActor @Sendable () -> Void
  ) {
    guard let view else {
      swap()
      return completion()
    }
    let (sections, rows) = (stage.changes.sections, stage.changes.rows)
    view.performBatch(
      {
        // The view has its own counts of the list before; from here on it reads those after.
        swap()
        if !rows.deletes.isEmpty { view.deleteRows(at: rows.deletes) }
        if !sections.deletes.isEmpty { view.deleteSections(at: sections.deletes) }
        if !sections.inserts.isEmpty { view.insertSections(at: sections.inserts) }
        for move in sections.moves { view.moveSection(from: move.from, to: move.to) }
        if !rows.inserts.isEmpty { view.insertRows(at: rows.inserts) }
        for move in rows.moves { view.moveRow(from: move.from, to: move.to) }
      }, completion: completion)
  }

  func reconfigure<Section, Row>(
    _ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) {
    if !changes.sections.updates.isEmpty { view?.reconfigureSections(at: changes.sections.updates.map(\.to)) }
    let (kept, replaced) = changes.updatedRows(from: before, to: after)
    if !kept.isEmpty { view?.reconfigureRows(at: kept) }
    if !replaced.isEmpty { view?.replaceRows(at: replaced) }
  }

  func reload() { view?.reload() }
}

/// A view of rows alone.
struct FlatSink<View: FlatBatchView>: BatchSink {
  weak var view: View?
  /// Whether each section begins with a row of its own.
  let hasHeaders: Bool

  var isInWindow: Bool? { view?.isInWindow }

  func operationCount<Section, Row>(
    of changes: ListChanges, from before: ListSnapshot<Section, Row>, limit: Int
  ) -> Int {
    var count = changes.count
    // Here a section moves row by row.
    for move in changes.sections.moves where count <= limit { count += before.rowCount(inSection: move.from) }
    return count
  }

  func perform<Section, Row>(
    _ stage: ListStage<Section, Row>, from before: ListSnapshot<Section, Row>, swap: @escaping () -> Void,
    completion: @escaping @MainActor @Sendable () -> Void
  ) {
    guard let view else {
      swap()
      return completion()
    }
    let steps = FlatSteps(
      stage.changes, from: FlatLayout(before, hasHeaders: hasHeaders),
      to: FlatLayout(stage.snapshot, hasHeaders: hasHeaders))
    view.performBatch(
      {
        swap()
        if !steps.removals.isEmpty { view.removeRows(at: steps.removals) }
        for move in steps.moves { view.moveRow(from: move.from, to: move.to) }
        if !steps.insertions.isEmpty { view.insertRows(at: steps.insertions) }
      }, completion: completion)
  }

  func reconfigure<Section, Row>(
    _ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) {
    let layout = FlatLayout(after, hasHeaders: hasHeaders)
    let (kept, replaced) = changes.updatedRows(from: before, to: after)
    let headers = hasHeaders ? changes.sections.updates.map { layout.starts[$0.to] } : []
    let rows = (headers + kept.map(layout.index)).sorted()
    if !rows.isEmpty { view?.reconfigureRows(at: rows) }
    if !replaced.isEmpty { view?.replaceRows(at: replaced.map(layout.index)) }
  }

  func reload() { view?.reload() }
}

extension ListChanges {
  /// The rows whose content changed, by their paths after the change: those that keep their kind of cell, and the others.
  fileprivate func updatedRows<Section, Row>(
    from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>
  ) -> (kept: [RowPath], replaced: [RowPath]) {
    var (kept, replaced): ([RowPath], [RowPath]) = ([], [])
    for update in rows.updates {
      if before.row(at: update.from).reuseIdentifier == after.row(at: update.to).reuseIdentifier {
        kept.append(update.to)
      } else {
        replaced.append(update.to)
      }
    }
    return (kept, replaced)
  }
}

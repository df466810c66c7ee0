import RowcastDiff
import RowcastModel

// The calls to the view: one of sections, or one of rows alone.
extension BatchDriver {
  /// True if the view exists and is in a window.
  var isInWindow: Bool { view?.isInWindow ?? flatView?.isInWindow ?? false }

  /// The number of operations of a batch in the view, which still shows the list before; or any number above the limit.
  func operationCount(of changes: ListChanges) -> Int {
    var count = changes.count
    if flatView == nil { return count }
    // In a view of rows alone a section moves row by row.
    for move in changes.sections.moves where count <= animationLimit {
      count += snapshot.rowCount(inSection: move.from)
    }
    return count
  }

  /// Performs a stage as one batch. `snapshot` is the list before the stage until `swap` gives the view the list after it;
  /// `completion` is called when the animation has ended.
  func perform(
    _ stage: ListStage<Section, Row>, swap: @escaping () -> Void, completion: @escaping @MainActor @Sendable () -> Void
  ) {
    if let view {
      let (sections, rows) = (stage.changes.sections, stage.changes.rows)
      view.performBatch(
        {
          // The view remembers the counts of the list before; from here on it reads the counts of the list after.
          swap()
          if !rows.deletes.isEmpty { view.deleteRows(at: rows.deletes) }
          if !sections.deletes.isEmpty { view.deleteSections(at: sections.deletes) }
          if !sections.inserts.isEmpty { view.insertSections(at: sections.inserts) }
          for move in sections.moves { view.moveSection(from: move.from, to: move.to) }
          if !rows.inserts.isEmpty { view.insertRows(at: rows.inserts) }
          for move in rows.moves { view.moveRow(from: move.from, to: move.to) }
        }, completion: completion)
    } else if let flatView {
      let steps = layout.steps(of: stage.changes, to: FlatLayout(stage.snapshot, hasHeaders: hasHeaders))
      flatView.performBatch(
        {
          swap()
          if !steps.removals.isEmpty { flatView.removeRows(at: steps.removals) }
          for move in steps.moves { flatView.moveRow(from: move.from, to: move.to) }
          if !steps.insertions.isEmpty { flatView.insertRows(at: steps.insertions) }
        }, completion: completion)
    } else {
      // The view was released in an earlier batch of this update; at the end of the update the driver has the list in any
      // case.
      completion()
    }
  }

  /// Configures again the cells and headers whose content has changed, once the view shows the list after the changes; cells
  /// whose kind changed are replaced.
  func reconfigure(_ changes: ListChanges, from before: ListSnapshot<Section, Row>) {
    let sections = changes.sections.updates
      .filter { configureHeader?($0.to, before.section(at: $0.from), snapshot.section(at: $0.to)) != true }
      .map(\.to)
    var (kept, replaced): ([RowPath], [RowPath]) = ([], [])
    for update in changes.rows.updates {
      let isKept = before.row(at: update.from).reuseIdentifier == snapshot.row(at: update.to).reuseIdentifier
      if isKept { kept.append(update.to) } else { replaced.append(update.to) }
    }
    if let view {
      if !sections.isEmpty { view.reconfigureSections(at: sections) }
      if !kept.isEmpty { view.reconfigureRows(at: kept) }
      if !replaced.isEmpty { view.replaceRows(at: replaced) }
    } else if let flatView {
      let rows = ((hasHeaders ? sections.map { layout.starts[$0] } : []) + kept.map(layout.index)).ascending
      if !rows.isEmpty { flatView.reconfigureRows(at: rows) }
      if !replaced.isEmpty { flatView.replaceRows(at: replaced.map(layout.index)) }
    }
  }

  /// The rows on the screen, by their paths in the list that the view shows.
  var viewport: BatchViewport<RowPath>? {
    guard let viewport = flatView?.viewport else {
      guard var viewport = view?.viewport else { return nil }
      // A view that has not loaded the list may have rows of another one.
      viewport.rows.removeAll { !snapshot.contains($0.index) }
      return viewport
    }
    let layout = layout
    let rows = viewport.rows.compactMap { place -> (RowPath, Double)? in
      guard (0..<layout.count).contains(place.index), case .row(let path) = layout[place.index] else { return nil }
      return (path, place.distance)
    }
    return BatchViewport(rows: rows, isAtStart: viewport.isAtStart, isAtEnd: viewport.isAtEnd)
  }

  /// Scrolls so that a row of the list begins at a distance from the start of the screen.
  func scroll(to path: RowPath, distance: Double) {
    scroll {
      view?.scroll(to: path, distance: distance)
      flatView?.scroll(to: layout.index(of: path), distance: distance)
    }
  }

  func scrollToEnd() {
    scroll {
      view?.scrollToEnd()
      flatView?.scrollToEnd()
    }
  }

  /// Scrolls until the place stays: where heights are estimates, rows that appear are measured, which moves those after them.
  private func scroll(_ scroll: () -> Void) {
    var former: (RowPath, Double)?
    for _ in 0..<10 {
      scroll()
      let flat = flatView?.viewport?.rows.first.map { (RowPath(section: 0, row: $0.index), $0.distance) }
      guard let first = flat ?? view?.viewport?.rows.first.map({ ($0.index, $0.distance) }) else { return }
      if let former, former == first { return }
      former = first
    }
  }
}

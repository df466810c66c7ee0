public import RowcastDiff
import RowcastModel
public import RowcastStore

// The reading position follows rows, not indexes.
extension BatchDriver {
  /// Scrolls after an update so that what was on the screen stays where it was.
  ///
  /// The first of the visible rows that move least keeps its place. If none of its visible lines remains, because it was
  /// folded or became shorter, or if the list ends too soon after it, the next row that moves as little keeps its place.
  ///
  /// - Parameters:
  ///   - viewport: The rows that were on the screen, by their paths before the update.
  ///   - changes: The update.
  ///   - before: The list before it.
  func keepPlace(_ viewport: BatchViewport<RowPath>, _ changes: ListChanges, from before: ListSnapshot<Section, Row>) {
    if followsTail, viewport.isAtEnd { return scrollToEnd() }
    if showsArrivalsAtTop, viewport.isAtStart { return }
    let map = PathMap(changes, from: before, to: snapshot)
    var kept: [(path: RowPath, distance: Double, rank: Int)] = []
    for row in viewport.rows {
      if let path = map.destination(of: row.index) { kept.append((path, row.distance, map.rank(of: row.index))) }
    }
    guard let best = kept.min(by: { $0.rank < $1.rank }) else {
      if let first = viewport.rows.first { keepPlace(besideLeaving: first, map, from: before) }
      return
    }
    scroll(to: best.path, distance: best.distance)
    // Only the first row on the screen can begin above it. It may have been folded, or be too near to the end of the list
    // now.
    guard best.distance < 0, let now = self.viewport else { return }
    let place = now.rows.first { $0.index == best.path }
    if let place, place.distance < best.distance + 1 { return }
    if let next = kept.dropFirst().first(where: { $0.rank == best.rank }) {
      scroll(to: next.path, distance: next.distance)
    } else if place == nil {
      scroll(to: best.path, distance: 0)
    }
  }

  /// Keeps the place in the list if no row on the screen remains: the content after the rows above the screen begins where
  /// the first row on the screen did. If none of the rows above remains either, the rows below begin at the start of the
  /// screen.
  private func keepPlace(
    besideLeaving first: (index: RowPath, distance: Double), _ map: PathMap, from before: ListSnapshot<Section, Row>
  ) {
    if let last = map.destination(before: first.index, inSectionsOf: before.rowCounts, map.keptDestination) {
      guard let next = snapshot.path(after: last) else { return scrollToEnd() }
      scroll(to: next, distance: first.distance)
    } else if let next = map.destination(from: first.index, inSectionsOf: before.rowCounts, map.keptDestination) {
      scroll(to: next, distance: 0)
    }
  }
}

extension BatchDriver {
  /// Takes over a move that the view has performed, because a person dragged a row.
  ///
  ///     func tableView(_ view: UITableView, moveRowAt from: IndexPath, to: IndexPath) {
  ///       guard let move = try? driver.viewDidMove(from: RowPath(from), to: RowPath(to)) else { return }
  ///       Task { try await store.edit { $0.moveRows(move) } }
  ///     }
  ///
  /// - Parameters:
  ///   - from: The path of the row before the move.
  ///   - to: Its path after the move.
  /// - Returns: The move by the ids of rows, for `ListEditor.moveRows(_:)` in the list that the rows come from.
  /// - Throws: `sectionOutOfRange` or `rowOutOfRange` of `to`; ``snapshot`` then no longer fits the view: reload it.
  /// - Precondition: `from` lies within the list that the view shows; the call is not made from inside a batch.
  /// - Complexity: O(n) for n rows.
  public func viewDidMove(from: RowPath, to: RowPath) throws -> RowMove<Section.ID, Row.ID> {
    let id = snapshot.row(at: from).id
    try viewDidPerform { try $0.move(id, to: to) }
    return RowMove([id], to: to, in: snapshot)
  }
}

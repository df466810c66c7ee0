public import RowcastDiff
import RowcastModel
public import RowcastStore

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

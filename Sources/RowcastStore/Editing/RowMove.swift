package import RowcastDiff
package import RowcastModel

/// A move that a person made in a list on a screen, by the ids of the rows. It keeps its meaning in the source of the shown list,
/// which also has the rows that a filter hides, and after other edits.
public struct RowMove<SectionID: Hashable & Sendable, RowID: Hashable & Sendable>: Equatable, Sendable {
  /// The rows that move, in their order.
  public var ids: [RowID]
  /// The section where they are shown afterwards.
  public var section: SectionID
  /// The row that is shown directly before them in that section; `nil` at its start.
  public var previous: RowID?
  /// The row that is shown directly after them in that section; `nil` at its end.
  public var next: RowID?

  /// Creates a move.
  package init(_ ids: [RowID], in section: SectionID, after previous: RowID?, before next: RowID?) {
    (self.ids, self.section, self.previous, self.next) = (ids, section, previous, next)
  }
}

extension RowMove {
  /// A move to a list, where the rows are next to each other.
  ///
  /// - Parameters:
  ///   - ids: The rows, in their order.
  ///   - path: The path of the first of them in the list.
  ///   - list: The list after the move.
  package init<Section, Row>(_ ids: [RowID], to path: RowPath, in list: ListSnapshot<Section, Row>)
  where Section.ID == SectionID, Row.ID == RowID {
    let rows = list.rows(inSection: path.section)
    let end = path.row + ids.count
    self.init(
      ids, in: list.section(at: path.section).id, after: path.row > 0 ? rows[path.row - 1].id : nil,
      before: end < rows.count ? rows[end].id : nil)
  }
}

extension ListEditor {
  /// Applies a move that a person made in a list derived from this one.
  ///
  /// The rows are then directly after the row that was shown before them, in its section; without one, directly before the row
  /// that was shown after them. If the list has neither, they are at the end of the section with the id of `move.section`, or
  /// stay where they are if there is none. Rows that the list no longer has are left out.
  ///
  /// If sections are made from the content of rows, such as their day, or the order is that of a key, change the rows, too:
  /// their section and order follow from it.
  ///
  /// - Parameter move: The move; see `ListModel.viewDidMove` and `BatchDriver.viewDidMove`.
  /// - Complexity: O(m log n) for m rows.
  public mutating func moveRows<SectionID>(_ move: RowMove<SectionID, Row.ID>) {
    let ids = move.ids.filter { path(ofRow: $0) != nil }
    let moving = Set(ids)
    func isAnchor(_ id: Row.ID) -> Bool { !moving.contains(id) && path(ofRow: id) != nil }
    var previous = move.previous.flatMap { isAnchor($0) ? $0 : nil }
    let next = move.next.flatMap { isAnchor($0) ? $0 : nil }
    let last = (move.section as? Section.ID).flatMap { index(ofSection: $0) }
    for id in ids {
      guard let from = path(ofRow: id) else { continue }
      var to: RowPath
      if let path = previous.flatMap({ self.path(ofRow: $0) }) {
        to = RowPath(section: path.section, row: path.row + 1)
      } else if let path = next.flatMap({ self.path(ofRow: $0) }) {
        to = path
      } else if let last {
        to = RowPath(section: last, row: rowCount(inSection: last))
      } else {
        return
      }
      // The path does not count the row itself.
      if from.section == to.section, from.row < to.row { to.row -= 1 }
      draft.moveRow(from: from, to: to)
      previous = id
    }
  }
}

import RowcastDiff
package import RowcastModel
package import RowcastStore

extension RowMove {
  /// The move of rows that are dropped between two rows of a view without sections; `nil` above the first header, or in an empty
  /// list.
  ///
  /// - Parameters:
  ///   - ids: The rows that are dragged, in their order.
  ///   - index: The row of the view above which they are dropped; the number of rows for the end.
  ///   - layout: The places of the rows of the list.
  ///   - list: The list that the view shows.
  /// - Complexity: O(log s) for s sections, and O(m) for m dragged rows.
  package init?<Section, Row>(
    dropping ids: [RowID], above index: Int, in layout: FlatLayout, of list: ListSnapshot<Section, Row>
  ) where Section.ID == SectionID, Row.ID == RowID {
    guard (0...layout.count).contains(index), list.sectionCount > 0 else { return nil }
    var place = RowPath(section: 0, row: 0)
    if index > 0 {
      switch layout[index - 1] {
      case .header(let section): place = RowPath(section: section, row: 0)
      case .row(let path): place = RowPath(section: path.section, row: path.row + 1)
      }
    } else if layout.hasHeaders {
      return nil
    }
    let rows = list.rows(inSection: place.section)
    let moving = Set(ids)
    func stays(_ row: Int) -> Bool { !moving.contains(rows[row].id) }
    let previous = (0..<place.row).last(where: stays)
    let next = (place.row..<rows.count).first(where: stays)
    self.init(
      ids, in: list.section(at: place.section).id, after: previous.map { rows[$0].id }, before: next.map { rows[$0].id }
    )
  }
}

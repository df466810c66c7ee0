import RowcastDiff
import RowcastModel

/// Where rows of one list are in the next.
struct Following<Section: SectionViewModel, Row: RowViewModel> {
  let changes: ListChanges
  let before: ListSnapshot<Section, Row>
  let after: ListSnapshot<Section, Row>
  private let map: PathMap

  init(_ changes: ListChanges, from before: ListSnapshot<Section, Row>, to after: ListSnapshot<Section, Row>) {
    self.changes = changes
    self.before = before
    self.after = after
    map = PathMap(changes)
  }

  /// The paths after the change of rows that are still there, also of those that crossed the border of a deleted or an
  /// inserted section, which are listed as gone or as new.
  ///
  /// - Parameter rows: Ids, with the paths before the change.
  /// - Returns: Paths by id; none for a row that is gone.
  /// - Complexity: O(r log k) for r rows and k operations; O(rows that came) if one of them is listed as gone while
  ///   sections came or went.
  func paths(of rows: [Row.ID: RowPath]) -> [Row.ID: RowPath] {
    var found = rows.compactMapValues(map.after)
    let sections = changes.sections
    guard found.count < rows.count, !(sections.deletes.isEmpty && sections.inserts.isEmpty) else { return found }
    for (path, row) in arrivals where rows[row.id] != nil {
      found[row.id] = path
      if found.count == rows.count { break }
    }
    return found
  }

  /// All rows that came, with their paths after the change.
  private var arrivals: some Sequence<(path: RowPath, row: Row)> {
    after.rows(at: changes.rows.inserts, inSections: changes.sections.inserts)
  }

  /// All rows that went, with their paths before the change.
  var departures: some Sequence<(path: RowPath, row: Row)> {
    before.rows(at: changes.rows.deletes, inSections: changes.sections.deletes)
  }
}

extension ListSnapshot {
  /// The rows at some paths, and all rows of some sections.
  fileprivate func rows(
    at paths: [RowPath], inSections sections: [Int]
  ) -> some Sequence<(path: RowPath, row: Row)> {
    let single = paths.lazy.map { (path: $0, row: row(at: $0)) }
    let whole = sections.lazy.flatMap { section in
      rows(inSection: section).enumerated().lazy.map { (path: RowPath(section: section, row: $0), row: $1) }
    }
    return [AnySequence(single), AnySequence(whole)].joined()
  }
}

import RowcastDiff
import RowcastModel

// Rows that a change lists as gone, or that are selected, are followed by their ids. All others are followed by integers.
extension RetainedTable {
  /// Finds rows that are listed as gone, and crossed the border of a deleted or an inserted section: their paths in the list that is
  /// to be shown, by those in the list that is shown.
  ///
  /// - Complexity: O(rows that came).
  func crossings(of paths: [RowPath], _ changes: ListChanges) -> [RowPath: RowPath] {
    guard !paths.isEmpty else { return [:] }
    let origins = Dictionary(paths.map { (lists.shown.row(at: $0).id, $0) }) { first, _ in first }
    var found: [RowPath: RowPath] = [:]
    for (path, row) in lists.next.rows(at: changes.rows.inserts, inSections: changes.sections.inserts) {
      guard let origin = origins[row.id] else { continue }
      found[origin] = path
      if found.count == origins.count { break }
    }
    return found
  }

  /// What a change does to selected rows: those that show something else, and those that are gone, in their former order.
  typealias SelectionEffect = (changed: [Row], gone: [Row.ID])

  /// What a change does to the selected rows.
  ///
  /// - Complexity: O(k log n) for k rows that are listed, or whose sections are listed, and n rows.
  @inline(never)
  func effectOnSelection(of changes: ListChanges) -> SelectionEffect {
    let changed = changes.rows.updates.map { lists.next.row(at: $0.to) }.filter { selectedRows[$0.id] != nil }
    let departed = lists.shown.rows(at: changes.rows.deletes, inSections: changes.sections.deletes)
      .filter { selectedRows[$0.row.id] != nil }.sorted { $0.path < $1.path }
    let hasCrossings = !(changes.sections.deletes.isEmpty && changes.sections.inserts.isEmpty)
    let crossings = hasCrossings ? crossings(of: departed.map(\.path), changes) : [:]
    return (changed, departed.filter { crossings[$0.path] == nil }.map(\.row.id))
  }

  /// Takes rows out of the selection that are gone, and takes notice of what others show now.
  @inline(never)
  func follow(_ effect: SelectionEffect) {
    for row in effect.changed { changeSelection { $0[row.id] = row } }
    for id in effect.gone { deselect(id) }
  }
}

extension ListSnapshot {
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

import RowcastDiff
import RowcastModel

/// Where rows of one list are in the next.
struct Following<Section: SectionViewModel, Row: RowViewModel> {
  let changes: ListChanges
  let before: ListSnapshot<Section, Row>
  let after: ListSnapshot<Section, Row>
  let map: PathMap

  /// Finds rows that are listed as gone, and crossed the border of a deleted or an inserted section, by their ids.
  ///
  /// - Parameter paths: Paths before the change that the map has no place for.
  /// - Returns: The paths after the change of those that are still there, by their paths before it.
  /// - Complexity: O(rows that came) if sections came or went, else O(1).
  func crossings(of paths: [RowPath]) -> [RowPath: RowPath] {
    let sections = changes.sections
    guard !paths.isEmpty, !(sections.deletes.isEmpty && sections.inserts.isEmpty) else { return [:] }
    let origins = Dictionary(paths.map { (before.row(at: $0).id, $0) }) { first, _ in first }
    var found: [RowPath: RowPath] = [:]
    for (path, row) in arrivals {
      guard let origin = origins[row.id] else { continue }
      found[origin] = path
      if found.count == origins.count { break }
    }
    return found
  }

  /// What a change does to selected rows.
  ///
  /// - Parameter selection: The selected rows, by id.
  /// - Returns: Those that show something else, and those that are gone, in the order of the list before.
  /// - Complexity: O(k log n) for k rows that are listed, or whose sections are listed, and n rows.
  func effect(on selection: [Row.ID: Row]) -> (changed: [Row], gone: [Row.ID]) {
    guard !selection.isEmpty else { return ([], []) }
    let changed = changes.rows.updates.map { after.row(at: $0.to) }.filter { selection[$0.id] != nil }
    let departed = departures.filter { selection[$0.row.id] != nil }.sorted { $0.path < $1.path }
    let crossings = crossings(of: departed.map(\.path))
    return (changed, departed.filter { crossings[$0.path] == nil }.map(\.row.id))
  }

  /// All rows that came, with their paths after the change.
  private var arrivals: some Sequence<(path: RowPath, row: Row)> {
    after.rows(at: changes.rows.inserts, inSections: changes.sections.inserts)
  }

  /// All rows that went, with their paths before the change.
  private var departures: some Sequence<(path: RowPath, row: Row)> {
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

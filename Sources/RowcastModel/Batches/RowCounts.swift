import RowcastDiff

/// The row count of each section on one side of a batch.
enum RowCounts {
  /// The counts of a list that exists.
  case known([Int])
  /// The number of sections, and a closure that gives the count of one of them.
  case lookedUp(Int, (Int) -> Int)

  /// The counts after changes, as they follow from those before. Those of invalid changes mean nothing.
  ///
  /// - Parameters:
  ///   - changes: The changes, which may be invalid.
  ///   - sectionCount: The number of sections before the changes.
  ///   - rowCountBefore: The row count of a section before the changes.
  ///   - inserted: The row counts of the inserted sections, in the order of `changes.sections.inserts`.
  /// - Returns: The counts of the sections after the changes.
  /// - Complexity: O(k log k) for k operations.
  static func following(
    _ changes: ListChanges, sectionCount: Int, rowCountBefore: @escaping (Int) -> Int, inserted: [Int]
  ) -> RowCounts {
    let sections = changes.sections
    let before = 0..<sectionCount
    let after = 0..<Swift.max(0, sectionCount - sections.deletes.count + sections.inserts.count)
    // Invalid moves count as a deletion, an insertion, or nothing.
    let vanishing = sections.moves.filter { !after.contains($0.to) }.map(\.from)
    let appearing = sections.moves.filter { !before.contains($0.from) }.map(\.to)
    let map = IndexMap(
      Changeset(
        deletes: (sections.deletes + vanishing).filter(before.contains),
        inserts: (sections.inserts + appearing).filter(after.contains),
        moves: sections.moves.filter { before.contains($0.from) && after.contains($0.to) }))
    let insertedCounts = Dictionary(zip(sections.inserts, inserted)) { first, _ in first }
    var (left, entered): ([Int: Int], [Int: Int]) = ([:], [:])
    for path in changes.rows.deletes + changes.rows.moves.map(\.from) { left[path.section, default: 0] += 1 }
    for path in changes.rows.inserts + changes.rows.moves.map(\.to) { entered[path.section, default: 0] += 1 }
    return .lookedUp(after.count) { [left, entered] section in
      if let count = insertedCounts[section] { return count }
      guard let origin = map.origin(of: section), before.contains(origin) else { return 0 }
      return Swift.max(0, rowCountBefore(origin) + entered[section, default: 0] - left[origin, default: 0])
    }
  }

  /// The number of sections.
  var count: Int {
    switch self {
    case .known(let counts): counts.count
    case .lookedUp(let count, _): count
    }
  }

  subscript(section: Int) -> Int {
    switch self {
    case .known(let counts): counts[section]
    case .lookedUp(_, let rowCount): rowCount(section)
    }
  }

  /// The counts of all sections.
  var all: [Int] { (0..<count).map { self[$0] } }

  func hasSection(_ section: Int) -> Bool { section >= 0 && section < count }

  func contain(_ place: BatchPlace) -> Bool {
    guard hasSection(place.section) else { return false }
    guard let row = place.row else { return true }
    return row >= 0 && row < self[place.section]
  }
}

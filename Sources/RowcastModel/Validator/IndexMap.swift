package import RowcastDiff

/// Where the indexes before a change are after it, by binary search in the operations.
struct IndexMap {
  /// Indexes before the change that are taken out, ascending.
  var leaving: [Int]
  /// Indexes after the change that are put in, ascending.
  var arriving: [Int]

  /// The index after the change of an element that is neither deleted nor moved.
  func after(staying index: Int) -> Int {
    let rank = index - leaving.countLess(than: index)
    // The arrival at place k takes the slot of a stayer whose rank is at least its index less the k arrivals before it.
    return rank + arriving.indices.countPrefix { arriving[$0] - $0 <= rank }
  }
}

/// Where sections and rows before a change are after it.
package struct PathMap {
  private let sections: IndexMap
  private let sectionDeletes: Set<Int>
  private let sectionMoves: [Int: Int]
  private let rowMoves: [RowPath: RowPath]
  private let rowDeletes: Set<RowPath>
  private let leavingRows: [Int: [Int]]
  private let arrivingRows: [Int: [Int]]

  /// - Complexity: O(k log k) for k operations.
  package init(_ changes: ListChanges) {
    let moves = changes.sections.moves
    sections = IndexMap(
      leaving: (changes.sections.deletes + moves.map(\.from)).sorted(),
      arriving: (changes.sections.inserts + moves.map(\.to)).sorted())
    sectionDeletes = Set(changes.sections.deletes)
    sectionMoves = Dictionary(moves.map { ($0.from, $0.to) }) { first, _ in first }
    rowDeletes = Set(changes.rows.deletes)
    rowMoves = Dictionary(changes.rows.moves.map { ($0.from, $0.to) }) { first, _ in first }
    leavingRows = Self.bySection(changes.rows.deletes + changes.rows.moves.map(\.from))
    arrivingRows = Self.bySection(changes.rows.inserts + changes.rows.moves.map(\.to))
  }

  private static func bySection(_ paths: [RowPath]) -> [Int: [Int]] {
    Dictionary(grouping: paths.sorted(), by: \.section).mapValues { $0.map(\.row) }
  }

  /// The index after the change of a section, or `nil` if it is deleted.
  package func after(section: Int) -> Int? {
    if sectionDeletes.contains(section) { return nil }
    return sectionMoves[section] ?? sections.after(staying: section)
  }

  /// The path after the change of a row, or `nil` if it, or its section, is deleted.
  package func after(_ path: RowPath) -> RowPath? {
    if let destination = rowMoves[path] { return destination }
    guard !rowDeletes.contains(path), let section = after(section: path.section) else { return nil }
    let rows = IndexMap(leaving: leavingRows[path.section] ?? [], arriving: arrivingRows[section] ?? [])
    return RowPath(section: section, row: rows.after(staying: path.row))
  }
}

extension Array<Int> {
  /// The number of elements below a value in a sorted array.
  fileprivate func countLess(than value: Int) -> Int { indices.countPrefix { self[$0] < value } }
}

extension Range<Int> {
  /// The number of leading indexes for which a condition holds that holds for a prefix only.
  fileprivate func countPrefix(where holds: (Int) -> Bool) -> Int {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low - lowerBound
  }
}

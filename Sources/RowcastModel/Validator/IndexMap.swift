package import RowcastDiff

/// Where the indexes before a change are after it, by binary search in the operations.
struct IndexMap {
  /// Indexes before the change that are taken out, ascending.
  var leaving: [Int]
  /// Indexes after the change that are put in, ascending.
  var arriving: [Int]

  /// The index after the change of an element that is neither deleted nor moved.
  func after(staying index: Int) -> Int {
    let rank = index - leaving.indices.countPrefix { leaving[$0] < index }
    // The arrival at place k takes the slot of a stayer whose rank is at least its index less the k arrivals before it.
    return rank + arriving.indices.countPrefix { arriving[$0] - $0 <= rank }
  }
}

/// Where sections and rows before a change are after it.
///
/// Sorted arrays, which are those of the changes themselves where nothing moves: making a map allocates nothing then.
package struct PathMap {
  /// Rows that are deleted or moved: paths before the change, ascending.
  package let leavingRows: [RowPath]
  /// Rows that are inserted or moved: paths after the change, ascending.
  package let arrivingRows: [RowPath]
  private let rowDeletes: [RowPath]
  /// By their sources, ascending.
  private let rowMoves: [Changeset<RowPath>.Transition]
  private let sections: IndexMap
  private let sectionDeletes: [Int]
  private let sectionMoves: [Changeset<Int>.Transition]

  /// - Complexity: O(k) for k operations, if they are in order and nothing moves; else O(k log k).
  package init(_ changes: ListChanges) {
    rowDeletes = changes.rows.deletes.ascending
    rowMoves = changes.rows.moves.sorted { $0.from < $1.from }
    leavingRows = Self.merged(rowDeletes, rowMoves.map(\.from))
    arrivingRows = Self.merged(changes.rows.inserts.ascending, changes.rows.moves.map(\.to))
    sectionDeletes = changes.sections.deletes.ascending
    sectionMoves = changes.sections.moves.sorted { $0.from < $1.from }
    sections = IndexMap(
      leaving: Self.merged(sectionDeletes, sectionMoves.map(\.from)),
      arriving: Self.merged(changes.sections.inserts.ascending, changes.sections.moves.map(\.to)))
  }

  private static func merged<Position: Comparable>(_ first: [Position], _ second: [Position]) -> [Position] {
    second.isEmpty ? first : (first + second).sorted()
  }

  /// Whether rows and sections that survive keep their order.
  package var keepsOrder: Bool { rowMoves.isEmpty && sectionMoves.isEmpty }

  /// The index after the change of a section, or `nil` if it is deleted.
  package func after(section: Int) -> Int? {
    if sectionDeletes.containsAscending(section) { return nil }
    return sectionMoves.destination(of: section) ?? sections.after(staying: section)
  }

  /// The path after the change of a row, or `nil` if it, or its section, is deleted.
  package func after(_ path: RowPath) -> RowPath? {
    if let destination = rowMoves.destination(of: path) { return destination }
    guard !rowDeletes.containsAscending(path), let section = after(section: path.section) else { return nil }
    let before = RowPath(section: path.section, row: 0)
    let left = leavingRows.countLess(than: path) - leavingRows.countLess(than: before)
    let rank = path.row - left
    let start = arrivingRows.countLess(than: RowPath(section: section, row: 0))
    let arrived = (start..<arrivingRows.count).countPrefix {
      arrivingRows[$0].section == section && arrivingRows[$0].row - ($0 - start) <= rank
    }
    return RowPath(section: section, row: rank + arrived)
  }
}

// MARK: - Searching

extension Array where Element: Comparable {
  /// The elements in order: the array itself if it is in order already.
  @inlinable package var ascending: [Element] {
    indices.dropFirst().allSatisfy { self[$0 - 1] <= self[$0] } ? self : sorted()
  }

  /// The number of elements below a value in a sorted array.
  @inlinable package func countLess(than value: Element) -> Int { indices.countPrefix { self[$0] < value } }

  /// Whether a sorted array has a value.
  func containsAscending(_ value: Element) -> Bool {
    let index = countLess(than: value)
    return index < count && self[index] == value
  }
}

extension Array {
  /// Where a move takes what is at a position, in moves that are sorted by their sources.
  fileprivate func destination<Position>(of position: Position) -> Position?
  where Element == Changeset<Position>.Transition {
    let index = indices.countPrefix { self[$0].from < position }
    return index < count && self[index].from == position ? self[index].to : nil
  }
}

extension Range<Int> {
  /// The number of leading indexes for which a condition holds that holds for a prefix only.
  @inlinable
  @inline(__always)
  package func countPrefix(where holds: (Int) -> Bool) -> Int {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low - lowerBound
  }
}

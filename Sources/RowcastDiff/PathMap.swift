/// The places of sections and rows after a change, and before it.
///
///     let map = PathMap(before.changes(to: after))
///     map.destination(of: path)  // the path after the change of the row at `path`, or `nil`
///
/// Changes list a row that crosses the border of a deleted or an inserted section on one side only. A map that is made from the
/// changes alone considers it deleted; one that is made from the changes and both lists, as `RowcastModel` adds, follows it.
///
/// It keeps sorted arrays. If nothing moves, these are the arrays of the changes themselves, and making a map allocates
/// nothing.
public struct PathMap: Sendable {
  /// Rows that are deleted or moved: paths before the change, ascending.
  package var leavingRows: [RowPath] { rows.leaving }
  /// True if rows and sections that survive keep their order.
  package var keepsOrder: Bool { rows.movesBySource.isEmpty && sections.movesBySource.isEmpty }
  /// The rows that cross the border of a deleted or inserted section, in ascending order of their destinations.
  package let crossings: [Crossing]
  /// The same in ascending order of their origins.
  private let crossingsByOrigin: [Crossing]
  private let rows: PlaceMap<RowPath>
  private let sections: IndexMap

  /// Reads a change. Rows that cross the border of a deleted or inserted section are considered deleted, and inserted.
  ///
  /// - Complexity: O(k) for k operations, if they are in order and nothing moves; else O(k log k).
  public init(_ changes: ListChanges) { self.init(changes, crossings: []) }

  /// Reads a change, and the rows that cross the border of a deleted or inserted section, in any order.
  @usableFromInline
  package init(_ changes: ListChanges, crossings: [Crossing]) {
    self.crossings = crossings.inOrder { $0.to < $1.to }
    crossingsByOrigin = crossings.inOrder { $0.from < $1.from }
    rows = PlaceMap(reading: changes.rows)
    sections = IndexMap(changes.sections)
  }

  /// The index after the change of a section, or `nil` if it is deleted.
  ///
  /// - Parameter section: An index before the change.
  /// - Returns: The index after the change.
  /// - Complexity: O(log k) for k operations.
  public func destination(ofSection section: Int) -> Int? { sections.destination(of: section) }

  /// The index before the change of a section, or `nil` if it is inserted.
  ///
  /// - Parameter section: An index after the change.
  /// - Returns: The index before the change.
  /// - Complexity: O(log k) for k operations.
  @usableFromInline package func origin(ofSection section: Int) -> Int? { sections.origin(of: section) }

  /// The path after the change of a row, or `nil` if it, or its section, is deleted.
  ///
  /// A row that moved to an inserted section is listed as deleted: the map follows it only if it was made with both lists.
  ///
  /// - Parameter path: A path before the change.
  /// - Returns: The path after the change.
  /// - Complexity: O(log k) for k operations.
  public func destination(of path: RowPath) -> RowPath? {
    rows.destination(of: path) {
      destination(ofSection: path.section).map { Self.path(ofStaying: path, in: $0, rows.leaving, rows.arriving) }
    } ?? crossingsByOrigin.partner(of: path, \.from, \.to)
  }

  /// Returns a Boolean value that tells if a row survives, and neither it nor its section moves.
  ///
  /// - Complexity: O(log k) for k operations.
  package func keepsPlace(of path: RowPath) -> Bool {
    !rows.leaving.containsAscending(path) && !sections.leaving.containsAscending(path.section)
  }

  /// Returns a Boolean value that tells if a row crosses the border of a deleted or inserted section.
  ///
  /// - Parameter path: A path before the change.
  /// - Returns: True if the row is in both lists, though changes list it, or its section, as deleted.
  /// - Complexity: O(log c) for c runs of such rows.
  package func crosses(_ path: RowPath) -> Bool {
    !crossings.isEmpty && crossingsByOrigin.partner(of: path, \.from, \.to) != nil
  }

  /// How well a row that survives keeps a screen in its place: 0 if it stays, 1 if it crosses to another section, which may be far
  /// away, 2 if it moves by itself.
  ///
  /// - Complexity: O(log k) for k operations.
  package func rank(of path: RowPath) -> Int { keepsPlace(of: path) ? 0 : crosses(path) ? 1 : 2 }

  /// The path after the change of a row that survives and does not move by itself.
  ///
  /// - Complexity: O(log k) for k operations.
  package func keptDestination(of path: RowPath) -> RowPath? { rank(of: path) < 2 ? destination(of: path) : nil }

  /// The path before the change of a row, or `nil` if it, or its section, is inserted.
  ///
  /// A row that moved from a deleted section is listed as inserted: the map follows it only if it was made with both lists.
  ///
  /// - Parameter path: A path after the change.
  /// - Returns: The path before the change.
  /// - Complexity: O(log k) for k operations.
  package func origin(of path: RowPath) -> RowPath? {
    rows.origin(of: path) {
      origin(ofSection: path.section).map { Self.path(ofStaying: path, in: $0, rows.arriving, rows.leaving) }
    } ?? crossings.partner(of: path, \.to, \.from)
  }

  /// Returns a Boolean value that tells if any row of a section crosses the border of a deleted or inserted section.
  ///
  /// - Parameter section: An index before the change.
  /// - Returns: True if a row crosses from the section, or out of it.
  /// - Complexity: O(log c) for c runs of such rows.
  package func hasCrossings(fromSection section: Int) -> Bool {
    let index = crossingsByOrigin.indices.countPrefix { crossingsByOrigin[$0].from.section < section }
    return index < crossingsByOrigin.count && crossingsByOrigin[index].from.section == section
  }

  /// The path after the change of the row that replaces another one: the row itself; if it was removed, the next row that was
  /// not, or else the last row before it that was not.
  ///
  /// - Parameters:
  ///   - path: A path before the change.
  ///   - rowCounts: The row counts of the sections before the change.
  /// - Returns: The path after the change; `nil` if no row survives.
  /// - Complexity: O(d log k + s log n) for d rows and s sections without a survivor beside the path, k operations and n
  ///   sections.
  package func destination(nearestTo path: RowPath, inSectionsOf rowCounts: [Int]) -> RowPath? {
    destination(from: path, inSectionsOf: rowCounts) { destination(of: $0) }
      ?? destination(before: path, inSectionsOf: rowCounts) { destination(of: $0) }
  }

  /// The path after the change of the first row, from one on, for which the closure returns it.
  package func destination(
    from path: RowPath, inSectionsOf rowCounts: [Int], _ destination: (RowPath) -> RowPath?
  ) -> RowPath? {
    for section in path.section..<rowCounts.count where hasSurvivors(ofSection: section) {
      for row in (section == path.section ? path.row : 0)..<rowCounts[section] {
        if let found = destination(RowPath(section: section, row: row)) { return found }
      }
    }
    return nil
  }

  /// The path after the change of the last row, before another one, for which the closure returns it.
  package func destination(
    before path: RowPath, inSectionsOf rowCounts: [Int], _ destination: (RowPath) -> RowPath?
  ) -> RowPath? {
    for section in (0...path.section).reversed() where hasSurvivors(ofSection: section) {
      for row in (0..<(section == path.section ? path.row : rowCounts[section])).reversed() {
        if let found = destination(RowPath(section: section, row: row)) { return found }
      }
    }
    return nil
  }

  /// False if no row of a section survives: it is deleted, and none crosses to another section.
  private func hasSurvivors(ofSection section: Int) -> Bool {
    destination(ofSection: section) != nil || hasCrossings(fromSection: section)
  }

  /// The path on the other side of a row that stays in its section.
  ///
  /// - Parameters:
  ///   - path: The path on one side.
  ///   - section: The section on the other side.
  ///   - leaving: The rows that are not on the other side, or not in the same order, ascending.
  ///   - arriving: The rows that are only on the other side, or not in the same order, ascending.
  /// - Returns: The path on the other side.
  private static func path(
    ofStaying path: RowPath, in section: Int, _ leaving: [RowPath], _ arriving: [RowPath]
  ) -> RowPath {
    let first = RowPath(section: path.section, row: 0)
    let rank = path.row - leaving.countLess(than: path) + leaving.countLess(than: first)
    let start = arriving.countLess(than: RowPath(section: section, row: 0))
    let arrived = (start..<arriving.count).countPrefix {
      arriving[$0].section == section && arriving[$0].row - ($0 - start) <= rank
    }
    return RowPath(section: section, row: rank + arrived)
  }
}

extension PathMap {
  /// Neighbouring rows that cross the border of a deleted or an inserted section, and are neighbours there as well.
  @usableFromInline
  package struct Crossing: Sendable {
    /// The path of the first row before the change.
    @usableFromInline package let from: RowPath
    /// The path of the first row after the change.
    @usableFromInline package let to: RowPath
    @usableFromInline package var count: Int

    @inlinable
    package init(from: RowPath, to: RowPath, count: Int) { (self.from, self.to, self.count) = (from, to, count) }

    /// The paths of each row.
    @inlinable package var rows: [Changeset<RowPath>.Transition] {
      (0..<count).map { offset in
        .init(
          from: RowPath(section: from.section, row: from.row + offset),
          to: RowPath(section: to.section, row: to.row + offset))
      }
    }
  }
}

extension [PathMap.Crossing] {
  /// The path on the other side of a row, if it crosses; the array is sorted by the side of the path.
  fileprivate func partner(
    of path: RowPath, _ side: (Element) -> RowPath, _ otherSide: (Element) -> RowPath
  ) -> RowPath? {
    if isEmpty { return nil }
    let index = indices.countPrefix { side(self[$0]) <= path } - 1
    guard index >= 0 else { return nil }
    let (start, offset) = (side(self[index]), path.row - side(self[index]).row)
    guard start.section == path.section, offset < self[index].count else { return nil }
    return RowPath(section: otherSide(self[index]).section, row: otherSide(self[index]).row + offset)
  }
}

/// The operations of a change, sorted for searching.
@usableFromInline
package struct PlaceMap<Position: Hashable & Comparable & Sendable>: Sendable {
  /// Elements that are deleted or moved: positions before the change, ascending.
  fileprivate let leaving: [Position]
  /// Elements that are inserted or moved: positions after the change, ascending.
  fileprivate let arriving: [Position]
  fileprivate let movesBySource: [Changeset<Position>.Transition]
  private let movesByDestination: [Changeset<Position>.Transition]

  fileprivate init(reading changes: Changeset<Position>) {
    movesBySource = changes.moves.inOrder { $0.from < $1.from }
    movesByDestination = changes.moves.inOrder { $0.to < $1.to }
    // Closures: a generic key path is made again at each call, which took a seventh of the time of a mirror.
    leaving = changes.deletes.ascending.merged(with: movesBySource.map { $0.from })
    arriving = changes.inserts.ascending.merged(with: movesByDestination.map { $0.to })
  }

  fileprivate func destination(of position: Position, staying: () -> Position?) -> Position? {
    if let move = movesBySource.element(at: position, by: \.from) { return move.to }
    return leaving.containsAscending(position) ? nil : staying()
  }

  fileprivate func origin(of position: Position, staying: () -> Position?) -> Position? {
    if let move = movesByDestination.element(at: position, by: \.to) { return move.from }
    return arriving.containsAscending(position) ? nil : staying()
  }
}

/// The places of the elements of a flat list after a change, and before it.
@usableFromInline
package typealias IndexMap = PlaceMap<Int>

extension IndexMap {
  /// Reads a change. Not generic: code that is not specialised takes 0.5 µs to read a change without operations.
  ///
  /// - Complexity: O(k) for k operations, if they are in order and nothing moves; else O(k log k).
  @usableFromInline
  package init(_ changes: Changeset<Int>) { self.init(reading: changes) }

  /// The index after the change of an element, or `nil` if it is deleted.
  ///
  /// - Complexity: O(log k) for k operations.
  @usableFromInline
  package func destination(of index: Int) -> Int? {
    destination(of: index) { Self.index(ofStaying: index, leaving, arriving) }
  }

  /// The index before the change of an element, or `nil` if it is inserted.
  ///
  /// - Complexity: O(log k) for k operations.
  package func origin(of index: Int) -> Int? {
    origin(of: index) { Self.index(ofStaying: index, arriving, leaving) }
  }

  private static func index(ofStaying index: Int, _ leaving: [Int], _ arriving: [Int]) -> Int {
    let rank = index - leaving.countLess(than: index)
    // The inserted element at index k is before the surviving elements whose rank is at least its index minus k.
    return rank + arriving.indices.countPrefix { arriving[$0] - $0 <= rank }
  }
}

// MARK: - Searching

extension Array where Element: Comparable {
  /// The elements of two arrays in order, of which this one is in order.
  fileprivate func merged(with other: [Element]) -> [Element] { other.isEmpty ? self : (self + other).ascending }

  /// The number of elements below a value in a sorted array.
  @inlinable package func countLess(than value: Element) -> Int { indices.countPrefix { self[$0] < value } }

  /// Returns a Boolean value that tells if a sorted array has a value.
  @inlinable package func containsAscending(_ value: Element) -> Bool {
    let index = countLess(than: value)
    return index < count && self[index] == value
  }
}

extension Array {
  /// The element with a key, in an array that is sorted by it.
  fileprivate func element<Key: Comparable>(at value: Key, by key: (Element) -> Key) -> Element? {
    let index = indices.countPrefix { key(self[$0]) < value }
    return index < count && key(self[index]) == value ? self[index] : nil
  }
}

extension Range<Int> {
  /// The number of leading indexes for which a condition is true, which is true for a prefix only.
  @inlinable
  package func countPrefix(where holds: (Int) throws -> Bool) rethrows -> Int {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if try holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low - lowerBound
  }
}

/// Where the elements of a flat list are after a change, and where they were before it.
///
///     let map = IndexMap(Changeset(from: old, to: new))
///     map.after(3)  // where `old[3]` is in `new`, or `nil`
public struct IndexMap: Sendable {
  private let deletes: [Int]
  private let inserts: [Int]
  private let movesBySource: [Changeset<Int>.Transition]
  private let movesByDestination: [Changeset<Int>.Transition]
  private let stayers: StayerMap

  /// Reads a change.
  ///
  /// - Complexity: O(k) for k operations, if they are in order and nothing moves; else O(k log k).
  public init(_ changes: Changeset<Int>) {
    deletes = changes.deletes.ascending
    inserts = changes.inserts.ascending
    movesBySource = changes.moves.sorted { $0.from < $1.from }
    movesByDestination = changes.moves.sorted { $0.to < $1.to }
    stayers = StayerMap(
      leaving: deletes.merged(with: movesBySource.map(\.from)),
      arriving: inserts.merged(with: movesByDestination.map(\.to)))
  }

  /// The index after the change of an element, or `nil` if it is deleted.
  ///
  /// - Parameter index: An index before the change.
  /// - Returns: The index after the change.
  /// - Complexity: O(log k) for k operations.
  public func after(_ index: Int) -> Int? {
    if let move = movesBySource.element(at: index, by: \.from) { return move.to }
    return deletes.containsAscending(index) ? nil : stayers.after(staying: index)
  }

  /// The index before the change of an element, or `nil` if it is inserted.
  ///
  /// - Parameter index: An index after the change.
  /// - Returns: The index before the change.
  /// - Complexity: O(log k) for k operations.
  public func before(_ index: Int) -> Int? {
    if let move = movesByDestination.element(at: index, by: \.to) { return move.from }
    return inserts.containsAscending(index) ? nil : stayers.before(staying: index)
  }
}

/// Where sections and rows are after a change, and where they were before it.
///
///     let map = PathMap(before.changes(to: after))
///     map.after(path)  // where the row at `path` is now, or `nil`
///
/// It keeps sorted arrays, which are those of the changes themselves where nothing moves: making a map allocates nothing
/// then.
public struct PathMap: Sendable {
  /// Rows that are deleted or moved: paths before the change, ascending.
  package let leavingRows: [RowPath]
  /// Rows that are inserted or moved: paths after the change, ascending.
  package let arrivingRows: [RowPath]
  private let deletes: [RowPath]
  private let inserts: [RowPath]
  private let movesBySource: [Changeset<RowPath>.Transition]
  private let movesByDestination: [Changeset<RowPath>.Transition]
  private let sections: IndexMap
  /// Whether rows and sections that survive keep their order.
  package let keepsOrder: Bool

  /// Reads a change.
  ///
  /// - Complexity: O(k) for k operations, if they are in order and nothing moves; else O(k log k).
  public init(_ changes: ListChanges) {
    deletes = changes.rows.deletes.ascending
    inserts = changes.rows.inserts.ascending
    movesBySource = changes.rows.moves.sorted { $0.from < $1.from }
    movesByDestination = changes.rows.moves.sorted { $0.to < $1.to }
    leavingRows = deletes.merged(with: movesBySource.map(\.from))
    arrivingRows = inserts.merged(with: movesByDestination.map(\.to))
    sections = IndexMap(changes.sections)
    keepsOrder = changes.rows.moves.isEmpty && changes.sections.moves.isEmpty
  }

  /// The index after the change of a section, or `nil` if it is deleted.
  ///
  /// - Parameter section: An index before the change.
  /// - Returns: The index after the change.
  /// - Complexity: O(log k) for k operations.
  public func after(section: Int) -> Int? { sections.after(section) }

  /// The index before the change of a section, or `nil` if it is inserted.
  ///
  /// - Parameter section: An index after the change.
  /// - Returns: The index before the change.
  /// - Complexity: O(log k) for k operations.
  public func before(section: Int) -> Int? { sections.before(section) }

  /// The path after the change of a row, or `nil` if it, or its section, is deleted.
  ///
  /// A row that went to an inserted section is listed as deleted.
  ///
  /// - Parameter path: A path before the change.
  /// - Returns: The path after the change.
  /// - Complexity: O(log k) for k operations.
  public func after(_ path: RowPath) -> RowPath? {
    if let move = movesBySource.element(at: path, by: \.from) { return move.to }
    guard !deletes.containsAscending(path), let section = after(section: path.section) else { return nil }
    return Self.path(ofStaying: path, in: section, leavingRows, arrivingRows)
  }

  /// The path before the change of a row, or `nil` if it, or its section, is inserted.
  ///
  /// A row that came from a deleted section is listed as inserted.
  ///
  /// - Parameter path: A path after the change.
  /// - Returns: The path before the change.
  /// - Complexity: O(log k) for k operations.
  public func before(_ path: RowPath) -> RowPath? {
    if let move = movesByDestination.element(at: path, by: \.to) { return move.from }
    guard !inserts.containsAscending(path), let section = before(section: path.section) else { return nil }
    return Self.path(ofStaying: path, in: section, arrivingRows, leavingRows)
  }

  /// The path on the other side of a row that stays in its section.
  ///
  /// - Parameters:
  ///   - path: The path on one side.
  ///   - section: The section on the other side.
  ///   - leaving: What is not on the other side, or not in the same order, ascending.
  ///   - arriving: What is there and not on this side, or not in the same order, ascending.
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

/// Where the elements that neither come, go nor move are on the other side of a change.
package struct StayerMap: Sendable {
  /// Indexes before the change that are taken out, ascending.
  private let leaving: [Int]
  /// Indexes after the change that are put in, ascending.
  private let arriving: [Int]

  package init(leaving: [Int], arriving: [Int]) { (self.leaving, self.arriving) = (leaving, arriving) }

  /// The index after the change of an element that is neither deleted nor moved.
  package func after(staying index: Int) -> Int { Self.index(of: index, leaving, arriving) }

  /// The index before the change of an element that is neither inserted nor moved.
  package func before(staying index: Int) -> Int { Self.index(of: index, arriving, leaving) }

  private static func index(of index: Int, _ leaving: [Int], _ arriving: [Int]) -> Int {
    let rank = index - leaving.countLess(than: index)
    // The arrival at place k takes the slot of a stayer whose rank is at least its index less the k arrivals before it.
    return rank + arriving.indices.countPrefix { arriving[$0] - $0 <= rank }
  }
}

// MARK: - Searching

extension Array where Element: Comparable {
  /// The elements in order: the array itself if it is in order already.
  @inlinable package var ascending: [Element] {
    indices.dropFirst().allSatisfy { self[$0 - 1] <= self[$0] } ? self : sorted()
  }

  /// The elements of two arrays in order, of which this one is in order.
  fileprivate func merged(with other: [Element]) -> [Element] { other.isEmpty ? self : (self + other).sorted() }

  /// The number of elements below a value in a sorted array.
  @inlinable package func countLess(than value: Element) -> Int { indices.countPrefix { self[$0] < value } }

  /// Whether a sorted array has a value.
  package func containsAscending(_ value: Element) -> Bool {
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

public import RowcastDiff
public import RowcastModel

/// The places of the sections and rows of a list in a view that has rows only; see ``FlatBatchView``.
///
/// Answers the data source of such a view: the number of rows, and the element in each.
public struct FlatLayout: Hashable, Sendable {
  /// An element in one row of the view.
  public enum Element: Hashable, Sendable {
    /// The header of a section, by the section's index.
    case header(Int)
    /// A row, by its path.
    case row(RowPath)
  }

  /// True if each section begins with a row for its header.
  package let hasHeaders: Bool
  /// The number of rows of the view.
  public let count: Int
  /// The index in the view at which each section begins.
  let starts: [Int]

  /// Lays a list out.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - hasHeaders: True if each section begins with a row for its header.
  /// - Complexity: O(s log s) for s sections.
  public init<Section, Row>(_ list: ListSnapshot<Section, Row>, hasHeaders: Bool) {
    self.hasHeaders = hasHeaders
    var starts: [Int] = []
    starts.reserveCapacity(list.sectionCount)
    var count = 0
    for section in 0..<list.sectionCount {
      starts.append(count)
      count += list.rowCount(inSection: section) + (hasHeaders ? 1 : 0)
    }
    self.starts = starts
    self.count = count
  }

  /// The element at an index of the view.
  ///
  /// - Precondition: The index is in `0..<count`.
  /// - Complexity: O(log s) for s sections.
  public subscript(index: Int) -> Element {
    require(index >= 0 && index < count, "Row \(index) is out of range 0..<\(count)")
    // The last section that begins at the index or before; those before it at the same index are empty.
    let section = starts.countLess(than: index + 1) - 1
    let offset = index - starts[section] - (hasHeaders ? 1 : 0)
    return offset < 0 ? .header(section) : .row(RowPath(section: section, row: offset))
  }

  /// The index in the view of a row.
  ///
  /// - Parameter path: A path that lies within the list.
  /// - Returns: An index of the view.
  public func index(of path: RowPath) -> Int { starts[path.section] + path.row + (hasHeaders ? 1 : 0) }

  /// The indexes of a section with its header.
  func range(ofSection section: Int) -> Range<Int> {
    starts[section]..<(section + 1 < starts.count ? starts[section + 1] : count)
  }
}

extension FlatLayout {
  /// A move of one row. Both indexes count the rows of the view at that step.
  typealias Move = Changeset<Int>.Transition

  /// The operations of one stage for a view that has no sections and applies each operation to the result of the previous
  /// one: removals, by ascending indexes before the stage, then moves one by one, then insertions, by ascending indexes after
  /// it.
  ///
  /// No section that the stage moves has row operations inside.
  ///
  /// - Complexity: O(k log k + m²) for k operations of which m are moves, the rows of moved sections included.
  func steps(of changes: ListChanges, to after: FlatLayout) -> (removals: [Int], moves: [Move], insertions: [Int]) {
    let (sections, rows) = (changes.sections, changes.rows)
    let removals = indexes(ofRows: rows.deletes, sections: sections.deletes)
    let insertions = after.indexes(ofRows: rows.inserts, sections: sections.inserts)
    var moves: [Move] = []
    func move(_ from: Int, _ to: Int) {
      // Between the removals and the insertions the view has only the surviving rows.
      moves.append(Move(from: from - removals.countLess(than: from), to: to - insertions.countLess(than: to)))
    }
    for row in rows.moves { move(index(of: row.from), after.index(of: row.to)) }
    for section in sections.moves {
      let (from, to) = (range(ofSection: section.from), after.range(ofSection: section.to))
      for row in 0..<from.count { move(from.lowerBound + row, to.lowerBound + row) }
    }
    return (removals, Self.oneByOne(moves), insertions)
  }

  /// Moves whose indexes count before and after all of them, as moves that are made one by one.
  ///
  /// Rows are settled in the order of their destinations. A row's predecessor has then been settled before it, so the row is
  /// inserted directly after that: after `to` settled rows and the rows among them that have not been moved yet.
  private static func oneByOne(_ moves: [Move]) -> [Move] {
    // The rows that have not been moved yet, in their current order, each with the number of settled rows before it.
    var waiting = moves.inOrder { $0.from < $1.from }.enumerated()
      .map { (settledBefore: $1.from - $0, destination: $1.to) }
    var steps: [Move] = []
    for destination in moves.map(\.to).ascending {
      guard let position = waiting.firstIndex(where: { $0.destination == destination }) else { continue }
      let row = waiting.remove(at: position)
      let ahead = waiting.count { $0.settledBefore < destination }
      for index in waiting.indices where waiting[index].settledBefore >= destination {
        waiting[index].settledBefore += 1
      }
      let step = Move(from: row.settledBefore + position, to: destination + ahead)
      if step.from != step.to { steps.append(step) }
    }
    return steps
  }

  /// The indexes of some rows, and of some sections with their rows, in order.
  private func indexes(ofRows paths: [RowPath], sections: [Int]) -> [Int] {
    var indexes = paths.map { index(of: $0) }
    for section in sections { for index in range(ofSection: section) { indexes.append(index) } }
    return indexes.ascending
  }
}

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

public import RowcastDiff

/// Which line of the content shows what, top to bottom: each section's header, then its rows, one line each.
struct TableGeometry {
  let rowCounts: [Int]
  let headerHeight: Int

  /// The number of lines of the whole content.
  var height: Int { rowCounts.reduce(0) { $0 + headerHeight + $1 } }

  /// The line of a row.
  ///
  /// - Complexity: O(number of sections).
  func line(of path: RowPath) -> Int {
    rowCounts[..<path.section].reduce(0) { $0 + headerHeight + $1 } + headerHeight + path.row
  }

  /// What stands on each of the lines of a range, headers included.
  ///
  /// - Complexity: O(number of sections + number of lines in the range).
  func lines(in range: Range<Int>) -> [TableLine] {
    var result: [TableLine] = []
    var top = 0
    for (section, count) in rowCounts.enumerated() {
      let bottom = top + headerHeight + count
      let visible = range.clamped(to: top..<bottom)
      result += visible.map { line in
        line < top + headerHeight
          ? .header(section: section) : .row(RowPath(section: section, row: line - top - headerHeight))
      }
      top = bottom
      if top >= range.upperBound { break }
    }
    return result
  }
}

/// What stands on one line of a table.
public enum TableLine: Hashable, Sendable {
  /// The header of a section.
  case header(section: Int)
  /// A row.
  case row(RowPath)
}

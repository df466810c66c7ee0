package import RowcastDiff
import RowcastModel

extension TableGeometry {
  /// Follows valid changes. Rows and sections that survive keep their heights, also if they move. The others are estimated:
  /// `newRows` returns the heights of a number of rows from a path after the changes on.
  ///
  /// - Complexity: O(k log n) for k stretches of operations and n runs.
  mutating func apply(
    _ changes: ListChanges, header: Int, footer: Int, rowCount: (Int) -> Int, newRows: (RowPath, Int) -> TableGeometry
  ) {
    let rows = changes.rows
    let movedRows = rows.moves.map { move in
      (start: move.to, heights: TableGeometry(HeightRun(count: 1, height: lines(of: .row(move.from)).count)))
    }
    for (start, count) in (rows.deletes + rows.moves.map(\.from)).stretches.reversed() {
      let index = index(of: .row(start))
      replace(index..<index + count)
    }
    apply(changes.sections) { section in
      var geometry = TableGeometry(HeightRun(count: 1, height: header, isHeader: true))
      geometry.replace(1..<1, with: newRows(RowPath(section: section, row: 0), rowCount(section)))
      geometry.append(HeightRun(count: 1, height: footer))
      return geometry
    }
    let newRows = rows.inserts.stretches.map { (start: $0.start, heights: newRows($0.start, $0.count)) }
    for (start, heights) in (newRows + movedRows).sorted(by: { $0.start < $1.start }) {
      let index = index(of: .row(start))
      replace(index..<index, with: heights)
    }
  }

  private mutating func apply(_ sections: Changeset<Int>, newSection: (Int) -> TableGeometry) {
    var arrivals: [Int: TableGeometry] = [:]
    for move in sections.moves { arrivals[move.to] = self[range(ofSection: move.from)] }
    for section in (sections.deletes + sections.moves.map(\.from)).sorted(by: >) {
      replace(range(ofSection: section))
    }
    for section in (sections.inserts + sections.moves.map(\.to)).sorted() {
      let start = start(ofSection: section)
      replace(start..<start, with: arrivals[section] ?? newSection(section))
    }
  }

  /// The indexes of a section's elements.
  private func range(ofSection section: Int) -> Range<Int> {
    start(ofSection: section)..<start(ofSection: section + 1)
  }
}

extension [RowPath] {
  /// Consecutive paths as stretches, in ascending order.
  package var stretches: [(start: RowPath, count: Int)] {
    var stretches: [(start: RowPath, count: Int)] = []
    for path in ascending {
      if let last = stretches.last, last.start.section == path.section, last.start.row + last.count == path.row {
        stretches[stretches.count - 1].count += 1
      } else {
        stretches.append((path, 1))
      }
    }
    return stretches
  }
}

package import RowcastDiff
import RowcastModel

extension TableGeometry {
  /// Follows valid changes. Rows and sections that survive keep their heights, also if they move or cross the border of a deleted
  /// or inserted section. The others are estimated: `newRows` returns the heights of a number of rows from a path after the
  /// changes on, `header` and `footer` those of a section after the changes.
  ///
  /// - Complexity: O(k log n + c) for k stretches of operations, n runs, and c runs of rows that cross the border of a section.
  mutating func apply(
    _ changes: ListChanges, _ map: PathMap, header: (Int) -> Int, footer: (Int) -> Int, rowCount: (Int) -> Int,
    newRows: (RowPath, Int) -> [HeightRun]
  ) {
    let (rows, before) = (changes.rows, self)
    /// The heights of rows that are listed as new, or that are in a new section.
    func arrivals(_ start: RowPath, _ count: Int) -> TableGeometry {
      var (runs, next): ([HeightRun], RowPath) = ([], start)
      for crossing in map.crossings(in: start, count) {
        runs.add(newRows(next, crossing.to.row - next.row))
        runs.add(before.runs(of: .row(crossing.from), crossing.count))
        next.row = crossing.to.row + crossing.count
      }
      runs.add(newRows(next, start.row + count - next.row))
      return TableGeometry(runs)
    }
    let movedRows = rows.moves.map { move in
      (start: move.to, heights: TableGeometry(HeightRun(count: 1, height: lines(of: .row(move.from)).count)))
    }
    for (start, count) in (rows.deletes + rows.moves.map(\.from)).stretches.reversed() {
      let index = index(of: .row(start))
      replace(index..<index + count)
    }
    apply(changes.sections) { section in
      var geometry = TableGeometry(HeightRun(count: 1, height: header(section), isHeader: true))
      geometry.insert(arrivals(RowPath(section: section, row: 0), rowCount(section)), at: 1)
      geometry.append(HeightRun(count: 1, height: footer(section)))
      return geometry
    }
    let newRows = rows.inserts.stretches.map { (start: $0.start, heights: arrivals($0.start, $0.count)) }
    for (start, heights) in (newRows + movedRows).inOrder({ $0.start < $1.start }) {
      insert(heights, at: index(of: .row(start)))
    }
  }

  private mutating func apply(_ sections: Changeset<Int>, newSection: (Int) -> TableGeometry) {
    var arrivals = sections.moves.map { move in
      (start: RowPath(section: move.to, row: 0), heights: self[range(ofSection: move.from)])
    }
    for section in sections.inserts { arrivals.append((RowPath(section: section, row: 0), newSection(section))) }
    for section in (sections.deletes + sections.moves.map(\.from)).ascending.reversed() {
      replace(range(ofSection: section))
    }
    for (path, heights) in arrivals.inOrder({ $0.start < $1.start }) {
      insert(heights, at: start(ofSection: path.section))
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

extension [HeightRun] {
  /// Adds runs after the last one, which is merged with the first of them if both have one height.
  mutating func add(_ runs: some Sequence<HeightRun>) {
    for run in runs where run.count > 0 {
      if let merged = last?.merged(with: run) { self[count - 1] = merged } else { append(run) }
    }
  }
}

extension PathMap {
  /// The rows that cross the border of a section, among consecutive rows that a change inserts: all of a run or none.
  ///
  /// - Complexity: O(log c + m) for c stretches in all, and m stretches in the result.
  fileprivate func crossings(in start: RowPath, _ count: Int) -> ArraySlice<Crossing> {
    let first = crossings.indices.countPrefix { crossings[$0].to < start }
    return crossings[first...].prefix { $0.to.section == start.section && $0.to.row < start.row + count }
  }
}

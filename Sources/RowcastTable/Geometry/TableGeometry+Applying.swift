package import RowcastDiff
import RowcastModel

extension TableGeometry {
  /// What is known of elements before they are seen, in lines.
  struct Estimates {
    /// A header; 0 if there are none.
    var header: Int
    /// A footer; 0 if there are none.
    var footer: Int
    /// Rows next to each other that are new: from a path after the change, as many as asked for.
    var rows: (RowPath, Int) -> RunTree<RowRun>

    /// The block of a section that is new.
    func block(of section: Int, rowCount: Int) -> SectionBlock {
      SectionBlock(header: header, rows: rows(RowPath(section: section, row: 0), rowCount), footer: footer)
    }
  }

  /// Follows a valid batch, with its map if there is one already. Rows and sections that survive keep their heights, also
  /// those that move. `rowCount` is asked for inserted sections, by their indexes after the change.
  ///
  /// - Complexity: O(k log n) for k stretches of operations and n runs.
  mutating func apply(
    _ changes: ListChanges, map: PathMap? = nil, rowCount: (Int) -> Int, estimates: @autoclosure () -> Estimates
  ) {
    let (rows, sections) = (changes.rows, changes.sections)
    let sectionCount = self.sections.count - sections.deletes.count + sections.inserts.count
    defer {
      assert(
        self.sections.count == sectionCount, "\(self.sections.count) sections, not \(sectionCount), after \(sections)")
    }
    let travellers = rows.moves.map { move in
      (move.to, RunTree(RowRun(count: 1, height: height(of: .row(move.from)))))
    }
    if !(rows.deletes.isEmpty && rows.moves.isEmpty) {
      update((map ?? PathMap(changes)).leavingRows.stretches, at: { $0.start }) { rows, leaving in
        for (start, count) in leaving.reversed() { rows.replace(start.row..<start.row + count) }
      }
    }
    if sections.hasStructure { moveSections(sections, rowCount: rowCount, estimates: estimates()) }
    if rows.inserts.isEmpty, travellers.isEmpty { return }
    // Stretches of new rows and single rows that moved here, in the order of their places.
    let estimates = estimates()
    var arrivals = rows.inserts.stretches.map { ($0.start, estimates.rows($0.start, $0.count)) }
    if !travellers.isEmpty { arrivals = (arrivals + travellers).sorted { $0.0 < $1.0 } }
    update(arrivals, at: { $0.0 }) { rows, arriving in
      for (start, runs) in arriving { rows.replace(start.row..<start.row, with: runs) }
    }
  }

  private mutating func moveSections(
    _ changes: Changeset<Int>, rowCount: (Int) -> Int, estimates: Estimates
  ) {
    var blocks: [Int: SectionBlock] = [:]
    for move in changes.moves { blocks[move.to] = sections.place(ofIndex: move.from).run }
    for index in (changes.deletes + changes.moves.map(\.from)).sorted(by: >) { sections.replace(index..<index + 1) }
    for index in (changes.inserts + changes.moves.map(\.to)).sorted() {
      let block = blocks[index] ?? estimates.block(of: index, rowCount: rowCount(index))
      sections.replace(index..<index, with: RunTree(block))
    }
  }

  /// Changes the rows of each section that some parts stand in; the parts are in the order of their places.
  private mutating func update<Part>(
    _ parts: [Part], at place: (Part) -> RowPath, _ change: (inout RunTree<RowRun>, ArraySlice<Part>) -> Void
  ) {
    var start = 0
    while start < parts.count {
      let section = place(parts[start]).section
      let end = parts[start...].firstIndex { place($0).section != section } ?? parts.count
      var block = sections.place(ofIndex: section).run
      change(&block.rows, parts[start..<end])
      sections.set(block, at: section)
      start = end
    }
  }
}

extension [RowPath] {
  /// Paths that follow each other, together.
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

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
    if !(rows.deletes.isEmpty && rows.moves.isEmpty) { removeRows((map ?? PathMap(changes)).leavingRows) }
    if sections.hasStructure { moveSections(sections, rowCount: rowCount, estimates: estimates()) }
    if rows.inserts.isEmpty, travellers.isEmpty { return }
    // Stretches of new rows and single rows that moved here, in the order of their places.
    let estimates = estimates()
    var arrivals = rows.inserts.stretches.map { ($0.start, estimates.rows($0.start, $0.count)) }
    if !travellers.isEmpty { arrivals = (arrivals + travellers).sorted { $0.0 < $1.0 } }
    insertRows(arrivals)
  }

  /// Takes rows out: paths before the change, ascending.
  private mutating func removeRows(_ paths: [RowPath]) {
    let stretches = paths.stretches
    var end = stretches.count
    while end > 0 {
      let section = stretches[end - 1].start.section
      let start = stretches[..<end].lastIndex { $0.start.section != section }.map { $0 + 1 } ?? 0
      update(section) { rows in
        rows.remove(stretches[start..<end].map { $0.start.row..<$0.start.row + $0.count })
      }
      end = start
    }
  }

  private mutating func moveSections(
    _ changes: Changeset<Int>, rowCount: (Int) -> Int, estimates: Estimates
  ) {
    var blocks: [Int: SectionBlock] = [:]
    for move in changes.moves { blocks[move.to] = sections.place(ofIndex: move.from).run }
    for index in (changes.deletes + changes.moves.map(\.from)).sorted(by: >) { sections.remove(index..<index + 1) }
    for index in (changes.inserts + changes.moves.map(\.to)).sorted() {
      let block = blocks[index] ?? estimates.block(of: index, rowCount: rowCount(index))
      sections.insert(RunTree(block), at: index)
    }
  }

  /// Puts rows in: paths after the change, ascending.
  private mutating func insertRows(_ arrivals: [(path: RowPath, runs: RunTree<RowRun>)]) {
    var start = 0
    while start < arrivals.count {
      let section = arrivals[start].path.section
      let end = arrivals[start...].firstIndex { $0.path.section != section } ?? arrivals.count
      update(section) { rows in rows.insert(arrivals[start..<end].map { ($0.path.row, $0.runs) }) }
      start = end
    }
  }

  private mutating func update(_ section: Int, _ body: (inout RunTree<RowRun>) -> Void) {
    var block = sections.place(ofIndex: section).run
    body(&block.rows)
    sections.set(block, at: section)
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

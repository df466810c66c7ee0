import RowcastDiff

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

  /// Follows a change. Rows and sections that survive keep their heights, also those that move.
  ///
  /// - Parameters:
  ///   - changes: A valid batch.
  ///   - rowCount: The number of rows of an inserted section, by its index after the change.
  ///   - estimates: The heights of what is new.
  /// - Complexity: O(k log n) for k stretches of operations and n runs.
  mutating func apply(_ changes: ListChanges, rowCount: (Int) -> Int, estimates: Estimates) {
    let travellers = changes.rows.moves.map { move in
      (move.to, RowRun(count: 1, height: height(of: .row(move.from))))
    }
    removeRows(changes.rows.deletes + changes.rows.moves.map(\.from))
    moveSections(changes.sections, rowCount: rowCount, estimates: estimates)
    insertRows(changes.rows.inserts, travellers, estimates: estimates)
  }

  private mutating func removeRows(_ paths: [RowPath]) {
    for stretch in paths.stretches.reversed() {
      update(stretch.start.section) { $0.remove(stretch.start.row..<stretch.start.row + stretch.count) }
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

  private mutating func insertRows(
    _ inserts: [RowPath], _ travellers: [(RowPath, RowRun)], estimates: Estimates
  ) {
    // Stretches of new rows and single rows that moved here, in the order of their places.
    let stretches =
      inserts.stretches.map { ($0.start, estimates.rows($0.start, $0.count)) } + travellers.map { ($0, RunTree($1)) }
    for (path, runs) in stretches.sorted(by: { $0.0 < $1.0 }) {
      update(path.section) { $0.insert(runs, at: path.row) }
    }
  }

  private mutating func update(_ section: Int, _ body: (inout RunTree<RowRun>) -> Void) {
    var block = sections.place(ofIndex: section).run
    body(&block.rows)
    sections.replace(at: section, with: block)
  }
}

extension [RowPath] {
  /// Paths that follow each other, together.
  var stretches: [(start: RowPath, count: Int)] {
    var stretches: [(start: RowPath, count: Int)] = []
    for path in sorted() {
      if let last = stretches.last, last.start.section == path.section, last.start.row + last.count == path.row {
        stretches[stretches.count - 1].count += 1
      } else {
        stretches.append((path, 1))
      }
    }
    return stretches
  }
}

import RowcastDiff

/// Which lines of the content each header, row and footer takes, from top to bottom.
///
/// A row has the height that was measured when it came into view, before that an estimate. Rows of equal height stand
/// together in runs, so that a million rows that were never seen cost as much as one.
struct TableGeometry {
  var sections = RunTree<SectionBlock>()

  /// The number of lines of the whole content.
  var height: Int { sections.lines }

  /// A number of lines within the range in which sums are taken: further than any content reaches.
  ///
  /// The content has fewer than 2³¹ rows of ``CellRequest/maximumHeight`` lines at most.
  static func clamped(_ lines: Int) -> Int { max(-(1 << 52), min(lines, 1 << 52)) }

  /// The first line of an element.
  ///
  /// - Complexity: O(log n) for n runs.
  func line(of element: TableElement) -> Int {
    let place = sections.place(ofIndex: element.section)
    switch element {
    case .header: return place.line
    case .row(let path):
      let run = place.run.rows.place(ofIndex: path.row)
      return place.line + place.run.header + run.line + (path.row - run.index) * run.run.height
    case .footer: return place.line + place.run.header + place.run.rows.lines
    }
  }

  /// The number of lines of an element.
  ///
  /// - Complexity: O(log n) for n runs.
  func height(of element: TableElement) -> Int {
    let block = sections.place(ofIndex: element.section).run
    switch element {
    case .header: return block.header
    case .row(let path): return block.rows.place(ofIndex: path.row).run.height
    case .footer: return block.footer
    }
  }

  /// What a line belongs to.
  ///
  /// - Complexity: O(log n) for n runs.
  func element(atLine line: Int) -> TableElement {
    let place = sections.place(ofLine: line)
    let offset = line - place.line - place.run.header
    if offset < 0 { return .header(section: place.index) }
    if offset >= place.run.rows.lines { return .footer(section: place.index) }
    let run = place.run.rows.place(ofLine: offset)
    return .row(RowPath(section: place.index, row: run.index + (offset - run.line) / run.run.height))
  }

  /// The element below another one.
  ///
  /// - Complexity: O(log n) for n runs and sections.
  func element(after element: TableElement) -> TableElement? {
    let place = sections.place(ofIndex: element.section)
    if element.position < .max {
      let next = RowPath(section: element.section, row: element.position + 1)
      if next.row < place.run.rows.count { return .row(next) }
      if place.run.footer > 0 { return .footer(section: element.section) }
    }
    let line = place.line + place.run.lines
    return line < height ? self.element(atLine: line) : nil
  }

  /// The element above another one.
  ///
  /// - Complexity: O(log n) for n runs and sections.
  func element(before element: TableElement) -> TableElement? {
    let place = sections.place(ofIndex: element.section)
    if element.position >= 0 {
      let before = RowPath(section: element.section, row: min(element.position, place.run.rows.count) - 1)
      if before.row >= 0 { return .row(before) }
      if place.run.header > 0 { return .header(section: element.section) }
    }
    return place.line > 0 ? self.element(atLine: place.line - 1) : nil
  }

  /// The number of rows of a section.
  ///
  /// - Complexity: O(log n) for n sections.
  func rowCount(inSection section: Int) -> Int { sections.place(ofIndex: section).run.rows.count }

  /// Takes notice of how many lines an element really has.
  ///
  /// - Complexity: O(log n) for n runs.
  mutating func measure(_ element: TableElement, _ lines: Int) {
    var block = sections.place(ofIndex: element.section).run
    switch element {
    case .header:
      guard block.header != lines else { return }
      block.header = lines
    case .row(let path):
      guard block.rows.place(ofIndex: path.row).run.height != lines else { return }
      block.rows.replace(path.row..<path.row + 1, with: RunTree(RowRun(count: 1, height: lines)))
    case .footer:
      guard block.footer != lines else { return }
      block.footer = lines
    }
    sections.set(block, at: element.section)
    assert(height(of: element) == lines, "\(element) has \(height(of: element)) lines, not \(lines)")
  }
}

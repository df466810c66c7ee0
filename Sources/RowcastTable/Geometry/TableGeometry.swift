import RowcastDiff

/// The lines of the content that each header, row and footer takes, from top to bottom.
///
/// A row has its measured height, or an estimate until it comes into view. Neighbours of one height share a run, so a
/// million rows that were never seen cost as much as one. Each section consists of a header, its rows and a footer, in
/// this order; a header or footer that does not exist has 0 lines.
struct TableGeometry {
  var runs = RunTree()

  /// The number of lines of the whole content.
  var height: Int { runs.extent.lines }
  var sectionCount: Int { runs.extent.sections }

  /// Restricts a number of lines to the range in which sums cannot overflow: further than any content reaches.
  ///
  /// The content has fewer than 2³¹ rows of at most ``CellRequest/maximumHeight`` lines.
  static func clamped(_ lines: Int) -> Int { max(-(1 << 52), min(lines, 1 << 52)) }

  /// The index of a section's header among all elements, or the number of elements for the section behind the last.
  func start(ofSection section: Int) -> Int {
    section == sectionCount ? runs.extent.elements : runs.find(section, by: \.sections).before.elements
  }

  /// The index of an element among all elements.
  func index(of element: TableElement) -> Int {
    switch element {
    case .header(let section): start(ofSection: section)
    case .row(let path): start(ofSection: path.section) + 1 + path.row
    case .footer(let section): start(ofSection: section + 1) - 1
    }
  }

  /// The number of rows of a section.
  func rowCount(inSection section: Int) -> Int { start(ofSection: section + 1) - start(ofSection: section) - 2 }

  /// The lines of an element.
  ///
  /// - Complexity: O(log n) for n runs.
  func lines(of element: TableElement) -> Range<Int> {
    let index = index(of: element)
    let (run, before) = runs.find(index, by: \.elements)
    let line = before.lines + (index - before.elements) * run.height
    return line..<line + run.height
  }

  /// The element that has a line.
  ///
  /// - Complexity: O(log n) for n runs.
  func element(atLine line: Int) -> TableElement {
    let (run, before) = runs.find(line, by: \.lines)
    if run.isHeader { return .header(section: before.sections) }
    let section = before.sections - 1
    let index = before.elements + (line - before.lines) / run.height
    if index == start(ofSection: section + 1) - 1 { return .footer(section: section) }
    return .row(RowPath(section: section, row: index - start(ofSection: section) - 1))
  }

  /// The next element below that has lines.
  ///
  /// - Complexity: O(log n) for n runs.
  func element(after element: TableElement) -> TableElement? {
    if case .row(let path) = element, path.row + 1 < rowCount(inSection: path.section) {
      return .row(RowPath(section: path.section, row: path.row + 1))
    }
    let line = lines(of: element).upperBound
    return line < height ? self.element(atLine: line) : nil
  }

  /// The next element above that has lines.
  ///
  /// - Complexity: O(log n) for n runs.
  func element(before element: TableElement) -> TableElement? {
    if case .row(let path) = element, path.row > 0 {
      return .row(RowPath(section: path.section, row: path.row - 1))
    }
    let line = lines(of: element).lowerBound
    return line > 0 ? self.element(atLine: line - 1) : nil
  }

  /// Sets the number of lines of an element.
  ///
  /// - Complexity: O(log n) for n runs.
  mutating func measure(_ element: TableElement, _ lines: Int) {
    let index = index(of: element)
    var run = runs.find(index, by: \.elements).run
    guard run.height != lines else { return }
    (run.count, run.height) = (1, lines)
    runs.replace(index..<index + 1, with: RunTree(run))
  }
}

package import RowcastDiff
import RowcastModel

/// Neighbouring elements of the same height: the header of a section, or any of its rows and its footer.
struct HeightRun {
  var count: Int
  /// The lines of each element.
  var height: Int
  /// True for a header. No run has a header and rows: the header marks where a section begins.
  var isHeader = false

  var extent: TableGeometry.Extent {
    TableGeometry.Extent(sections: isHeader ? 1 : 0, elements: count, lines: count * height)
  }

  /// Both runs merged into one, if that is possible.
  func merged(with next: HeightRun) -> HeightRun? {
    guard height == next.height, !isHeader, !next.isHeader else { return nil }
    return HeightRun(count: count + next.count, height: height)
  }
}

/// The heights of the header, the rows and the footer of each section: all elements of the content, from top to bottom.
///
/// A row has its measured height, or an estimate until it appears. Neighbours of the same height share a run, so a million
/// rows that never appeared cost as much as one. A header or footer that does not exist has 0 lines.
///
/// A persistent balanced tree. Every change consists of splitting and joining (G. Blelloch, D. Ferizovic and Y. Sun, "Just
/// Join for Parallel Ordered Sets", 2016). Nodes are immutable, so a copy costs nothing and a change of a copy can be
/// dropped.
struct TableGeometry {
  /// The size of a part of the sequence.
  struct Extent {
    var sections = 0
    var elements = 0
    var lines = 0

    static func + (lhs: Extent, rhs: Extent) -> Extent {
      Extent(
        sections: lhs.sections + rhs.sections, elements: lhs.elements + rhs.elements, lines: lhs.lines + rhs.lines)
    }
  }

  final class Node {
    let left: Node?
    let right: Node?
    let run: HeightRun
    let depth: Int
    /// The extent of both subtrees and the node's own run.
    let extent: Extent

    init(_ left: Node?, _ run: HeightRun, _ right: Node?) {
      self.left = left
      self.run = run
      self.right = right
      let depths = (left: TableGeometry.depth(left), right: TableGeometry.depth(right))
      depth = max(depths.left, depths.right) + 1
      extent = TableGeometry.extent(left) + run.extent + TableGeometry.extent(right)
      assert(run.count > 0, "an empty run")
      assert(abs(depths.left - depths.right) <= 2, "depths \(depths.left) and \(depths.right) side by side")
    }
  }

  var root: Node?

  init(_ run: HeightRun? = nil) {
    if let run, run.count > 0 { root = Node(nil, run, nil) }
  }

  init(root: Node?) { self.root = root }

  /// Builds a sequence of runs, in which no neighbours have the same height.
  ///
  /// - Complexity: O(r) for r runs.
  init(_ runs: [HeightRun]) {
    func node(_ range: Range<Int>) -> Node? {
      if range.isEmpty { return nil }
      let middle = range.lowerBound + range.count / 2
      return Node(node(range.lowerBound..<middle), runs[middle], node(middle + 1..<range.upperBound))
    }
    root = node(runs.indices)
  }

  static func depth(_ node: Node?) -> Int { node?.depth ?? 0 }
  static func extent(_ node: Node?) -> Extent { node?.extent ?? Extent() }

  var extent: Extent { Self.extent(root) }
  /// The number of lines of the whole content.
  var height: Int { extent.lines }

  /// Finds the run with a section, element or line, and the extent of everything before that run. `unit` says which of them the
  /// offset counts.
  ///
  /// - Complexity: O(log r) for r runs.
  func find(_ offset: Int, by unit: (Extent) -> Int) -> (run: HeightRun, before: Extent) {
    var before = Extent()
    var node = root
    while let current = node {
      let start = before + Self.extent(current.left)
      let end = start + current.run.extent
      if offset < unit(start) {
        node = current.left
      } else if offset < unit(end) {
        return (current.run, start)
      } else {
        before = end
        node = current.right
      }
    }
    stop("\(offset) is out of range 0..<\(unit(extent))")
  }

  // MARK: - Elements

  // Each takes O(log n) for n runs.

  /// Restricts a number of lines to the range in which sums cannot overflow: beyond any content.
  ///
  /// The content has fewer than 2³¹ rows of at most ``CellRequest/maximumHeight`` lines.
  static func clamped(_ lines: Int) -> Int { max(-(1 << 52), min(lines, 1 << 52)) }

  /// The index of a section's header among all elements, or the number of elements for the section after the last.
  func start(ofSection section: Int) -> Int {
    section == extent.sections ? extent.elements : find(section, by: \.sections).before.elements
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
  func lines(of element: TableElement) -> Range<Int> {
    let index = index(of: element)
    let (run, before) = find(index, by: \.elements)
    let line = before.lines + (index - before.elements) * run.height
    return line..<line + run.height
  }

  /// The element at a line.
  func element(atLine line: Int) -> TableElement {
    let (run, before) = find(line, by: \.lines)
    if run.isHeader { return .header(section: before.sections) }
    let section = before.sections - 1
    let index = before.elements + (line - before.lines) / run.height
    if index == start(ofSection: section + 1) - 1 { return .footer(section: section) }
    return .row(RowPath(section: section, row: index - start(ofSection: section) - 1))
  }

  /// The next element below that has lines.
  func element(after element: TableElement) -> TableElement? {
    if case .row(let path) = element, path.row + 1 < rowCount(inSection: path.section) {
      return .row(RowPath(section: path.section, row: path.row + 1))
    }
    let line = lines(of: element).upperBound
    return line < height ? self.element(atLine: line) : nil
  }

  /// The next element above that has lines.
  func element(before element: TableElement) -> TableElement? {
    if case .row(let path) = element, path.row > 0 {
      return .row(RowPath(section: path.section, row: path.row - 1))
    }
    let line = lines(of: element).lowerBound
    return line > 0 ? self.element(atLine: line - 1) : nil
  }

  /// The runs of a number of elements from a first one on.
  ///
  /// - Complexity: O(log r + m) for r runs, m of which have one of the elements.
  func runs(of start: TableElement, _ count: Int) -> [HeightRun] {
    let range = index(of: start)..<index(of: start) + count
    var runs: [HeightRun] = []
    func visit(_ node: Node?, from start: Int) {
      guard let node, start < range.upperBound, start + node.extent.elements > range.lowerBound else { return }
      visit(node.left, from: start)
      let first = start + Self.extent(node.left).elements
      var run = node.run
      run.count = max(0, min(range.upperBound, first + run.count) - max(range.lowerBound, first))
      runs.add([run])
      visit(node.right, from: first + node.run.count)
    }
    visit(root, from: 0)
    return runs
  }

  /// Sets the number of lines of an element.
  mutating func measure(_ element: TableElement, _ lines: Int) {
    let index = index(of: element)
    var run = find(index, by: \.elements).run
    guard run.height != lines else { return }
    (run.count, run.height) = (1, lines)
    replace(index..<index + 1, with: TableGeometry(run))
  }
}

extension TableGeometry {
  /// Applies valid changes. Rows and sections that remain keep their heights, even if they move or cross the border of a
  /// deleted or inserted section. The others are estimated: `newRows` returns the heights of a number of rows from a path on,
  /// `lines` the height of a header or footer, both after the changes.
  ///
  /// - Complexity: O(k log n + c) for k stretches of operations, n runs, and c runs of rows that cross the border of a section.
  mutating func apply(
    _ changes: ListChanges, _ map: PathMap, rowCounts: [Int], lines: (TableElement) -> Int,
    newRows: (RowPath, Int) -> [HeightRun]
  ) {
    let (rows, before) = (changes.rows, self)
    /// The heights of rows that are listed as inserted, or that are in an inserted section.
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
      (start: move.to, heights: TableGeometry(HeightRun(count: 1, height: self.lines(of: .row(move.from)).count)))
    }
    for (start, count) in (rows.deletes + rows.moves.map(\.from)).stretches.reversed() {
      let index = index(of: .row(start))
      replace(index..<index + count)
    }
    apply(changes.sections) { section in
      var geometry = TableGeometry(HeightRun(count: 1, height: lines(.header(section: section)), isHeader: true))
      geometry.insert(arrivals(RowPath(section: section, row: 0), rowCounts[section]), at: 1)
      geometry.append(HeightRun(count: 1, height: lines(.footer(section: section))))
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
  /// Appends runs. The last run is merged with the first of them if both have the same height.
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

import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport

struct Mismatch: Error, CustomStringConvertible { let description: String }

/// A table, its model, and what happens to both.
struct PlaceDriver {
  var random: SeededGenerator
  let table: PlacedTable
  var model: PlaceModel
  private(set) var operations = 0
  private var nextRow = 0
  private var nextSection = 0
  private var width = 0
  private let tallest: Int
  /// True if rows have the other look.
  private var isOther = false

  init(_ random: SeededGenerator) {
    self.random = random
    let surroundings = Surroundings(estimates: Bool.random(using: &self.random))
    let hasHeaders = Bool.random(using: &self.random)
    let estimate = [nil, 1, 2, 3].randomElement(using: &self.random) ?? nil
    let height = Int.random(in: 1...12, using: &self.random)
    tallest = [1, 3, 6, 30].randomElement(using: &self.random) ?? 1
    table = PlacedTable(
      cells: PlacedCells(surroundings: surroundings),
      headers: hasHeaders ? PlacedHeaders(surroundings: surroundings) : nil, height: height,
      estimatedRowHeight: estimate)
    model = PlaceModel(surroundings, hasHeaders: hasHeaders, height: height, estimate: estimate)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func row() -> PlacedRow {
    nextRow += 1
    return PlacedRow(id: nextRow, lines: number(1...tallest), group: number(0...3))
  }

  private mutating func rows(_ most: Int) -> [PlacedRow] { (0..<number(0...most)).map { _ in row() } }

  private mutating func section() -> PlacedSection {
    nextSection += 1
    return PlacedSection(id: nextSection, lines: number(0...2))
  }

  // MARK: - Edits

  private typealias Parts = [(section: PlacedSection, rows: [PlacedRow])]

  /// The list after some edits.
  private mutating func edited() throws -> PlacedList {
    var parts: Parts = model.list.contents.map { ($0.section, Array($0.rows)) }
    for _ in 0..<number(1...4) { edit(&parts) }
    return try PlacedList(parts.map { ListSection($0.section, rows: $0.rows) })
  }

  private mutating func edit(_ parts: inout Parts) {
    guard let index = parts.indices.randomElement(using: &random) else { return parts.append((section(), rows(12))) }
    let row = parts[index].rows.indices.randomElement(using: &random)
    switch number(0...16) {
    case 0, 1: parts[index].rows.insert(contentsOf: rows(5), at: number(0...parts[index].rows.count))
    case 2: parts[0].rows.insert(contentsOf: rows(5), at: 0)
    case 3, 4:
      guard let row else { return }
      parts[index].rows.removeSubrange(row..<min(parts[index].rows.count, row + number(1...6)))
    case 5, 6, 7: if let row { parts[index].rows[row].lines = number(1...tallest) }
    case 8:
      // Folded.
      for row in parts[index].rows.indices { parts[index].rows[row].lines = 1 }
    case 9, 10:
      guard let row else { return }
      let moved = parts[index].rows.remove(at: row)
      let target = number(0...parts.count - 1)
      parts[target].rows.insert(moved, at: number(0...parts[target].rows.count))
    case 11: parts.insert((section(), rows(6)), at: number(0...parts.count))
    case 12: parts.remove(at: index)
    case 13: parts.insert(parts.remove(at: index), at: number(0...parts.count))
    case 14: parts[index].section = section()  // A group that is renamed.
    case 15:
      parts[index].section.lines = number(0...2)
      if let row { parts[index].rows[row].group = number(0...3) }
    default: regroup(&parts)
    }
  }

  /// Puts the same rows into other sections: by their groups, which may have changed, in their order or in another.
  private mutating func regroup(_ parts: inout Parts) {
    var rows = parts.flatMap(\.rows)
    for row in rows.indices where number(0...5) == 0 { rows[row].group = number(0...3) }
    if number(0...3) == 0 { rows.shuffle(using: &random) }
    if number(0...3) == 0 { rows.sort { $0.lines < $1.lines } }
    if number(0...2) == 0 {
      // One section for all, or the old one beside a new one.
      let cut = number(0...rows.count)
      return parts = [(section(), Array(rows[..<cut])), (parts[0].section, Array(rows[cut...]))]
    }
    let base = number(0...1) * 1_000
    let groups = Dictionary(grouping: rows, by: \.group).sorted { $0.key < $1.key }
    parts = groups.map { group, rows in
      (parts.first { $0.section.id == -1 - group - base }?.section ?? PlacedSection(id: -1 - group - base), rows)
    }
  }

  // MARK: - Steps

  /// Does one thing to the table and to the model, and compares them.
  mutating func step() throws {
    operations += 1
    let kind = number(0...25)
    let start = "\(state), then \(kind)"
    let wasHidden = model.height == 0
    switch kind {
    case 0...9: try update()
    case 10, 11:
      let lines = number(-15...15)
      model.scroll(byLines: lines)
      try table.scroll(byLines: lines)
    case 12:
      let line = number(-2...model.contentHeight + 5)
      model.scroll(toLine: line)
      try table.scroll(toLine: line)
    case 13, 14:
      guard let id = model.list.allRows.map(\.id).randomElement(using: &random) else { return }
      let position = [ScrollPosition.top, .middle, .bottom, .nearest].randomElement(using: &random) ?? .top
      model.scroll(to: id, at: position)
      try table.scroll(to: id, at: position)
    case 15:
      let height = max(0, number(-1...12))
      model.resize(to: height)
      try table.resize(toHeight: height)
    case 16, 17:
      guard let id = model.list.allRows.map(\.id).randomElement(using: &random) else { return }
      model.focus = id
      table.focus(id)
    case 18:
      let rows = number(-4...4)
      model.moveFocus(byRows: rows)
      try table.moveFocus(byRows: rows)
    case 19: try measureAnew()
    case 20, 21:
      guard let row = model.list.allRows.map(\.self).randomElement(using: &random) else { return }
      let extra = number(0...3)
      model.measureAnew { $0.surroundings.extra[row.id] = extra }
      if (table.visibleRows + table.prefetchedRows).contains(where: { $0.row.id == row.id }), number(0...1) == 0 {
        try table.refresh([row.id])
      } else {
        // What was known of a row off the screen is forgotten.
        model.surroundings.told[.row(row.id)] = nil
        try table.invalidateHeight(of: row.id)
      }
    case 22:
      (model.followsTail, model.showsArrivals) = (number(0...2) == 0, Bool.random(using: &random))
      (table.followsTail, table.showsArrivalsAtTop) = (model.followsTail, model.showsArrivals)
    case 23:
      model.workingRange = [0, 0, 1, 4].randomElement(using: &random) ?? 0
      model.pinsHeaders = Bool.random(using: &random)
      (table.workingRange, table.pinsHeaders) = (model.workingRange, model.pinsHeaders)
      try table.scroll(byLines: 0)
    case 24: try replaceCells()
    default:
      model.scroll(byLines: -3)
      try table.scroll(byLines: -3)
    }
    // Without lines on the screen, only the table's own count says where it is.
    if wasHidden || model.height == 0 { takeOver() }
    model.settle()
    if model.height == 0 { model.topLine = table.topLine }
    try check(start)
  }

  private mutating func update() throws {
    let (before, next) = (model.list, try edited())
    let changes = before.changes(to: next)
    let isDefined = model.update(to: next, changes)
    let revision = table.revision ?? 0
    try table.apply(
      ListUpdate(
        revision: revision + 1, previous: table.revision, changes: changes, snapshot: next))
    if !isDefined { takeOver() }
  }

  /// Takes the table's place where none is defined.
  private mutating func takeOver() {
    let elements = model.elements(model.list)
    // The first one may be a pinned header, which is in no place.
    guard let last = table.visibleElements.last,
      let index = elements.firstIndex(where: { $0.element == last.element })
    else { return model.top = 0 }
    model.top = elements[..<index].reduce(0) { $0 + $1.height } - last.line
  }

  /// Something outside of the rows changes all heights, and the table is told in one of three ways.
  private mutating func measureAnew() throws {
    let (scale, way, wasHidden) = (number(1...3), number(0...2), model.height == 0)
    width += 1
    let height = way == 2 ? number(0...12) : model.height
    model.measureAnew {
      $0.surroundings.scale = scale
      $0.surroundings.extra = [:]
      $0.surroundings.told = [:]
      $0.height = height
    }
    switch way {
    case 0: try table.reloadAll()
    case 1: try table.invalidateHeights()
    default: try table.resize(toHeight: height, width: width)
    }
    // The mean is that of the rows where the table shows them.
    if wasHidden || model.height == 0 { takeOver() }
    model.takeMean()
  }

  /// The same rows in other cells, with headers or without.
  private mutating func replaceCells() throws {
    let hasHeaders = number(0...2) == 0 ? !model.hasHeaders : model.hasHeaders
    isOther = Bool.random(using: &random)
    let surroundings = model.surroundings
    let (wasHidden, isDefined) = (
      model.height == 0,
      model.measureAnew {
        $0.hasHeaders = hasHeaders
        $0.surroundings.told = [:]
      }
    )
    try table.replaceCells(
      with: PlacedCells(surroundings: surroundings, isOther: isOther),
      headers: hasHeaders ? PlacedHeaders(surroundings: surroundings) : nil)
    if wasHidden || !isDefined { takeOver() }
    model.takeMean()
  }

  // MARK: - Checks

  private var state: String {
    let screen = model.screen(model.elements(model.list))
    return """
      \(model.height) lines, first \(screen.range) at \(screen.line), top line \(model.topLine) of \(model.contentHeight), focus \
      \(model.focus as Any), \(model.followsTail ? "tail" : "") \(model.showsArrivals ? "arrivals" : ""): \
      \(model.list.contents.map { "\($0.section.id): \($0.rows.map { "\($0.id)+\(model.surroundings.height(of: $0))" })" })
      """
  }

  private func check(_ start: String) throws {
    func require(_ holds: Bool, _ what: @autoclosure () -> String) throws {
      if !holds { throw Mismatch(description: "seed \(random.seed): \(what())\nbefore: \(start)\nnow: \(state)") }
    }
    let elements = model.elements(model.list)
    var (range, line) = model.screen(elements)
    let shown = table.visibleElements
    let pinned = model.pinned(elements)
    let wanted = (pinned.map { range.contains($0.index) ? [] : [$0.index] } ?? []) + range
    try require(
      shown.map(\.element) == wanted.map { elements[$0].element },
      "the screen shows \(shown.map { ($0.element, $0.line) })")
    for (shown, index) in zip(shown, wanted) {
      let (element, place) = (elements[index], pinned?.index == index ? pinned?.line ?? 0 : line)
      try require(
        shown.line == place && shown.height == element.height,
        "\(shown.element) is at \(shown.line) with \(shown.height) lines, not at \(place) with \(element.height)")
      if range.contains(index) { line += element.height }
      if let path = shown.element.rowPath {
        let row = isOther ? (shown.cell as? OtherPlacedCell)?.row : (shown.cell as? PlacedCell)?.row
        try require(row == model.list.row(at: path), "the cell of \(path) is stale")
      } else {
        let section = model.list.section(at: shown.element.section)
        try require((shown.cell as? PlacedHeader)?.section == section, "the header of \(section) is stale")
      }
    }
    try require(
      table.contentHeight == model.contentHeight,
      "the content has \(table.contentHeight) lines, not \(model.contentHeight)")
    try require(
      table.topLine >= 0 && table.topLine <= table.contentHeight, "the first line is \(table.topLine) of the content")
    try require(table.topLine == model.topLine, "the first line is \(table.topLine), not \(model.topLine)")
    try require(table.focusedID == model.focus, "the focus is on \(table.focusedID as Any)")
  }
}

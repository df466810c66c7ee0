/// A table view that refuses what UIKit raises exceptions for, and some things more.
///
/// It has a cell for every row. A cell shows what it was configured with last, so that a missing reconfiguration is seen.
@MainActor
final class StrictView: StrictViewBase, BatchView {
  /// What a row of the view shows.
  final class Cell {
    let id: Int
    let kind: String
    var text: String
    /// What it was configured with besides the row.
    var look: Int
    /// The number of lines that the view takes it for until it was on the screen.
    var estimate: Int?
    init(_ row: TestRow, look: Int, estimate: Int?) {
      (id, kind, text, self.look, self.estimate) = (row.id, row.reuseIdentifier, row.text, look, estimate)
    }
    /// The number of lines of the screen.
    var height: Int { estimate ?? 1 + text.count % 7 }
  }

  /// A section of the view.
  struct Part {
    let id: String
    var title: String
    var cells: [Cell]
  }

  private(set) var parts: [Part] = []
  private(set) var reconfigured: [RowPath] = []
  /// The number of lines of rows that were not on the screen; `nil` if all are measured.
  var estimate: Int?
  private var batch: ListChanges?

  /// The rows, as the view shows them.
  var shown: NaiveList<TestSection, TestRow> {
    var list = NaiveList<TestSection, TestRow>()
    list.parts = parts.map { part in
      .init(section: TestSection(part.id, part.title), rows: part.cells.map { TestRow($0.id, $0.text) })
    }
    return list
  }

  /// Moves a row as a person drags it.
  func drag(from: RowPath, to: RowPath) {
    let cell = parts[from.section].cells.remove(at: from.row)
    parts[to.section].cells.insert(cell, at: to.row)
  }

  /// Deletes a row as a person swipes it.
  func swipe(_ path: RowPath) { parts[path.section].cells.remove(at: path.row) }

  func performBatch(_ updates: @escaping () -> Void, completion: @escaping @MainActor @Sendable () -> Void) {
    beginBatch(isInside: batch != nil)
    let before = parts
    if data().layout != before.layout { refuse("A18: the data was swapped before the batch") }
    batch = ListChanges()
    updates()
    callDuringBatch()
    if let batch { apply(batch, to: before) }
    batch = nil
    endBatch(completion)
  }

  private func apply(_ batch: ListChanges, to before: [Part]) {
    let after = data()
    do {
      try BatchValidator(batch, rowCountsBefore: before.map(\.cells.count), rowCountsAfter: after.rowCounts)
        .validateForCollectionView()
    } catch {
      refuse("\(error)")
      return load()
    }
    parts = folded(before, batch, into: after)
    if after.layout != parts.layout {
      refuse("A18: the data is not what the batch leads to")
      load()
    }
  }

  /// What a batch makes of the cells: rule A2.
  private func folded(_ before: [Part], _ changes: ListChanges, into after: TestSnapshot) -> [Part] {
    var parts = before
    let (rows, sections) = (changes.rows, changes.sections)
    var moving: [RowPath: Cell] = [:]
    for path in (rows.deletes + rows.moves.map(\.from)).sorted(by: >) {
      moving[path] = parts[path.section].cells.remove(at: path.row)
    }
    var movingParts: [Int: Part] = [:]
    for index in (sections.deletes + sections.moves.map(\.from)).sorted(by: >) {
      movingParts[index] = parts.remove(at: index)
    }
    let arrivingParts =
      sections.inserts.map { ($0, part(after, at: $0)) }
      + sections.moves.compactMap { move in movingParts[move.from].map { (move.to, $0) } }
    for (index, part) in arrivingParts.sorted(by: { $0.0 < $1.0 }) { parts.insert(part, at: index) }
    let arriving =
      rows.inserts.map { ($0, cell(after.row(at: $0))) }
      + rows.moves.compactMap { move in moving[move.from].map { (move.to, $0) } }
    for (path, cell) in arriving.sorted(by: { $0.0 < $1.0 }) { parts[path.section].cells.insert(cell, at: path.row) }
    return parts
  }

  private func load() {
    let data = data()
    parts = (0..<data.sectionCount).map { part(data, at: $0) }
  }

  private func cell(_ row: TestRow) -> Cell { Cell(row, look: looks[row.id] ?? 0, estimate: estimate) }

  /// Measures the rows on the screen, which may move others onto it.
  private func layout() {
    guard let screen, estimate != nil else { return }
    for path in screen.viewport(of: elements.map(\.height), index: { elements[$0].path }).rows.map(\.index) {
      let cell = parts[path.section].cells[path.row]
      if cell.estimate == nil { continue }
      cell.estimate = nil
      return layout()
    }
  }

  private func part(_ data: TestSnapshot, at index: Int) -> Part {
    let section = data.section(at: index)
    return Part(id: section.id, title: section.content.title, cells: data.rows(inSection: index).map(cell))
  }

  private func change(_ change: (inout ListChanges) -> Void) {
    guard var open = batch else { return refuse("an operation outside of a batch") }
    change(&open)
    batch = open
  }

  func deleteSections(at indexes: [Int]) {
    checkOrder(indexes, "deleted sections")
    change { $0.sections.deletes += indexes }
  }
  func insertSections(at indexes: [Int]) {
    checkOrder(indexes, "inserted sections")
    change { $0.sections.inserts += indexes }
  }
  func moveSection(from: Int, to: Int) { change { $0.sections.moves.append(.init(from: from, to: to)) } }
  func deleteRows(at paths: [RowPath]) {
    checkOrder(paths, "deleted rows")
    change { $0.rows.deletes += paths }
  }
  func insertRows(at paths: [RowPath]) {
    checkOrder(paths, "inserted rows")
    change { $0.rows.inserts += paths }
  }
  func moveRow(from: RowPath, to: RowPath) { change { $0.rows.moves.append(.init(from: from, to: to)) } }

  func reconfigureRows(at paths: [RowPath]) {
    changeContents(at: paths) { row, cell in
      if cell.kind != row.reuseIdentifier {
        refuse("a cell of the kind \(cell.kind) for a row of the kind \(row.reuseIdentifier)")
      }
      (cell.text, cell.look) = (row.text, looks[row.id] ?? 0)
    }
    reconfigured += paths
    whileConfiguring?()
  }

  func replaceRows(at paths: [RowPath]) {
    changeContents(at: paths) { row, cell in
      if cell.kind == row.reuseIdentifier { refuse("a cell of the kind \(cell.kind) is replaced by one of its kind") }
      cell = self.cell(row)
    }
  }

  private func changeContents(at paths: [RowPath], _ change: (_ row: TestRow, _ cell: inout Cell) -> Void) {
    if batch != nil { return refuse("A3: a reconfiguration inside a batch") }
    checkOrder(paths, "rows configured again")
    let data = data()
    for path in paths {
      guard data.layout == parts.layout, data.contains(path) else {
        return refuse("A3: a reconfiguration of \(path), which the view does not have")
      }
      change(data.row(at: path), &parts[path.section].cells[path.row])
    }
  }

  func reconfigureSections(at indexes: [Int]) {
    if batch != nil { return refuse("A3: a reconfiguration inside a batch") }
    checkOrder(indexes, "sections configured again")
    let data = data()
    for index in indexes {
      guard data.layout == parts.layout, parts.indices.contains(index) else {
        return refuse("A3: a reconfiguration of section \(index), which the view does not have")
      }
      parts[index].title = data.section(at: index).content.title
    }
  }

  /// The elements in the order of their lines: a header of one line and the rows of each section.
  var elements: [(path: RowPath?, height: Int)] {
    parts.enumerated().flatMap { section, part in
      [(nil, 1)] + part.cells.enumerated().map { (RowPath(section: section, row: $0), $1.height) }
    }
  }

  var viewport: BatchViewport<RowPath>? {
    layout()
    let elements = elements
    return screen?.viewport(of: elements.map(\.height)) { elements[$0].path }
  }

  func scroll(to row: RowPath, distance: Double) {
    if batch != nil { return refuse("a scroll inside a batch") }
    guard let index = elements.firstIndex(where: { $0.path == row }) else {
      return refuse("a scroll to \(row), which the view does not have")
    }
    layout()
    screen?.scroll(to: index, distance: distance, elements.map(\.height))
  }

  func scrollToEnd() {
    if batch != nil { return refuse("a scroll inside a batch") }
    layout()
    screen?.scroll(toLine: .max, elements.map(\.height))
  }

  func reload() {
    if batch != nil { return refuse("a reload inside a batch") }
    beginReload()
    load()
  }
}

// The order of sections and rows, without their content.
extension [StrictView.Part] {
  fileprivate var layout: [[String]] { map { [$0.id] + $0.cells.map { "\($0.id)" } } }
}

extension TestSnapshot {
  fileprivate var layout: [[String]] { contents.map { [$0.section.id] + $0.rows.map { "\($0.id)" } } }
}

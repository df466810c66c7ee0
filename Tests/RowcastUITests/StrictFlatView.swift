import RowcastModel
import RowcastUI
import RowcastTestSupport

/// A view of rows alone that takes operations one by one, and refuses those that AppKit raises exceptions for.
@MainActor
final class StrictFlatView: FlatBatchView, StrictAnimating {
  /// What a row of the view shows: a row, or a section's header.
  struct Cell: Equatable {
    let id: String
    var kind = ""
    var text: String
    /// What it was configured with besides the row.
    var look = 0
    /// The number of lines of the screen.
    var height: Int { 1 + text.count % 7 }
  }

  /// The data source.
  var data: () -> [Cell] = { [] }
  var isInWindow = true
  /// Whether batches come to rest later, by ``finishAnimations()``.
  var animates = true
  private(set) var cells: [Cell] = []
  /// The lines that are on the screen; `nil` if the view does not tell them.
  var screen: Screen?
  private(set) var refusals: [String] = []
  private(set) var batchCount = 0
  private(set) var moveCount = 0
  private(set) var reloadCount = 0
  /// Called once, from inside the next batch.
  var duringBatch: (() -> Void)?
  /// Called whenever rows are configured again.
  var whileConfiguring: (() -> Void)?
  private var isInBatch = false
  let animations = StrictAnimations()

  /// Moves a row as a person drags it.
  func drag(from: Int, to: Int) { cells.insert(cells.remove(at: from), at: to) }

  /// Deletes a row as a person swipes it.
  func swipe(_ index: Int) { cells.remove(at: index) }

  func performBatch(_ updates: @escaping () -> Void, completion: @escaping @MainActor @Sendable () -> Void) {
    if isInBatch { refusals.append("a batch inside a batch") }
    if animations.running.count > animations.current {
      refusals.append("a batch while that of another update animates")
    }
    batchCount += 1
    if data().map(\.id) != cells.map(\.id) { refusals.append("the data was swapped before the batch") }
    isInBatch = true
    updates()
    duringBatch?()
    duringBatch = nil
    isInBatch = false
    // The data is read when the batch is over.
    let after = data()
    guard after.count == cells.count else {
      refusals.append("\(cells.count) rows after the batch, and \(after.count) in the data")
      return cells = after
    }
    for index in cells.indices where cells[index].id == Self.new { cells[index] = after[index] }
    if after.map(\.id) != cells.map(\.id) { refusals.append("the data is not what the batch leads to") }
    if animates { animations.begin(completion) } else { completion() }
  }

  private static let new = "new"

  func removeRows(at indexes: [Int]) {
    guard isInBatch, Set(indexes).count == indexes.count, indexes.allSatisfy(cells.indices.contains) else {
      return refusals.append("rows \(indexes) of \(cells.count) cannot be removed")
    }
    for index in indexes.sorted(by: >) { cells.remove(at: index) }
  }

  func moveRow(from: Int, to: Int) {
    guard isInBatch, cells.indices.contains(from), cells.indices.contains(to) else {
      return refusals.append("row \(from) of \(cells.count) cannot be moved to \(to)")
    }
    moveCount += 1
    cells.insert(cells.remove(at: from), at: to)
  }

  func insertRows(at indexes: [Int]) {
    for index in indexes.sorted() {
      guard isInBatch, index <= cells.count else {
        return refusals.append("row \(index) cannot be inserted into \(cells.count)")
      }
      cells.insert(Cell(id: Self.new, text: ""), at: index)
    }
  }

  func reconfigureRows(at indexes: [Int]) {
    if isInBatch { refusals.append("a reconfiguration inside a batch") }
    let data = data()
    for index in indexes {
      if cells[index].kind != data[index].kind {
        refusals.append("a cell of the kind \(cells[index].kind) for a row of the kind \(data[index].kind)")
      }
      (cells[index].text, cells[index].look) = (data[index].text, data[index].look)
    }
    whileConfiguring?()
  }

  func replaceRows(at indexes: [Int]) {
    if isInBatch { refusals.append("a replacement inside a batch") }
    let data = data()
    for index in indexes { cells[index] = data[index] }
  }

  var viewport: BatchViewport<Int>? { screen?.viewport(of: cells.map(\.height)) { $0 } }

  func scroll(to row: Int, distance: Double) {
    guard !isInBatch, cells.indices.contains(row) else { return refusals.append("row \(row) cannot be scrolled to") }
    screen?.scroll(to: row, distance: distance, cells.map(\.height))
  }

  func scrollToEnd() { screen?.scroll(toLine: .max, cells.map(\.height)) }

  func reload() {
    if isInBatch { refusals.append("a reload inside a batch") }
    reloadCount += 1
    animations.interrupt()
    cells = data()
  }
}

extension TestSnapshot {
  /// The list as a view of rows alone shows it.
  func cells(hasHeaders: Bool) -> [StrictFlatView.Cell] {
    let layout = FlatLayout(self, hasHeaders: hasHeaders)
    return (0..<layout.count).map { index in
      switch layout[index] {
      case .header(let section): .init(id: self.section(at: section).id, text: self.section(at: section).content.title)
      case .row(let path):
        .init(id: "\(row(at: path).id)", kind: row(at: path).reuseIdentifier, text: row(at: path).text)
      }
    }
  }
}

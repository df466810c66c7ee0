/// A view of rows alone that takes operations one by one, and refuses operations for which AppKit raises exceptions.
@MainActor
final class StrictFlatView: StrictViewBase, FlatBatchView, StrictBatchView {
  private(set) var lines: [ShownElement] = []
  var heights: [Int] { lines.map { 1 + $0.text.count % 7 } }
  private let hasHeaders: Bool
  private var isInBatch = false

  init(hasHeaders: Bool) { self.hasHeaders = hasHeaders }

  func makeDriver() -> TestDriver { TestDriver(flat: self, hasHeaders: hasHeaders) }

  func take(_ path: RowPath, in list: TestSnapshot) {
    lines.remove(at: FlatLayout(list, hasHeaders: hasHeaders).index(of: path))
  }

  func move(_ from: RowPath, in list: TestSnapshot, to: RowPath, in next: TestSnapshot) {
    drag(
      from: FlatLayout(list, hasHeaders: hasHeaders).index(of: from),
      to: FlatLayout(next, hasHeaders: hasHeaders).index(of: to))
  }

  /// Moves a row as a person drags it.
  func drag(from: Int, to: Int) { lines.insert(lines.remove(at: from), at: to) }

  /// The list of the data source, as it has to be shown.
  private func load() -> [ShownElement] {
    let list = data()
    let layout = FlatLayout(list, hasHeaders: hasHeaders)
    return (0..<layout.count).map { index in
      switch layout[index] {
      case .header(let section):
        return .header(list.section(at: section).id, list.section(at: section).content.title)
      case .row(let path):
        let row = list.row(at: path)
        return .row(row.id, row.reuseIdentifier, row.text, look: looks[row.id] ?? 0)
      }
    }
  }

  func performBatch(_ updates: @escaping () -> Void, completion: @escaping @MainActor @Sendable () -> Void) {
    beginBatch(isInside: isInBatch)
    if load().names != lines.names { refuse("the data was swapped before the batch") }
    isInBatch = true
    updates()
    callDuringBatch()
    isInBatch = false
    // The data is read when the batch is over.
    let after = load()
    guard after.count == lines.count else {
      refuse("\(lines.count) rows after the batch, and \(after.count) in the data")
      return lines = after
    }
    for index in lines.indices where lines[index] == Self.new { lines[index] = after[index] }
    if after.names != lines.names { refuse("the data is not what the batch leads to") }
    endBatch(completion)
  }

  private static let new = ShownElement.header("new", "")

  func removeRows(at indexes: [Int]) {
    guard isInBatch, Set(indexes).count == indexes.count, indexes.allSatisfy(lines.indices.contains) else {
      return refuse("rows \(indexes) of \(lines.count) cannot be removed")
    }
    checkOrder(indexes, "removed rows")
    for index in indexes.sorted(by: >) { lines.remove(at: index) }
  }

  func moveRow(from: Int, to: Int) {
    guard isInBatch, lines.indices.contains(from), lines.indices.contains(to) else {
      return refuse("row \(from) of \(lines.count) cannot be moved to \(to)")
    }
    lines.insert(lines.remove(at: from), at: to)
  }

  func insertRows(at indexes: [Int]) {
    checkOrder(indexes, "inserted rows")
    for index in indexes.sorted() {
      guard isInBatch, index <= lines.count else {
        return refuse("row \(index) cannot be inserted into \(lines.count)")
      }
      lines.insert(Self.new, at: index)
    }
  }

  func reconfigureRows(at indexes: [Int]) {
    if isInBatch { refuse("a reconfiguration inside a batch") }
    checkOrder(indexes, "rows configured again")
    let data = load()
    for index in indexes {
      if lines[index].kind != data[index].kind {
        refuse("a cell of the kind \(lines[index].kind) for a row of the kind \(data[index].kind)")
      }
      (lines[index].text, lines[index].look) = (data[index].text, data[index].look)
    }
    whileConfiguring?()
  }

  func replaceRows(at indexes: [Int]) {
    if isInBatch { refuse("a replacement inside a batch") }
    checkOrder(indexes, "rows replaced")
    let data = load()
    for index in indexes {
      if lines[index].kind == data[index].kind { refuse("row \(index) is replaced by one of its kind") }
      lines[index] = data[index]
    }
  }

  var viewport: BatchViewport<Int>? { screen?.viewport(of: heights) { $0 } }

  func scroll(to row: Int, distance: Double) {
    guard !isInBatch, lines.indices.contains(row) else { return refuse("row \(row) cannot be scrolled to") }
    screen?.scroll(to: row, distance: distance, heights)
  }

  func scrollToEnd() { screen?.scroll(toLine: .max, heights) }

  func reload() {
    if isInBatch { refuse("a reload inside a batch") }
    beginReload()
    lines = load()
  }
}

extension [ShownElement] {
  /// Which rows and headers these are.
  fileprivate var names: [String] { map { $0.id.map(String.init) ?? $0.section ?? "" } }
}

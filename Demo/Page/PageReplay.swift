import Rowcast
import RowcastConsole

/// What the cells of a table do while a recording is shown in it, update by update: the first list, then each change.
struct PageReplay {
  /// Totals after each update, of all kinds of cells.
  struct Cells: Encodable {
    var created: [Int] = []
    var reused: [Int] = []
    var visible: [Int] = []
    var pooled: [Int] = []
  }

  private(set) var cells = Cells()
  /// How long the table took for each update, in microseconds.
  private(set) var microseconds: [Int] = []
  /// The rows in the list after each update.
  private(set) var rowCounts: [Int] = []
  private let table: RetainedTable<Group, Item>
  private let height: Int
  private let poolCap: Int

  init(height: Int, poolCap: Int) {
    self.height = height
    self.poolCap = poolCap
    table = RetainedTable(cells: CellRegistry.lines, height: height, poolCap: poolCap)
  }

  /// Shows an update in the table and notes what that did.
  mutating func show(_ update: Update) throws(TableError) {
    let start = ContinuousClock.now
    try table.apply(update)
    microseconds.append(Int(start.duration(to: .now) / .microseconds(1)))
    let totals = table.totals
    cells.created.append(totals.created)
    cells.reused.append(totals.hits)
    cells.visible.append(totals.visible)
    cells.pooled.append(totals.pooled)
    rowCounts.append(update.snapshot.rowCount)
  }

  /// The origin of the numbers.
  var note: String {
    #if DEBUG
      let build = "a debug build"
    #else
      let build = "a release build"
    #endif
    return "Replayed for this page through a table of \(height) rows with at most \(poolCap) cells of a kind pooled; "
      + "times are those of that replay, by \(build). The recording itself has neither."
  }
}

extension PageReplay: Encodable {
  private enum Key: String, CodingKey {
    case cells, microseconds, rowCounts, note
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(cells, forKey: .cells)
    try container.encode(microseconds, forKey: .microseconds)
    try container.encode(rowCounts, forKey: .rowCounts)
    try container.encode(note, forKey: .note)
  }
}

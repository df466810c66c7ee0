import RowcastModel
import RowcastTable
import RowcastTestSupport

typealias TestTable = RetainedTable<TestSection, TestRow>

/// A cell that counts what is done to it.
final class TestCell: Cell, RowCell {
  private(set) var row: TestRow?
  private(set) var configurations = 0
  private(set) var preparations = 0
  /// How often the cell came onto the screen.
  private(set) var displays = 0
  /// What was delivered to the cell.
  var late: [String] = []

  override func willDisplay() { displays += 1 }

  func configure(with row: TestRow) {
    self.row = row
    configurations += 1
  }

  override func prepareForReuse() {
    row = nil
    preparations += 1
  }
}

/// A cell with as many lines as its row's text says.
final class TallCell: Cell, RowCell {
  private(set) var row: TestRow?
  static func height(of row: TestRow) -> Int { Int(row.text) ?? 1 }
  func configure(with row: TestRow) { self.row = row }
}

/// A header that counts what is done to it.
final class TestHeader: Cell, RowCell {
  private(set) var section: TestSection?
  private(set) var configurations = 0

  func configure(with row: TestSection) {
    section = row
    configurations += 1
  }
}

extension RetainedTable<TestSection, TestRow> {
  /// A table for rows of one kind.
  static func make(height: Int, poolCap: Int = 5) -> TestTable {
    var registry = CellRegistry<TestRow>()
    registry.register(TestCell.self)
    return TestTable(cells: registry, height: height, poolCap: poolCap)
  }

  /// What a table says while something is done to it, until it is gone.
  static func events(
    height: Int, _ body: (TestTable) throws -> Void
  ) async rethrows -> [TableEvent<TestRow>] {
    func stream() throws -> AsyncStream<TableEvent<TestRow>> {
      let table = TestTable.make(height: height)
      let stream = table.eventStream()
      try body(table)
      return stream
    }
    var events: [TableEvent<TestRow>] = []
    for await event in try stream() { events.append(event) }
    return events
  }

  /// Shows a list as the next update.
  @discardableResult
  func show(_ list: TestSnapshot) throws -> ApplyReport {
    guard let revision else { return try apply(ListUpdate(initial: list, revision: 0)) }
    return try apply(
      ListUpdate(
        revision: revision + 1, previous: revision, changes: snapshot.changes(to: list), snapshot: list))
  }

  /// The ids of the rows on the screen.
  var ids: [Int] { visibleRows.map(\.row.id) }

  /// The cell of a visible row.
  func cell(of id: Int) -> TestCell? { visibleRows.first { $0.row.id == id }?.cell as? TestCell }
}

extension RetainedTable {
  /// The list and the part of it that is on the screen, for the message of a failure.
  var summary: String { "lines \(topLine)..<\(topLine + height) of \(snapshot)" }
}

extension ApplyReport {
  func count(_ event: Event) -> Int { cells.count { $0.event == event } }
}

extension TableEvent {
  var isSelection: Bool {
    switch self {
    case .selected, .deselected: true
    default: false
    }
  }

  var isDisplay: Bool {
    switch self {
    case .willDisplay, .didEndDisplaying: true
    default: false
    }
  }
}

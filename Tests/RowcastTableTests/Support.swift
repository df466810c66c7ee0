typealias TestTable = RetainedTable<TestSection, TestRow>

/// A cell that counts what is done to it.
final class TestCell: Cell, RowCell {
  private(set) var row: TestRow?
  private(set) var configurations = 0
  private(set) var preparations = 0
  /// How often the cell appeared on the screen.
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

/// Cells of one kind, for all rows but one.
final class TestCells: CellProvider {
  var refused: Int?
  var kind = "a"
  var estimate: Int?
  /// Called for each row.
  var whileAsked: (() -> Void)?

  func request(for row: TestRow) throws(TableError) -> CellRequest {
    whileAsked?()
    if row.id == refused { throw .unregistered(identifier: "refused") }
    return CellRequest(TestCell.self, showing: row, reuseIdentifier: kind)
  }

  var estimatedHeight: ((TestRow) -> Int)? { estimate.map { estimate in { _ in estimate } } }
}

/// A cell with as many lines as its row's text says.
final class TallCell: Cell, RowCell {
  private(set) var row: TestRow?
  static func height(of row: TestRow) -> Int { Int(row.text) ?? 1 }
  func configure(with row: TestRow) { self.row = row }
}

extension RetainedTable<TestSection, TestRow> {
  /// A table for rows of one kind.
  static func make(height: Int, poolCap: Int = 5) -> TestTable {
    var registry = CellRegistry<TestRow>()
    registry.register(TestCell.self)
    return TestTable(cells: registry, height: height, poolCap: poolCap)
  }

  /// The events of a table while a body runs, until the table is released.
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

  /// The cell of a visible row.
  func cell(of id: Int) -> TestCell? { visibleRows.first { $0.row.id == id }?.cell as? TestCell }
}

extension RetainedTable {
  /// Shows a list as the next update.
  @discardableResult
  func show(_ list: ListSnapshot<Section, Row>) throws -> ApplyReport {
    guard let position else { return try apply(ListUpdate(initial: list, revision: 0)) }
    return try apply(.next(list, after: snapshot, at: position))
  }

  /// The ids of the rows on the screen.
  var ids: [Row.ID] { visibleRows.map(\.row.id) }

  /// The list and the part of it that is on the screen, for the message of a failure.
  var summary: String { "lines \(topLine)..<\(topLine + height) of \(snapshot)" }
}

extension RetainedTable where Section == TestSection {
  /// Shows some rows in one section.
  @discardableResult
  func show(rows: [Row]) throws -> ApplyReport { try show(ListSnapshot([ListSection(TestSection("a"), rows: rows)])) }
}

extension RetainedTable<TestSection, AnyRow<Int>> {
  /// Shows rows of any types in one section.
  @discardableResult
  func show(_ rows: [any RowViewModel<Int>]) throws -> ApplyReport {
    func erased(_ row: some RowViewModel<Int>) -> AnyRow<Int> { AnyRow(row) }
    return try show(rows: rows.map { erased($0) })
  }
}

extension TestSnapshot {
  /// A list of one section, whose rows have one text.
  static func rows(_ ids: some Sequence<Int>, _ text: String = "") throws -> TestSnapshot {
    try TestSnapshot([ListSection(TestSection("a"), rows: ids.map { TestRow($0, text) })])
  }
}

func path(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }

/// Whether cells are the very same, in the same order.
func areSame(_ cells: [Cell?], _ others: [Cell?]) -> Bool { cells.elementsEqual(others) { $0 === $1 } }

extension ApplyReport {
  func count(_ event: Event) -> Int { cells.count { $0.event == event } }

  /// The number of cells that were configured.
  var configuredCount: Int { cells.count { $0.event != .recycled } }
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

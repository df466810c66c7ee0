import Testing

/// The ways to choose cells, beside what the examples of their pages in the catalog show.
@Suite(.watched) struct CellChoiceTests {
  private typealias MixedTable = RetainedTable<TestSection, AnyRow<Int>>

  private struct Video: RowViewModel {
    let id: Int
    var reuseIdentifier = _typeName(Self.self, qualified: true)
  }

  private final class VideoCell: Cell, RowCell {
    static let reuseIdentifier = "video"
    static let preferredHeight = 3
    private(set) var source = "class"
    private(set) var id: Int?

    static var registration: CellRegistration<VideoCell> { .prototype { make($0, from: "prototype") } }

    static func make(_ identifier: String, from source: String) -> VideoCell {
      let cell = VideoCell(reuseIdentifier: identifier)
      cell.source = source
      return cell
    }

    func configure(with row: Video) { id = row.id }
  }

  /// A kind that shows rows with a text alone.
  private enum TextKind: CellStrategy {
    case text
    var drawer: CellDrawer<TestRow> { CellDrawer(TestCell.self) { $0.text.isEmpty ? nil : $0 } }
  }

  @Test func `a kind whose drawer cannot show the row is a typed error`() throws {
    let table = TestTable(cells: StrategyCells<TextKind> { _ in .text }, height: 3)
    #expect { try table.show(.rows([1])) } throws: { error in
      guard case .mismatch("text", let type) = error as? TableError else { return false }
      return type.contains("TestRow")
    }
    #expect(table.visibleRows.isEmpty && table.revision == nil)
    try table.show(.rows([1], "text"))
    #expect(table.cell(of: 1)?.row?.text == "text")
  }

  private struct Factory: CellFactory {
    var cellTypes: [any RowCell.Type] = [TestCell.self]

    func generateCell(for row: AnyRow<Int>) -> CellRequest? {
      (row.base as? TestRow).map { CellRequest(TestCell.self, showing: $0) }
    }
  }

  @Test func `a row that is unknown to the factory gets an empty cell and is reported, once`() throws {
    let table = MixedTable(cells: Factory(), height: 5)
    let report = try table.show([TestRow(1), Video(id: 7)])
    #expect(table.visibleRows[0].cell is TestCell && table.visibleRows[1].cell is EmptyCell)
    #expect(report.diagnostics.count == 1 && report.diagnostics.first?.rowType.hasSuffix("Video") == true)
    #expect("\(report.diagnostics[0])".hasPrefix("there is no cell for a row of type "))
    // Said when the cell is filled, and not with every update.
    #expect(try table.show([TestRow(5), TestRow(1), Video(id: 7)]).diagnostics.isEmpty)
  }

  @Test func `a cell that the factory did not list is refused, by its identifier`() throws {
    let table = MixedTable(cells: Factory(cellTypes: []), height: 5)
    #expect(throws: TableError.unregistered(identifier: TestCell.reuseIdentifier)) { try table.show([TestRow(1)]) }
    #expect(table.revision == nil)
  }

  @Test func `rows are shown by the cell of their type, which is made as its class or the registry says`() throws {
    var registry = CellRegistry<AnyRow<Int>>()
    registry.register(TestCell.self)
    #expect(throws: TableError.unregistered(identifier: Video(id: 2).reuseIdentifier)) {
      try MixedTable(cells: registry, height: 9).show([TestRow(1), Video(id: 2)])
    }
    var other = registry
    registry.register(VideoCell.self)
    other.register(VideoCell.self) { VideoCell.make($0, from: "registry") }
    for (registry, source) in [(registry, "prototype"), (other, "registry")] {
      let table = MixedTable(cells: registry, height: 9)
      try table.show([TestRow(1), Video(id: 2), TestRow(3)])
      #expect(table.visibleRows.map { ($0.cell as? TestCell)?.row?.id } == [1, nil, 3])
      let cell = table.visibleRows[1].cell as? VideoCell
      #expect(cell?.id == 2 && cell?.source == source && cell?.reuseIdentifier == "video")
      #expect(table.visibleElements.map(\.height) == [1, 3, 1] && table.contentHeight == 5)
      // A cell that cannot show the type of a row.
      #expect {
        try table.show([Video(id: 1, reuseIdentifier: TestRow(1).reuseIdentifier)])
      } throws: { error in
        guard case .mismatch(TestRow(1).reuseIdentifier, let type) = error as? TableError else { return false }
        return type.contains("Video")
      }
    }
  }
}

/// Two classes of cells with one reuse identifier, which a pool would mix.
@Suite(.watched) struct AmbiguousIdentifierTests {
  private final class FirstTwin: Cell, RowCell {
    static var reuseIdentifier: String { "twin" }
    func configure(with row: TestRow) {}
  }

  private final class SecondTwin: Cell, RowCell {
    static var reuseIdentifier: String { "twin" }
    func configure(with row: TestRow) {}
  }

  private enum TwinKind: CellStrategy {
    case first, second

    var drawer: CellDrawer<TestRow> {
      self == .first ? CellDrawer(FirstTwin.self) { $0 } : CellDrawer(SecondTwin.self) { $0 }
    }
  }

  private struct TwinFactory: CellFactory {
    var cellTypes: [any RowCell.Type] { [FirstTwin.self, SecondTwin.self] }
    func generateCell(for row: TestRow) -> CellRequest? { CellRequest(FirstTwin.self, showing: row) }
  }

  @Test func `a strategy, or a factory, whose cells share a reuse identifier and no class traps`() async {
    await #expect(processExitsWith: .failure) { _ = StrategyCells<TwinKind> { _ in .first } }
    await #expect(processExitsWith: .failure) { _ = TestTable(cells: TwinFactory(), height: 0) }
  }

  @Test func `a registry finds them before a row is shown, or the table before the pool mixes them`() throws {
    var registry = CellRegistry<TestRow>()
    registry.register(FirstTwin.self, forRowsOf: "other")
    registry.register(FirstTwin.self)
    try registry.check()
    registry.register(SecondTwin.self)
    func ambiguity(_ first: Any.Type, _ second: Any.Type) -> TableError {
      .ambiguousIdentifier("twin", cells: String(reflecting: first), and: String(reflecting: second))
    }
    #expect(throws: ambiguity(SecondTwin.self, FirstTwin.self)) { try registry.check() }
    let table = TestTable(cells: registry, height: 9)
    try table.show(.rows([1, 2], "a¿"))
    #expect(throws: ambiguity(FirstTwin.self, SecondTwin.self)) {
      try table.show(rows: [TestRow(1, "a¿"), TestRow(2)])
    }
    #expect(table.ids == [1, 2] && table.visibleRows.allSatisfy { $0.cell is FirstTwin })
    // The class that was registered before is of no importance.
    registry.register(SecondTwin.self, forRowsOf: "other")
    try registry.check()
  }
}

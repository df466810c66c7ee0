import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

private struct Text: RowViewModel {
  let id: Int
  var text: String
}

private struct Image: RowViewModel {
  let id: Int
  var address: String
}

private struct Video: RowViewModel {
  let id: Int
  var seconds: Int
}

private final class TextCell: Cell, RowCell {
  private(set) var text: String?
  func configure(with row: Text) { text = row.text }
}

private final class ImageCell: Cell, RowCell {
  static let reuseIdentifier = "image"
  static let preferredHeight = 3
  private(set) var address: String?
  private(set) var source = "class"

  /// The article's nib: the cells are made from a prototype.
  static var registration: CellRegistration<ImageCell> {
    .prototype { identifier in
      let cell = ImageCell(reuseIdentifier: identifier)
      cell.source = "prototype"
      return cell
    }
  }

  func configure(with row: Image) { address = row.address }
}

private final class VideoCell: Cell, RowCell {
  private(set) var seconds: Int?
  var source = "class"
  func configure(with row: Video) { seconds = row.seconds }
}

private typealias MixedTable = RetainedTable<TestSection, AnyRow<Int>>

/// The first article's example: a profile whose rows say of which kind they are, and whose kinds know the drawer.
@Suite(.watched) struct StrategyArticleTests {
  private enum ProfileRow: RowViewModel {
    case information(Text)
    case picture(Image)

    var id: Int {
      switch self {
      case .information(let row): row.id
      case .picture(let row): row.id
      }
    }
    var information: Text? { if case .information(let row) = self { row } else { nil } }
    var picture: Image? { if case .picture(let row) = self { row } else { nil } }
  }

  private enum ProfileKind: CellStrategy {
    case information, picture

    var drawer: CellDrawer<ProfileRow> {
      switch self {
      case .information: CellDrawer(TextCell.self) { $0.information }
      case .picture: CellDrawer(ImageCell.self) { $0.picture }
      }
    }
  }

  @Test func `each row is drawn by its own kind of cell, and one that comes or changes touches its own only`() throws {
    let cells = StrategyCells<ProfileKind> { $0.picture == nil ? .information : .picture }
    let table = RetainedTable<TestSection, ProfileRow>(cells: cells, height: 10)
    try table.show(rows: [.information(Text(id: 1, text: "Pablo"))])
    let cell = try #require(table.visibleRows.first?.cell as? TextCell)
    let picture = ProfileRow.picture(Image(id: 0, address: "p.png"))
    #expect(try table.show(rows: [picture, .information(Text(id: 1, text: "Pablo"))]).cells.map(\.event) == [.created])
    #expect((table.visibleRows[0].cell as? ImageCell)?.address == "p.png" && table.visibleRows[1].cell === cell)
    let changed = try table.show(rows: [picture, .information(Text(id: 1, text: "Paula"))])
    #expect(changed.cells.map(\.event) == [.reconfigured] && cell.text == "Paula")
  }

  @Test func `a kind whose drawer cannot show the row is a typed error`() throws {
    enum Confused: CellStrategy {
      case all
      var drawer: CellDrawer<ProfileRow> { CellDrawer(ImageCell.self) { $0.picture } }
    }
    let table = RetainedTable<TestSection, ProfileRow>(cells: StrategyCells<Confused> { _ in .all }, height: 3)
    #expect { try table.show(rows: [.information(Text(id: 1, text: "Pablo"))]) } throws: { error in
      guard case .mismatch("all", let type) = error as? TableError else { return false }
      return type.contains("ProfileRow")
    }
    #expect(table.visibleRows.isEmpty && table.revision == nil)
  }
}

/// The second article's example: cell view models, and a factory that is injected and makes the cells.
@Suite(.watched) struct FactoryArticleTests {
  private struct MainCellFactory: CellFactory {
    var cellTypes: [any RowCell.Type] = [TextCell.self]

    func generateCell(for row: AnyRow<Int>) -> CellRequest? {
      (row.base as? Text).map { CellRequest(TextCell.self, showing: $0) }
    }
  }

  private let main = [Text(id: 0, text: "Hello!"), Text(id: 1, text: "It's UITableView with using MVVM")]

  @Test func `the factory makes a cell for each view model, and an unknown one gets an empty cell and is reported`()
    throws
  {
    let table = MixedTable(cells: MainCellFactory(), height: 5)
    let report = try table.show(main + [Video(id: 7, seconds: 1)])
    #expect(table.visibleRows.map { ($0.cell as? TextCell)?.text } == main.map(\.text) + [nil])
    #expect(table.visibleRows[2].cell is EmptyCell && report.diagnostics.count == 1)
    #expect(report.diagnostics.first?.rowType.hasSuffix("Video") == true)
    #expect("\(report.diagnostics[0])".hasPrefix("there is no cell for a row of type "))
    // Said once, when the cell is filled, and not with every update.
    #expect(try table.show([Text(id: 5, text: "new")] + main + [Video(id: 7, seconds: 1)]).diagnostics.isEmpty)
  }

  @Test func `a cell that the factory did not list is refused, by its identifier`() throws {
    let table = MixedTable(cells: MainCellFactory(cellTypes: []), height: 5)
    #expect(throws: TableError.unregistered(identifier: TextCell.reuseIdentifier)) { try table.show(main) }
    #expect(table.revision == nil)
  }
}

/// The third article's example: a chat of texts and images, and then a video, through a map of typed adapters.
@Suite(.watched) struct AdapterMapArticleTests {
  private let items: [any RowViewModel<Int>] = [
    Text(id: 1, text: "hello"), Image(id: 2, address: "cat.png"), Text(id: 3, text: "nice"),
  ]

  private var registry: CellRegistry<AnyRow<Int>> {
    var registry = CellRegistry<AnyRow<Int>>()
    registry.register(TextCell.self)
    registry.register(ImageCell.self)
    return registry
  }

  @Test func `each message is shown by the cell that its type is registered with, as that says`() throws {
    let table = MixedTable(cells: registry, height: 9)
    try table.show(items)
    #expect(table.visibleRows.map { ($0.cell as? TextCell)?.text } == ["hello", nil, "nice"])
    let image = table.visibleRows[1].cell as? ImageCell
    #expect(image?.address == "cat.png" && image?.source == "prototype" && image?.reuseIdentifier == "image")
    #expect(table.visibleElements.map(\.height) == [1, 3, 1] && table.contentHeight == 5)
  }

  @Test func `a new type of message is one more line, which may say how its cells are made`() throws {
    let video = Video(id: 4, seconds: 12)
    #expect(throws: TableError.unregistered(identifier: video.reuseIdentifier)) {
      try MixedTable(cells: registry, height: 9).show(items + [video])
    }
    var others = registry
    others.register(VideoCell.self) { identifier in
      let cell = VideoCell(reuseIdentifier: identifier)
      cell.source = "registration"
      return cell
    }
    let table = MixedTable(cells: others, height: 9)
    try table.show(items + [video])
    let cell = table.visibleRows[3].cell as? VideoCell
    #expect(cell?.seconds == 12 && cell?.source == "registration")
    #expect((table.visibleRows[0].cell as? TextCell)?.text == "hello")
  }

  @Test func `a cell that cannot show a row's type is a typed error`() throws {
    struct Odd: RowViewModel {
      let id: Int
      var reuseIdentifier: String { Text(id: 1, text: "").reuseIdentifier }
    }
    #expect { try MixedTable(cells: registry, height: 3).show([Odd(id: 1)]) } throws: { error in
      guard case .mismatch(Odd(id: 1).reuseIdentifier, let type) = error as? TableError else { return false }
      return type.contains("Odd")
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

  @Test func `a strategy whose kinds share a reuse identifier and no class traps when it is made`() async {
    await #expect(processExitsWith: .failure) { _ = StrategyCells<TwinKind> { _ in .first } }
  }

  @Test func `a factory whose cells share a reuse identifier and no class traps when a table takes it`() async {
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

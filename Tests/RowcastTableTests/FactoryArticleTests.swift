import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// The second article's example: sections of cell view models, and a factory that is injected and makes the cells.
@Suite(.watched) struct FactoryArticleTests {
  struct TextCellViewModel: RowViewModel {
    let id: Int
    var text: String
  }

  struct UnknownViewModel: RowViewModel { let id: Int }

  struct Section: SectionViewModel { let id: Int }

  final class TextTableViewCell: Cell, RowCell {
    private(set) var label: String?
    func configure(with row: TextCellViewModel) { label = row.text }
  }

  struct MainCellFactory: CellFactory {
    var cellTypes: [any RowCell.Type] { [TextTableViewCell.self] }

    func generateCell(for row: AnyRow<Int>) -> CellRequest? {
      switch row.base {
      case let viewModel as TextCellViewModel: CellRequest(TextTableViewCell.self, showing: viewModel)
      default: nil
      }
    }
  }

  /// The article's list: one section with two texts.
  private var main: [any RowViewModel<Int>] {
    [
      TextCellViewModel(id: 0, text: "Hello!"),
      TextCellViewModel(id: 1, text: "It's UITableView with using MVVM"),
    ]
  }

  @discardableResult
  private func show(_ rows: [any RowViewModel<Int>], in table: RetainedTable<Section, AnyRow<Int>>) throws
    -> ApplyReport
  {
    let list = try ListSnapshot([ListSection(Section(id: 0), rows: rows.map { AnyRow.erasing($0) })])
    return try table.apply(ListUpdate(initial: list, revision: (table.revision ?? -1) + 1))
  }

  @Test func `the factory makes a cell for each view model`() throws {
    let table = RetainedTable<Section, AnyRow<Int>>(cells: MainCellFactory(), height: 5)
    let report = try show(main, in: table)
    let cells = table.visibleRows.compactMap { $0.cell as? TextTableViewCell }
    #expect(cells.map(\.label) == ["Hello!", "It's UITableView with using MVVM"])
    #expect(table.snapshot.sectionCount == 1 && report.diagnostics.isEmpty)
  }

  @Test func `an unknown view model gets an empty cell and is reported, and the others are shown`() throws {
    let table = RetainedTable<Section, AnyRow<Int>>(cells: MainCellFactory(), height: 5)
    let report = try show(main + [UnknownViewModel(id: 7)], in: table)
    #expect(table.visibleRows.map { $0.cell is EmptyCell } == [false, false, true])
    #expect(report.diagnostics.count == 1)
    #expect(report.diagnostics.first?.rowType.hasSuffix("UnknownViewModel") == true)
    #expect("\(report.diagnostics[0])".hasPrefix("there is no cell for a row of type "))
    // Said once, when the cell is filled, and not with every update.
    #expect(
      try show([TextCellViewModel(id: 5, text: "new")] + main + [UnknownViewModel(id: 7)], in: table).diagnostics
        .isEmpty)
  }

  @Test func `a cell that the factory did not list is refused, by its identifier`() throws {
    struct Forgetful: CellFactory {
      var cellTypes: [any RowCell.Type] { [] }
      func generateCell(for row: AnyRow<Int>) -> CellRequest? { MainCellFactory().generateCell(for: row) }
    }
    let table = RetainedTable<Section, AnyRow<Int>>(cells: Forgetful(), height: 5)
    #expect(throws: TableError.unregistered(identifier: TextTableViewCell.reuseIdentifier)) {
      try show(main, in: table)
    }
    #expect(table.revision == nil)
  }

  @Test func `another factory shows the same rows in another way`() throws {
    final class LoudCell: Cell, RowCell {
      private(set) var label: String?
      func configure(with row: TextCellViewModel) { label = row.text.uppercased() }
    }
    struct LoudFactory: CellFactory {
      var cellTypes: [any RowCell.Type] { [LoudCell.self] }
      func generateCell(for row: AnyRow<Int>) -> CellRequest? {
        (row.base as? TextCellViewModel).map { CellRequest(LoudCell.self, showing: $0) }
      }
    }
    let table = RetainedTable<Section, AnyRow<Int>>(cells: LoudFactory(), height: 5)
    try show(main, in: table)
    #expect((table.visibleRows.first?.cell as? LoudCell)?.label == "HELLO!")
  }
}

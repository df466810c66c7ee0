import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// The fourth article's example: two texts with an empty cell between them, filled by capabilities.
@Suite(.watched) struct StaticTableArticleTests {
  enum CellModel: Hashable { case firstText, emptyMiddle, secondText }

  final class TextTableViewCell: Cell, CapableCell {
    var text: String?
    private(set) var fills = 0
    var selectionStyle = "default"

    static var slots: [CapabilitySlot<TextTableViewCell>] {
      [
        .init(.title) { cell, title in
          cell.text = title
          cell.fills += 1
        }
      ]
    }
    static var preferredHeight: Int { 2 }
    static var estimatedHeight: Int { 4 }
  }

  final class EmptyTableViewCell: Cell, CapableCell {
    static var slots: [CapabilitySlot<EmptyTableViewCell>] { [] }
  }

  /// What changes while the table is shown.
  final class Content {
    var models: [CellModel] = [.firstText, .emptyMiddle, .secondText]
    var title = "the first text"
    var style = "none"
    var selected: [CellModel] = []
  }

  struct Constructor: StaticTable {
    let content: Content
    var models: [CellModel] { content.models }

    func cellType(for model: CellModel) -> any CapableCell.Type {
      switch model {
      case .emptyMiddle: EmptyTableViewCell.self
      case .firstText, .secondText: TextTableViewCell.self
      }
    }

    func capabilities(of model: CellModel) -> Capabilities {
      switch model {
      case .firstText: Capabilities().setting(.title, to: content.title)
      case .emptyMiddle: Capabilities()
      case .secondText: Capabilities().setting(.title, to: "the second text")
      }
    }

    func configure(_ cell: Cell, for model: CellModel) { (cell as? TextTableViewCell)?.selectionStyle = content.style }
    func itemSelected(_ model: CellModel) { content.selected.append(model) }
  }

  private func texts(_ view: StaticTableView<Constructor>) -> [String?] {
    view.table.visibleRows.map { ($0.cell as? TextTableViewCell)?.text }
  }

  @Test func `a model is shown again when that is asked for, as its cell depends on more than its capabilities`() throws
  {
    let content = Content()
    let view = try StaticTableView(Constructor(content: content), height: 9)
    func styles() -> [String?] { view.table.visibleRows.map { ($0.cell as? TextTableViewCell)?.selectionStyle } }
    content.style = "blue"
    #expect(try view.reload().configuredCount == 0)
    #expect(try view.refresh([.secondText]).configuredCount == 1)
    #expect(styles() == ["none", nil, "blue"])
  }

  @Test func `two texts and an empty cell between them`() throws {
    let view = try StaticTableView(Constructor(content: Content()), height: 9)
    #expect(texts(view) == ["the first text", nil, "the second text"])
    #expect(view.table.visibleRows.map { $0.cell is EmptyTableViewCell } == [false, true, false])
    #expect((view.table.visibleRows[0].cell as? TextTableViewCell)?.selectionStyle == "none")
  }

  @Test func `heights come from the cell types, and estimates until a cell comes into view`() throws {
    let view = try StaticTableView(Constructor(content: Content()), height: 2)
    #expect(view.table.visibleElements.map(\.height) == [2])
    #expect(view.table.contentHeight == 2 + 1 + 4)
    try view.table.scroll(toLine: 99)
    #expect(view.table.contentHeight == 2 + 1 + 2)
  }

  @Test func `selecting a row tells the description which model it was, without an index`() throws {
    let content = Content()
    let view = try StaticTableView(Constructor(content: content), height: 9)
    #expect(view.select(.secondText))
    content.models = [.secondText, .firstText]
    try view.reload()
    #expect(view.table.selection == [.secondText])
    try view.table.moveFocus(byRows: 1)
    #expect(view.selectFocusedRow())
    #expect(content.selected == [.secondText, .secondText])
    #expect(!view.select(.emptyMiddle))
  }

  @Test func `reloading fills only the cells whose models have something new to show`() throws {
    let content = Content()
    let view = try StaticTableView(Constructor(content: content), height: 9)
    content.title = "another text"
    let report = try view.reload()
    #expect(report.cells.map(\.event) == [.reconfigured])
    #expect(texts(view) == ["another text", nil, "the second text"])
    #expect((view.table.visibleRows[2].cell as? TextTableViewCell)?.fills == 1)
    content.models = [.emptyMiddle, .secondText, .firstText]
    try view.reload()
    #expect(texts(view) == [nil, "the second text", "another text"])
    #expect((view.table.visibleRows[2].cell as? TextTableViewCell)?.fills == 2)
    content.models = [.firstText, .firstText]
    #expect(throws: ListError<Int, CellModel>.self) { try view.reload() }
    #expect(texts(view) == [nil, "the second text", "another text"])
  }

  @Test func `a capability that is declared here is had by a model and shown by a cell, and nothing else knows it`()
    throws
  {
    final class BadgeCell: Cell, CapableCell {
      var title: String?
      var badge: Int?
      static var slots: [CapabilitySlot<BadgeCell>] { [.init(.title, \.title), .init(.badge, \.badge)] }
    }
    struct Inbox: StaticTable {
      var models: [String] { ["new", "old"] }
      func cellType(for model: String) -> any CapableCell.Type { BadgeCell.self }
      func capabilities(of model: String) -> Capabilities {
        let named = Capabilities().setting(.title, to: model)
        return model == "new" ? named.setting(.badge, to: 3) : named
      }
    }
    let view = try StaticTableView(Inbox(), height: 1)
    #expect((view.table.visibleRows[0].cell as? BadgeCell)?.badge == 3)
    // The same cell, for a model without the capability: nothing stale is left.
    try view.table.scroll(byLines: 1)
    let cell = view.table.visibleRows[0].cell as? BadgeCell
    #expect(cell?.title == "old" && cell?.badge == nil && view.table.totals.created == 1)
  }

  @Test func `capabilities are told apart by name and type`() {
    let values = Capabilities().setting(.title, to: "a").setting(Capability<Int>("title"), to: 1)
    #expect(values[.title] == "a" && values[Capability<Int>("title")] == 1 && values[.subtitle] == nil)
    #expect(values != Capabilities().setting(.title, to: "a"))
    #expect(values.setting(Capability<Int>("title"), to: nil) == Capabilities().setting(.title, to: "a"))
  }
}

extension Capability where Value == Int {
  fileprivate static var badge: Capability { Capability("badge") }
}

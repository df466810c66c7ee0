import RowcastDiff
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

  @Test func `two texts and an empty cell between them`() throws {
    let view = try StaticTableView(Constructor(content: Content()), height: 9)
    #expect(texts(view) == ["the first text", nil, "the second text"])
    #expect(view.table.visibleRows.map { $0.cell is EmptyTableViewCell } == [false, true, false])
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
    // A cell that depends on more than its capabilities is filled when that is asked for.
    func styles() -> [String?] { view.table.visibleRows.map { ($0.cell as? TextTableViewCell)?.selectionStyle } }
    content.models = [.emptyMiddle, .secondText, .firstText]
    content.style = "blue"
    #expect(try view.reload().configuredCount == 0)
    #expect(try view.refresh([.secondText]).configuredCount == 1)
    #expect(styles() == [nil, "blue", "none"])
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

  final class HeadingCell: Cell, CapableCell {
    var title: String?
    static var slots: [CapabilitySlot<HeadingCell>] { [.init(.title, \.title)] }
  }

  /// Settings in groups that change.
  struct Grouped: StaticTable {
    let state: State
    var groups: [StaticGroup<String>] { state.groups }
    var models: [String] { groups.flatMap(\.models) }
    var headingType: (any CapableCell.Type)? { HeadingCell.self }
    func cellType(for model: String) -> any CapableCell.Type { HeadingCell.self }
    func capabilities(of model: String) -> Capabilities { Capabilities().setting(.title, to: model) }

    final class State { var groups: [StaticGroup<String>] = [] }
  }

  @Test func `groups have headings and footers, or none, and models go from one to another`() throws {
    let state = Grouped.State()
    state.groups = [
      StaticGroup(models: ["name"]), StaticGroup("Network", footer: "none is near", models: ["wifi", "vpn"]),
      StaticGroup("About", models: ["version"]),
    ]
    let view = try StaticTableView(Grouped(state: state), height: 9)
    func texts() -> [String?] { view.table.visibleElements.map { ($0.cell as? HeadingCell)?.title } }
    #expect(texts() == ["name", "Network", "wifi", "vpn", "none is near", "About", "version"])
    #expect(view.table.contentHeight == 7)
    let cell = view.table.visibleRows[2].cell
    state.groups[1].footer = nil
    state.groups[0] = StaticGroup("You", models: ["name", "vpn"])
    state.groups[1].models = ["wifi"]
    try view.reload()
    #expect(texts() == ["You", "name", "vpn", "Network", "wifi", "About", "version"])
    #expect(view.table.visibleRows[1].cell === cell)
    // Groups with ids move with their rows.
    state.groups = [StaticGroup("About", id: 7, models: ["version"]), StaticGroup("You", id: 3, models: ["name"])]
    try view.reload()
    state.groups.reverse()
    let report = try view.reload()
    #expect(texts() == ["You", "name", "About", "version"] && report.configuredCount == 0)
    state.groups[0].id = 7
    #expect(throws: ListError<Int, String>.self) { try view.reload() }
    #expect(texts() == ["You", "name", "About", "version"])
  }

  @Test func `a static table takes no update of another list, and can be reloaded after any`() throws {
    let view = try StaticTableView(Constructor(content: Content()), height: 5)
    let own = view.table.snapshot
    let other = try ListSnapshot([ListSection(StaticSection(), rows: Array(own.allRows.prefix(1)))])
    let late = ListUpdate(revision: 1, previous: 0, changes: own.changes(to: other), snapshot: other)
    #expect(throws: TableError.self) { try view.table.apply(late) }
    #expect(view.table.snapshot == own)
    try view.table.apply(ListUpdate(initial: other, revision: 0))
    try view.reload()
    #expect(view.table.snapshot == own)
    #expect(throws: TableError.self) { try view.table.apply(late) }
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

import Testing

/// Static tables, beside what the examples of their page in the catalog show.
@Suite(.watched) struct StaticTableArticleTests {
  final class TextTableViewCell: Cell, CapableCell {
    var text: String?
    var badge: Int?
    private(set) var fills = 0
    var selectionStyle = "default"

    static var slots: [CapabilitySlot<TextTableViewCell>] {
      [
        .init(.title) { cell, title in
          cell.text = title
          cell.fills += 1
        }, .init(.badge, \.badge),
      ]
    }
    static var preferredHeight: Int { 2 }
    static var estimatedHeight: Int { 4 }
  }

  final class EmptyTableViewCell: Cell, CapableCell { static var slots: [CapabilitySlot<EmptyTableViewCell>] { [] } }

  /// The content, which changes while it is shown. A model without a title has an empty cell.
  final class Content {
    var groups: [StaticGroup<String>]
    var titles = ["first": "the first text", "second": "the second text"]
    var badges: [String: Int] = [:]
    var style = "none"
    var selected: [String] = []

    init(_ groups: [StaticGroup<String>]) { self.groups = groups }
  }

  struct Constructor: StaticTable {
    let content: Content
    var groups: [StaticGroup<String>] { content.groups }
    var models: [String] { groups.flatMap(\.models) }
    var headingType: (any CapableCell.Type)? { TextTableViewCell.self }

    func cellType(for model: String) -> any CapableCell.Type {
      content.titles[model] == nil ? EmptyTableViewCell.self : TextTableViewCell.self
    }
    func capabilities(of model: String) -> Capabilities {
      Capabilities().setting(.title, to: content.titles[model]).setting(.badge, to: content.badges[model])
    }
    func configure(_ cell: Cell, for model: String) { (cell as? TextTableViewCell)?.selectionStyle = content.style }
    func itemSelected(_ model: String) { content.selected.append(model) }
  }

  /// A text, an empty cell and another text, or others.
  private func screen(
    _ models: [String] = ["first", "empty", "second"], height: Int
  ) throws -> (view: StaticTableView<Constructor>, content: Content) {
    let content = Content([StaticGroup(models: models)])
    return (try StaticTableView(Constructor(content: content), height: height), content)
  }

  private func texts(_ view: StaticTableView<Constructor>) -> [String?] {
    view.table.visibleElements.map { ($0.cell as? TextTableViewCell)?.text }
  }

  @Test func `heights come from the cell types, and estimates until a cell comes into view`() throws {
    let (view, _) = try screen(height: 2)
    #expect(view.table.visibleElements.map(\.height) == [2])
    #expect(view.table.contentHeight == 2 + 1 + 4)
    try view.table.scroll(toLine: 99)
    #expect(view.table.contentHeight == 2 + 1 + 2)
  }

  @Test func `selecting a row tells the description which model it was, without an index`() throws {
    let (view, content) = try screen(height: 9)
    #expect(view.select("second"))
    content.groups[0].models = ["second", "first"]
    try view.reload()
    #expect(view.table.selection == ["second"])
    try view.table.moveFocus(byRows: 1)
    #expect(view.select(try #require(view.table.focusedID)))
    #expect(content.selected == ["second", "second"])
    #expect(!view.select("empty"))
  }

  @Test func `reloading fills only the cells whose models have something new to show`() throws {
    let (view, content) = try screen(height: 9)
    func fills() -> Int? { (view.table.visibleRows[2].cell as? TextTableViewCell)?.fills }
    content.titles["first"] = "another text"
    #expect(try view.reload().cells.map(\.event) == [.reconfigured])
    #expect(texts(view) == ["another text", nil, "the second text"] && fills() == 1)
    content.groups[0].models = ["empty", "second", "first"]
    try view.reload()
    #expect(texts(view) == [nil, "the second text", "another text"] && fills() == 2)
    content.groups[0].models = ["first", "first"]
    #expect(throws: ListError<Int, String>.self) { try view.reload() }
    #expect(texts(view) == [nil, "the second text", "another text"])
    // A cell that depends on more than its capabilities is filled when that is asked for.
    func styles() -> [String?] { view.table.visibleRows.map { ($0.cell as? TextTableViewCell)?.selectionStyle } }
    content.groups[0].models = ["empty", "second", "first"]
    content.style = "blue"
    #expect(try view.reload().configuredCount == 0)
    #expect(try view.refresh(["second"]).configuredCount == 1)
    #expect(styles() == [nil, "blue", "none"])
  }

  @Test func `a cell that is used for a model without a capability shows nothing stale of it`() throws {
    let (view, content) = try screen(["first", "second"], height: 2)
    content.badges["first"] = 3
    try view.reload()
    #expect((view.table.visibleRows[0].cell as? TextTableViewCell)?.badge == 3)
    try view.table.scroll(toLine: 2)
    let cell = view.table.visibleRows[0].cell as? TextTableViewCell
    #expect(cell?.text == "the second text" && cell?.badge == nil && view.table.totals.created == 1)
  }

  @Test func `groups get and lose headings and footers, and models go from one to another`() throws {
    let (view, content) = try screen([], height: 30)
    func show(_ groups: [StaticGroup<String>]) throws -> ApplyReport {
      content.groups = groups
      return try view.reload()
    }
    content.titles = ["name": "name", "wifi": "wifi", "vpn": "vpn", "version": "version"]
    let about = StaticGroup("About", models: ["version"])
    _ = try show([
      StaticGroup(models: ["name"]), StaticGroup("Network", footer: "none is near", models: ["wifi", "vpn"]), about,
    ])
    #expect(texts(view) == ["name", "Network", "wifi", "vpn", "none is near", "About", "version"])
    let cell = view.table.visibleRows[2].cell
    _ = try show([StaticGroup("You", models: ["name", "vpn"]), StaticGroup("Network", models: ["wifi"]), about])
    #expect(texts(view) == ["You", "name", "vpn", "Network", "wifi", "About", "version"])
    #expect(view.table.visibleRows[1].cell === cell)
    // Groups with ids move with their rows.
    let (first, second) = (
      StaticGroup("About", id: 7, models: ["version"]), StaticGroup("You", id: 3, models: ["name"])
    )
    _ = try show([first, second])
    #expect(try show([second, first]).configuredCount == 0)
    #expect(texts(view) == ["You", "name", "About", "version"])
    content.groups[0].id = 7
    #expect(throws: ListError<Int, String>.self) { try view.reload() }
    #expect(texts(view) == ["You", "name", "About", "version"])
  }

  @Test func `a static table takes no update of another list, and can be reloaded after any`() throws {
    let (view, _) = try screen(height: 5)
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

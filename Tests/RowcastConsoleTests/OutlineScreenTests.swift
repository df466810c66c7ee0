import Testing

@testable import RowcastConsole

struct Leaf: ConsoleRow {
  let id: Int
  var title: String
  var subtitle: String?
  var size: Int
  var place: OutlinePlace<Int>

  init(_ id: Int, _ title: String, under parent: Int? = nil, size: Int = 0, subtitle: String? = nil) {
    (self.id, self.title, self.size, self.subtitle) = (id, title, size, subtitle)
    place = OutlinePlace(parent: parent)
  }
}

typealias LeafStore = ListStore<SoleSection, Leaf>
typealias LeafApp = ConsoleApp<SoleSection, Leaf>

private final class TallCell: Cell, RowCell, ConsoleDrawable {
  static let preferredHeight = 2
  private(set) var texts: [ConsoleText] = []

  func configure(with row: Leaf) { texts = [ConsoleText(row.title), ConsoleText("size \(row.size)")] }
}

extension LeafStore {
  /// Moves a row in front of another one, or to the end.
  func move(_ id: Int, before next: Int?) async throws {
    var rows = Array(await snapshot.rows(inSection: 0))
    let moved = rows.filter { $0.id == id }
    rows.removeAll { $0.id == id }
    rows.insert(contentsOf: moved, at: rows.firstIndex { $0.id == next } ?? rows.count)
    try await set(rows)
  }
}

/// Outlines on a screen in memory. What keys do with them is compared with a model in `ConsoleFuzzTests`.
@Suite(.watched) struct OutlineScreenTests {
  /// Three levels, in another order than the outline's.
  private func leaves() throws -> LeafStore {
    try LeafStore([
      Leaf(11, "app", under: 1, size: 4), Leaf(2, "readme", size: 1), Leaf(1, "sources", size: 3),
      Leaf(111, "main", under: 11, size: 9), Leaf(12, "tests", under: 1, size: 7),
      Leaf(112, "keys", under: 11, size: 2),
    ])
  }

  private let fields: [ConsoleColumn<Leaf>] = [
    ConsoleColumn("SIZE", width: 4, .trailing) { $0.size }, ConsoleColumn("NAME", width: 14) { $0.title },
    ConsoleColumn("ID", width: 3, .trailing) { $0.id },
  ]

  /// Shows leaves as an outline, in columns or not.
  private func show(
    _ store: LeafStore, expansion: OutlineExpansion<Int> = OutlineExpansion(depth: 1),
    in fields: [ConsoleColumn<Leaf>] = [], cells: CellRegistry<Leaf> = .texts, lines: Int = 8,
    _ change: (inout LeafApp) -> Void = { _ in }, _ body: @escaping @Sendable (ConsoleScreen) async throws -> Void
  ) async throws {
    var app = fields.isEmpty ? LeafApp(store, cells: cells) : LeafApp(store, columns: fields)
    (app.environment, app.outline) = ([:], ConsoleOutline(\.place, expansion: expansion))
    change(&app)
    try await ConsoleScreen.show(app, columns: 44, lines: lines, body)
    withExtendedLifetime(store) {}
  }

  // MARK: - Guides

  @Test func `deep rows keep half of their column`() async throws {
    let store = try LeafStore((1...6).map { Leaf($0, "level \($0)", under: $0 > 1 ? $0 - 1 : nil) })
    try await show(store, expansion: OutlineExpansion(), in: fields, lines: 10) { screen in
      try await screen.expect(
        """
               0  ▾ level 1         1
               0  │ ▾ level 2       2
               0  │ │ ▾ level 3     3
               0  │ │ │ ▾ level…    4
               0  │ │ … ▾ level…    5
               0  │ │ …   level…    6
        """, fromLine: 2, count: 6)
    }
  }

  @Test func `guides stand before each line of a cell`() async throws {
    var cells = CellRegistry<Leaf>()
    cells.register(TallCell.self)
    try await show(try leaves(), cells: cells, lines: 10, { $0.environment = ["NO_COLOR": "1"] }) { screen in
      try await screen.expect(
        """
              readme
              size 1
            ▾ sources
            │ size 3
            │ ▸ app
            │   size 4
        """, fromLine: 1, count: 6)
      try await screen.filter("key")
      try await screen.expect("the hit") { $0.contains { $0.hasSuffix("keys") } }
      try await screen.advance(by: .seconds(1))
      try await screen.expect("ancestors that are told without colour") { lines in
        [lines[1], lines[3], lines[5]] == ["  · ▾ sources", "  · │ ▾ app", "    │ │   keys"]
      }
    }
  }

  @Test func `subtitles stand below one another, whatever the depth`() async throws {
    let store = try LeafStore([
      Leaf(1, "sources", subtitle: "a folder"), Leaf(2, "main", under: 1, subtitle: "a file"),
    ])
    try await show(store) { screen in
      try await screen.expect("    ▾ sources  a folder\n    │   main   a file", fromLine: 1, count: 2)
    }
  }

  @Test func `to a screen reader an outline is told by spaces and by plus and minus`() async throws {
    for columns in [[], [ConsoleColumn<Leaf>("NODE", width: 12) { $0.title }]] {
      let store = try LeafStore([Leaf(1, "top"), Leaf(2, "leaf", under: 1)])
      try await show(store, in: columns, { $0.isForScreenReader = true }) { screen in
        try await screen.expect("the open outline") { $0.contains("    - top") && $0.contains("        leaf") }
        try await screen.press("j", .left)
        try await screen.expect("the closed outline") { $0.contains("    + top") && !$0.contains("        leaf") }
      }
    }
  }

  @Test func `a search marks its hits behind the guides, and finds neither these nor marks`() async throws {
    try await show(try leaves(), in: fields, lines: 10) { screen in
      try await screen.search("s")
      try await screen.expect("▸      3  ▾ sources         1", fromLine: 3, count: 1)
      #expect(await screen.hits(line: 3) == ["s", "s"])
      try await screen.search("▸")
      #expect(await screen.lines[9] == "no row has \"▸\"")
    }
  }

  @Test func `rows that a filter does not find, and keeps for those under them, are dimmed`() async throws {
    try await show(try leaves()) { screen in
      try await screen.press("j")
      try await screen.filter("ey")
      try await screen.advance(by: .seconds(1))
      try await screen.expect("▸ · ▾ sources\n  · │ ▾ app\n    │ │   keys", fromLine: 1, count: 6)
      #expect(await screen.emphasised(line: 2).map(\.parameters) == [Theme.dark.parameters(of: .faint)])
    }
  }

  @Test func `what a person collapses among the rows that a filter finds is expanded for the next filter`() async throws
  {
    try await show(try leaves()) { screen in
      try await screen.filter("ey")
      try await screen.press("j", "j", "h")
      // Rows that have left are shown for a moment.
      try await screen.advance(by: .seconds(1))
      try await screen.expect("  · ▾ sources\n▸ · │ ▸ app", fromLine: 1, count: 6)
      for text in ["", "ey"] { try await screen.filter(text) }
      try await screen.advance(by: .seconds(1))
      try await screen.expect("  · ▾ sources\n▸ · │ ▾ app\n    │ │   keys", fromLine: 1, count: 6)
    }
  }

  // MARK: - Keys

  @Test func `a click on a mark toggles its row`() async throws {
    try await show(try leaves(), in: fields, lines: 10) { screen in
      try await screen.expect("       4  │ ▸ app          11", fromLine: 4, count: 1)
      try await screen.click(line: 4, column: 12)
      try await screen.expect("▸      4  │ ▾ app          11\n       9  │ │   main      111", fromLine: 4, count: 2)
      try await screen.click(line: 4, column: 12)
      try await screen.expect("▸      4  │ ▸ app          11\n       7  │   tests        12", fromLine: 4, count: 2)
    }
  }

  @Test func `keys of an outline can be changed, and clash like others`() async throws {
    let keys: [ConsoleAction: [Key]] = [.expand: ["e"], .collapse: ["c"], .select: ["x"]]
    try await show(try leaves(), { $0.actionKeys = keys }) { screen in
      try await screen.press("j", "x", "j", .right, "c")
      try await screen.expect(" *    readme\n▸   ▸ sources", fromLine: 1, count: 6)
      try await screen.press("x", "e", shows: "      readme\n▸*  ▾ sources\n    │ ▸ app", at: 1)
    }
    let clash = await #expect(throws: KeyClash.self) {
      try await show(try leaves(), { $0.actionKeys = [.expandAll: ["f"], .collapse: ["f"]] }) { _ in }
    }
    #expect(clash?.description == #"the key f has two commands: "collapse" and "expand all""#)
  }

  @Test func `help and palette name the commands of an outline, in an app that has one`() async throws {
    try await show(try leaves(), lines: 40) { screen in
      try await screen.press("?")
      try await screen.expect("the keys") { lines in
        ["→ l", "← h", "*"].allSatisfy { word in lines.contains { $0.hasPrefix("  \(word) ") } }
          && lines.count { $0.hasPrefix("  Enter ") } == 1
      }
      try await screen.press("?", ":", "c", "o", "l")
      try await screen.expect("the command") { $0.contains { $0.hasPrefix("▸ collapse") } }
    }
    try await show(try leaves(), lines: 40, { $0.outline = nil }) { screen in
      try await screen.press("?")
      try await screen.expect("no such keys") { lines in
        !["→ l", "← h", "*"].contains { word in lines.contains { $0.hasPrefix("  \(word)") } }
      }
    }
  }

  // MARK: - What else changes the rows

  @Test
  func `the focus goes to the row that hides the one that had it, though the table is ahead of its list by an edit`()
    async throws
  {
    let expansion = OutlineExpansion<Int>()
    let (work, give) = AsyncStream.makeStream(of: LeafApp.TableWork.self)
    try await show(try leaves(), expansion: expansion, { $0.tableWork = work }) { screen in
      try await screen.press("j", "j", "j", "j", "j", shows: "▸   │ │   keys", at: 5)
      give.yield { table in
        let rows = table.snapshot.rows(inSection: 0).filter { $0.title != "readme" }
        try table.viewDidPerform(ListSnapshot([ListSection(SoleSection(), rows: rows)]))
      }
      try await screen.expect("▸   │ │   keys", fromLine: 4, count: 1)
      await expansion.collapse(11)
      try await screen.expect("▸   │ ▸ app", fromLine: 3, count: 1)
    }
  }

  @Test func `rows that a person expands are not new, and rows that are new are`() async throws {
    let store = try leaves()
    try await show(store, lines: 9) { screen in
      try await screen.press("j", "j", "j", "*")
      try await screen.expect("▸   │ ▾ app\n    │ │   main\n    │ │   keys\n    │   tests", fromLine: 3, count: 4)
      try await store.edit { try $0.upsert(Leaf(13, "new", under: 1)) }
      try await screen.expect("    │   tests\n  + │   new", fromLine: 6, count: 2)
      try await screen.press("h", shows: "▸   │ ▸ app\n    │   tests\n  + │   new", at: 3)
      try await store.edit { try $0.remove(12) }
      try await screen.expect("  - │   tests", fromLine: 4, count: 1)
      try await store.edit { try $0.update(1) { $0.title = "code" } }
      try await screen.expect("  ~ ▾ code", fromLine: 2, count: 1)
    }
  }

  @Test func `a log follows an expansion that the program changes, and ends with its list`() async throws {
    let (store, expansion, shown) = (try leaves(), OutlineExpansion<Int>(depth: 0), CallCount())
    var app = LeafApp(store, cells: CellRegistry<Leaf>.texts)
    (app.outline, app.usesScreen) = (ConsoleOutline(\.place, expansion: expansion), false)
    app.sink = NotingSink<SoleSection, Leaf> { if $0.hasPrefix("sink") { shown.note(()) } }
    app.onUpdate = { if $0.snapshot.rowCount == 2 { await expansion.expand(1) } else { await store.finish() } }
    #expect(try await app.run() == .finished)
    #expect(shown.value == 2, "two rows at first, and four with those under one of them")
    // The expansion is still retained.
    await expansion.collapse(1)
  }
}

import Foundation
import Testing

/// R14: what the table calls may use the table.
@Suite(.watched) struct CallbackTests {
  /// From where the table is used.
  enum Origin: String, CaseIterable {
    case request, estimate, make, prepare, configure, begin, end, release
  }

  /// What is to be done when the table calls.
  final class Hooks {
    var handler: ((Origin, Cell?) -> Void)?
    private(set) var calls: [Origin: Int] = [:]

    func call(_ origin: Origin, _ cell: Cell? = nil) {
      calls[origin, default: 0] += 1
      handler?(origin, cell)
    }
  }

  final class HookedCell: Cell, RowCell {
    var hooks: Hooks?
    private(set) var row: TestRow?
    var late = 0

    func configure(with row: TestRow) {
      self.row = row
      hooks?.call(.configure, self)
    }

    override func prepareForReuse() { hooks?.call(.prepare, self) }
    override func willDisplay() { hooks?.call(.begin, self) }
    override func didEndDisplaying() { hooks?.call(.end, self) }
    deinit { hooks?.call(.release) }
  }

  /// Rows whose text is `tall` have a cell of another kind.
  struct HookedCells: CellProvider {
    let hooks: Hooks

    func request(for row: TestRow) throws(TableError) -> CellRequest {
      hooks.call(.request)
      return CellRequest(
        HookedCell.self, showing: row, reuseIdentifier: row.text == "tall" ? "tall" : "plain",
        registration: .prototype { identifier in
          hooks.call(.make)
          let cell = HookedCell(reuseIdentifier: identifier)
          cell.hooks = hooks
          return cell
        })
    }

    var estimatedHeight: ((TestRow) -> Int)? {
      { _ in
        hooks.call(.estimate)
        return 1
      }
    }
  }

  private func makeTable(height: Int, poolCap: Int = 1) -> (table: TestTable, hooks: Hooks) {
    let hooks = Hooks()
    return (TestTable(cells: HookedCells(hooks: hooks), height: height, poolCap: poolCap), hooks)
  }

  private func list(_ ids: some Sequence<Int>, tall: Set<Int> = [], text: String = "") throws -> TestSnapshot {
    let rows = ids.map { TestRow($0, tall.contains($0) ? "tall" : text) }
    return try TestSnapshot([ListSection(TestSection("a"), rows: rows)])
  }

  /// All kinds of changes, one after the other.
  private func changeInSteps(_ table: TestTable) throws {
    table.workingRange = 1
    try table.show(list(0..<40))
    try table.scroll(byLines: 3)
    try table.show(list(0..<40, tall: [4, 5]))
    try table.show(list(Array(6..<40) + [3, 4, 5], tall: [5]))
    try table.scroll(byPages: 2)
    try table.reloadAll()
    try table.resize(toHeight: 2)
    table.workingRange = 0
    try table.show(list([40, 41]))
    try table.moveFocus(byRows: 1)
    try table.show(list([]))
  }

  private func check(_ table: TestTable, _ note: Comment) {
    let all = table.totals
    #expect(all.created == table.visibleRows.count + table.prefetchedRows.count + all.pooled + all.discarded, note)
    for visible in table.visibleRows + table.prefetchedRows {
      #expect(table.snapshot.row(at: visible.path) == visible.row, note)
      #expect((visible.cell as? HookedCell)?.row == visible.row, note)
    }
    #expect(table.selection.isSubset(of: table.snapshot.allRows.map(\.id)), note)
  }

  /// Every public member that reads, or that sets something outside of a change.
  private static var free: [String: (TestTable) throws -> Void] {
    [
      "snapshot": { _ = $0.snapshot.rowCount }, "revision": { _ = $0.revision }, "topLine": { _ = $0.topLine },
      "position": { _ = $0.position }, "pinsHeaders": { $0.pinsHeaders.toggle() }, "selectAll": { $0.selectAll() },
      "height": { _ = $0.height }, "followsTail": { $0.followsTail.toggle() },
      "showsArrivalsAtTop": { $0.showsArrivalsAtTop.toggle() },
      "workingRange": { $0.workingRange = ($0.workingRange + 1) % 3 },
      "selectionMode": { $0.selectionMode = $0.selectionMode == .single ? .multiple : .single },
      "focusedPath": { _ = $0.focusedPath }, "focusedID": { _ = $0.focusedID },
      "visibleElements": { _ = $0.visibleElements }, "visibleRows": { _ = $0.visibleRows },
      "prefetchedRows": { _ = $0.prefetchedRows }, "contentHeight": { _ = $0.contentHeight },
      "lines": { _ = $0.lines }, "configurationCount": { _ = $0.configurationCount },
      "statistics": { _ = $0.statistics }, "totals": { _ = $0.totals },
      "sectionStatistics": { _ = $0.sectionStatistics }, "eventStream": { _ = $0.eventStream() },
      "selection": { _ = $0.selection }, "select": { $0.select(($0.topLine + 1) % 40) },
      "select() ids": { $0.select([3, 4]) },
      "deselect": { $0.deselect($0.topLine) }, "deselectAll": { $0.deselectAll() }, "focus": { $0.focus(5) },
      "toggleFocusedRow": { $0.toggleFocusedRow() }, "drain": { $0.drain() },
      "deliver": { table in
        for visible in table.visibleRows {
          try table.deliver(to: visible.cell.token, as: Cell.self) { _ in _ = table.visibleRows }
        }
      },
    ]
  }

  /// Every public member that is a change of what is on the screen.
  private static var changes: [String: (TestTable) throws -> Void] {
    [
      "apply": { try $0.apply(TestUpdate(initial: .of(("z", [7])), revision: 90)) },
      "scroll(toLine:)": { try $0.scroll(toLine: 4) }, "scroll(byLines:)": { try $0.scroll(byLines: 1) },
      "scroll(byPages:)": { try $0.scroll(byPages: 1) },
      "scroll(to:) path": { table in
        let first = RowPath(section: 0, row: 0)
        if table.snapshot.contains(first) { try table.scroll(to: first) } else { try table.reloadAll() }
      },
      "scroll(to:) id": { table in if try table.scroll(to: 10) == nil { try table.reloadAll() } },
      "resize": { try $0.resize(toHeight: 9) }, "moveFocus": { try $0.moveFocus(byRows: 1) },
      "reloadAll": { try $0.reloadAll() }, "invalidateHeights": { try $0.invalidateHeights() },
      "invalidateHeight": { table in
        let id = table.snapshot.allRows.first?.id
        if try id.flatMap({ try table.invalidateHeight(of: $0) }) == nil { try table.reloadAll() }
      },
      "viewDidPerform": { try $0.viewDidPerform($0.snapshot) },
      "replaceCells": { try $0.replaceCells(with: HookedCells(hooks: Hooks())) },
      "refresh": { try $0.refresh(Array($0.snapshot.allRows.map(\.id))) },
    ]
  }

  @Test func `both lists together have every public member of a table`() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let interface = try String(
      contentsOf: tests.appendingPathComponent("Documentation/API/RowcastTable.txt"), encoding: .utf8)
    func name(_ text: some StringProtocol) -> String { String(text.prefix { $0 != "(" && $0 != " " }) }
    let members = interface.split(separator: "\n").filter { $0.hasPrefix("RetainedTable.") }
      .map { name($0.dropFirst("RetainedTable.".count)) }.filter { $0 != "init" && $0.first?.isLowercase == true }
    #expect(members.count > 30)
    let called = (Array(Self.free.keys) + Array(Self.changes.keys)).map { name($0) }
    #expect(Set(members).subtracting(called).isEmpty)
  }

  @Test(arguments: Origin.allCases)
  func `R14 every public member can be used from every callback`(origin: Origin) throws {
    for (name, use) in Self.free {
      let (table, hooks) = makeTable(height: 4)
      table.focus(1)
      var uses = 0
      hooks.handler = { [unowned table] called, _ in
        guard called == origin else { return }
        uses += 1
        #expect(throws: Never.self, "\(name) from \(origin)") { try use(table) }
      }
      try changeInSteps(table)
      table.drain()
      hooks.handler = nil
      #expect(uses > 0, "\(name) from \(origin)")
      check(table, "\(name) from \(origin)")
    }
  }

  @Test(arguments: [Origin.request, .configure])
  func `what is selected and focused while a list is shown stays so, if the rows do`(origin: Origin) throws {
    let (table, hooks) = makeTable(height: 5)
    func show(_ list: TestSnapshot, _ body: @escaping () -> Void) throws {
      hooks.handler = { called, _ in if called == origin { body() } }
      try table.show(list)
      hooks.handler = nil
      check(table, "\(origin)")
    }
    try table.show(list([1, 2]))
    try show(list([1, 3])) { [unowned table] in
      table.select(2)
      table.focus(1)
    }
    #expect(table.selection.isEmpty && table.focusedID == 1)
    table.select(1)
    try show(list([3, 1, 4], tall: [1, 4])) { [unowned table] in table.deselect(1) }
    #expect(table.selection.isEmpty)
    table.select(1)
    try show(list([3, 1, 5], text: "new")) { [unowned table] in table.select(3) }
    #expect(table.selection == [3] && table.focusedID == 1)
  }

  @Test(arguments: Origin.allCases)
  func `R14 a change from inside a callback is a typed error, and the change around it is whole`(
    origin: Origin
  ) throws {
    let (reference, _) = makeTable(height: 4)
    try changeInSteps(reference)
    for (name, change) in Self.changes {
      let (table, hooks) = makeTable(height: 4)
      hooks.handler = { [unowned table] called, _ in
        guard called == origin else { return }
        // A change that is not refused calls back, too.
        let handler = hooks.handler.take()
        #expect(throws: TableError.changeInProgress, "\(name) from \(origin)") { try change(table) }
        hooks.handler = handler
      }
      try changeInSteps(table)
      hooks.handler = nil
      check(table, "\(name) from \(origin)")
      #expect(table.revision == reference.revision && table.height == 2, "\(name) from \(origin)")
      #expect(table.totals == reference.totals, "\(name) from \(origin)")
      // The table is free again.
      #expect(throws: Never.self, "\(name) from \(origin)") { try change(table) }
    }
  }

  @Test func `R14 reading from a callback gives the state after the change`() throws {
    let (table, hooks) = makeTable(height: 2)
    try table.show(list(0..<9))
    var seen: [Origin: [[Int]]] = [:]
    hooks.handler = { [unowned table] origin, _ in
      seen[origin, default: []].append([table.revision ?? -1, table.topLine] + table.ids)
    }
    try table.scroll(byLines: 1)
    // What chooses a cell may still refuse.
    #expect(
      seen == [
        .request: [[0, 0, 0, 1]], .end: [[0, 1, 1, 2]], .prepare: [[0, 1, 1, 2]], .configure: [[0, 1, 1, 2]],
        .begin: [[0, 1, 1, 2]],
      ])
    seen = [:]
    try table.show(list([1, 2, 3], tall: [2]))
    #expect(
      seen == [
        .request: [[0, 1, 1, 2]], .make: [[0, 1, 1, 2]], .configure: [[1, 0, 1, 2]], .end: [[1, 0, 1, 2]],
        .begin: [[1, 0, 1, 2]],
      ])
    hooks.handler = nil
  }

  @Test func `R5 R7 the new cell of a row of another kind is configured, the old one ends, and it begins`() throws {
    let (table, hooks) = makeTable(height: 2)
    try table.show(list([1, 2], tall: [1]))
    let old = table.visibleRows[0].cell
    var calls: [String] = []
    hooks.handler = { origin, cell in if let cell { calls.append("\(origin) \(cell.reuseIdentifier)") } }
    let report = try table.show(list([1, 2]))
    #expect(calls == ["configure plain", "end tall", "begin plain"])
    #expect(report.cells.map(\.event) == [.replaced] && report.cells.map(\.reuseIdentifier) == ["plain"])
    #expect(table.statistics["tall"]?.pooled == 1 && report.configuredCount == 1)
    calls = []
    try table.show(list([1, 2], tall: [1]))
    #expect(calls == ["prepare tall", "configure tall", "end plain", "begin tall"])
    #expect(table.visibleRows[0].cell === old)
    hooks.handler = nil
  }

  @Test func `R14 a result that is there at once reaches the cell that is being configured`() throws {
    let (table, hooks) = makeTable(height: 2)
    table.workingRange = 1
    var refused = 0
    hooks.handler = { [unowned table] origin, cell in
      guard origin == .configure, let cell = cell as? HookedCell else { return }
      let arrived = try? table.deliver(to: cell.token, as: HookedCell.self) { $0.late += 1 }
      if arrived != true { refused += 1 }
    }
    try table.show(list(0..<9))
    try table.show(list(0..<9, text: "new"))
    try table.scroll(byLines: 2)
    try table.show(list(0..<9, tall: [2, 3], text: "new"))
    #expect(refused == 0)
    let late = (table.visibleRows + table.prefetchedRows).compactMap { ($0.cell as? HookedCell)?.late }
    #expect(late.count == 4 && late.allSatisfy { $0 > 0 })
    hooks.handler = nil
  }

  @Test func `R14 a cell that leaves the screen still has its token, and nothing is delivered to it`() throws {
    let (table, hooks) = makeTable(height: 1)
    try table.show(list(0..<9))
    let cell = try #require(table.visibleRows.first?.cell)
    let token = cell.token
    var tokens: [Origin: ReuseToken] = [:]
    var arrived: [Bool] = []
    hooks.handler = { [unowned table] origin, cell in
      guard let cell else { return }
      tokens[origin] = cell.token
      if origin == .end { arrived.append((try? table.deliver(to: cell.token, as: Cell.self) { _ in }) ?? true) }
    }
    try table.scroll(byLines: 1)
    hooks.handler = nil
    #expect(table.visibleRows.first?.cell === cell, "it is used for the next row")
    #expect(tokens[.end] == token && arrived == [false])
    #expect(tokens[.configure] == cell.token && cell.token != token)
  }

  @Test func `R14 what a callback selects is reported after the change that called it`() async throws {
    let (made, hooks) = makeTable(height: 2)
    var table: TestTable? = made
    let stream = made.eventStream()
    hooks.handler = { [unowned made] origin, cell in
      if origin == .configure, (cell as? HookedCell)?.row?.id == 1 { made.select(1) }
    }
    try table?.show(list(0..<2))
    #expect(table?.selection == [1])
    hooks.handler = nil
    var events: [TableEvent<TestRow>] = []
    table = nil
    withExtendedLifetime(made) {}
    for await event in stream {
      events.append(event)
      if event.isSelection { break }
    }
    #expect(
      events == [
        .willDisplay(TestRow(0), at: path(0)), .willDisplay(TestRow(1), at: path(1)), .reachedStart, .reachedEnd,
        .selected(TestRow(1), at: path(1)),
      ])
  }
}

import Foundation
import RowcastModel
import RowcastSources
import RowcastStore
import RowcastTable
import RowcastViews
import RowcastTestSupport
import Testing

@testable import RowcastConsole

@Suite(.watched) struct ConsoleAppTests {
  private struct Broken: Error {}

  private let columns: [ConsoleColumn<TestRow>] = [
    ConsoleColumn("ID", width: 4, .trailing) { $0.id }, ConsoleColumn("TEXT", width: 5) { $0.text },
  ]

  private func texts(_ columns: [ConsoleColumn<TestRow>], _ row: TestRow) throws -> [ConsoleText] {
    var registry = CellRegistry<TestRow>()
    registry.registerColumns(columns)
    let table = RetainedTable<TestSection, TestRow>(cells: registry, height: 3)
    try table.apply(TestUpdate(initial: try TestSnapshot([ListSection(TestSection("a"), rows: [row])]), revision: 0))
    return try #require(table.visibleRows.first?.cell as? any ConsoleDrawable).texts
  }

  /// A screen that draws nothing.
  private func sink(_ status: ScreenStatus, columns: Int, lines: Int) -> ScreenSink<TestSection, TestRow> {
    ScreenSink(status: status, size: TerminalSize(columns: columns, lines: lines), theme: .plain)
  }

  @Test func `values stand in their columns, cut and neutralised, below the headings`() throws {
    #expect(columns.heading() == "  ID  TEXT")
    #expect(columns.reversed().heading() == "TEXT     ID")
    #expect(try texts(columns, TestRow(7, "ab")) == [ConsoleText("   7  ab")])
    #expect(try texts(columns.reversed(), TestRow(7, "ab")) == [ConsoleText("ab        7")])
    #expect(try texts(columns, TestRow(123_456, "a\u{1B}cdefg")) == [ConsoleText("123…  a␛cd…")])
    #expect(try texts(columns, TestRow(7, "日本語")) == [ConsoleText("   7  日本…")])
  }

  @Test func `a list is filtered and sorted with keys`() async throws {
    let list = try TestSnapshot([
      ListSection(TestSection("a"), rows: [TestRow(1, "pear"), TestRow(3, "Apple"), TestRow(2, "fig")])
    ])
    let plan = Parameter(Arrangement<TestSection, TestRow, TestSection, TestRow>())
    let arranged = TestStore(list).arranged(by: plan)
    let commands = ListArranging(plan, columns: columns).commands
    #expect(commands.map(\.keys) == [["s"], ["/"]])
    func ids() async -> [Int] { await arranged.snapshot.rows(inSection: 0).map(\.id) }
    guard case .action(let sort) = commands[0].effect, case .prompt(_, let filter) = commands[1].effect else {
      throw Broken()
    }
    #expect(await ids() == [1, 3, 2])
    #expect(await sort(nil) == "sorted: by ID")
    #expect(await ids() == [3, 2, 1], "numbers at the right end come largest first")
    #expect(await sort(nil) == "sorted: by TEXT")
    #expect(await ids() == [3, 2, 1])
    #expect(await filter("AP") == "only rows with \"AP\"")
    #expect(await ids() == [3])
    #expect(await filter("2") == "only rows with \"2\"")
    #expect(await ids() == [2])
    _ = await filter("")
    #expect(await sort(nil) == "sorted: as it comes")
    #expect(await ids() == [1, 3, 2])
  }

  @Test func `panels that are left out leave their lines to the list`() {
    for (columns, lines) in [(80, 24), (120, 40), (40, 8), (1, 1)] {
      let size = TerminalSize(columns: columns, lines: lines)
      var status = ScreenStatus(title: "", keys: [])
      status.sources = [.init(name: "source", status: .live)]
      (status.panels, status.heading, status.footer) = ([], "heading", "footer")
      let alone = ScreenLayout(size, status, kinds: 3)
      #expect(alone.operations + alone.cells + alone.flow + alone.sideColumns == 0)
      let around = [alone.title, alone.sources, alone.heading, alone.footer, alone.help].reduce(0, +)
      #expect(alone.list + around == size.lines)
      #expect(alone.listColumns == size.columns)
      for panel in ScreenPanel.allCases {
        (status.panels, status.heading, status.footer) = ([panel], nil, nil)
        let one = ScreenLayout(size, status, kinds: 3)
        #expect(one.list >= 1 && one.list <= size.lines)
      }
    }
  }

  @Test func `a heading and a footer frame the list`() throws {
    var registry = CellRegistry<TestRow>()
    registry.registerColumns(columns)
    let table = RetainedTable<TestSection, TestRow>(cells: registry, height: 6)
    let list = try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(7, "ab")])])
    try table.apply(TestUpdate(initial: list, revision: 0))
    var status = ScreenStatus(title: "test", keys: [("q", "quit", "end")])
    status.panels = []
    status.heading = columns.heading()
    status.footer = "one \u{1B}row"
    var sink = sink(status, columns: 30, lines: 10)
    let lines = sink.nextFrame(of: table, at: .now).lines.map(\.main.text)
    #expect(lines[1...2] == ["      ID  TEXT", "       7  ab"])
    #expect(lines[8...9] == ["one ␛row", "q quit"])
  }

  @Test func `a row that is gone stands in the columns that it stood in`() throws {
    var registry = CellRegistry<TestRow>()
    registry.registerColumns(columns)
    let table = RetainedTable<TestSection, TestRow>(cells: registry, height: 6)
    let before = try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(7, "ab"), TestRow(8, "cd")])])
    let after = try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(7, "ab")])])
    var sink = sink(ScreenStatus(title: "test", keys: []), columns: 30, lines: 20)
    sink.columns = columns
    let changes = before.changes(to: after)
    for update in [
      TestUpdate(initial: before, revision: 0),
      TestUpdate(revision: 1, previous: 0, changes: changes, snapshot: after),
    ] {
      try table.apply(update)
      sink.show(update, in: table)
    }
    let lines = sink.nextFrame(of: table, at: .now).lines.map(\.main.text)
    #expect(lines.contains("       7  ab") && lines.contains("  -    8  cd"), "\(lines)")
  }

  @Test func `a binding that stopped because an event was refused is seen above the list`() async throws {
    let store = try TestStore.with([1])
    let events = AsyncStream<Int> { continuation in
      continuation.yield(1)
      continuation.finish()
    }
    let binding = store.attach(events) { list, id in try list.append(TestRow(id), to: "a") }
    var last: SourceStatus?
    for await status in binding.statuses { last = status }
    var status = ScreenStatus(title: "test", keys: [])
    status.sources = [.init(name: "feed", status: try #require(last))]
    let table = RetainedTable<TestSection, TestRow>(cells: CellRegistry<TestRow>(), height: 6)
    var sink = sink(status, columns: 200, lines: 10)
    let lines = sink.nextFrame(of: table, at: .now).lines.map(\.main.text)
    #expect(lines[1].hasPrefix("feed failed: "), "\(lines)")
    #expect(lines[1].contains("1"), "the row that was refused is named: \(lines[1])")
  }

  @Test func `an app that shows a list tells that a source of it has stopped`() async {
    await #expect(processExitsWith: .success) {
      let output = Pipe()
      dup2(output.fileHandleForWriting.fileDescriptor, 1)
      let store = try TestStore.with([1])
      let run = Task {
        let events = AsyncStream<Int> { $0.yield(1) }
        var app = ConsoleApp(store, columns: [ConsoleColumn("ID", width: 4) { $0.id }])
        app.sources = [.init("feed", store.attach(events) { list, id in try list.append(TestRow(id), to: "a") })]
        return try await app.run()
      }
      for try await line in FileLines(descriptor: output.fileHandleForReading.fileDescriptor)
      where line.text.hasPrefix("! source") && line.text.contains("failed") {
        await store.finish()
        break
      }
      let ending = try await run.value
      #expect(ending == .finished)
    }
  }

  @Test func `an output that cannot be written is named`() async {
    await #expect(processExitsWith: .success) {
      let pipe = Pipe()
      dup2(pipe.fileHandleForReading.fileDescriptor, 1)
      let app = ConsoleApp(try TestStore.with([1]), columns: [ConsoleColumn("ID", width: 4) { $0.id }])
      let error = await #expect(throws: FileError.self) { try await app.run() }
      #expect(error?.description == "the output cannot be written: Bad file descriptor")
    }
  }
}

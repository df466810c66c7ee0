import Foundation
import Testing

@testable import RowcastConsole

@Suite(.watched) struct ConsoleAppTests {
  private let columns: [ConsoleColumn<TestRow>] = [
    ConsoleColumn("ID", width: 4, .trailing) { $0.id }, ConsoleColumn("TEXT", width: 5) { $0.text },
  ]

  @Test func `values stand in their columns, cut and neutralised, below the headings`() throws {
    func text(_ columns: [ConsoleColumn<TestRow>], _ row: TestRow) throws -> Substring? {
      try WatchedScreen(in: columns, TestSnapshot([ListSection(TestSection("a"), rows: [row])])).list()[0].dropFirst(4)
    }
    #expect(columns.heading() == "  ID  TEXT" && columns.reversed().heading() == "TEXT     ID")
    #expect(try text(columns, TestRow(7, "ab")) == "   7  ab")
    #expect(try text(columns.reversed(), TestRow(7, "ab")) == "ab        7")
    #expect(try text(columns, TestRow(123_456, "a\u{1B}cdefg")) == "123…  a␛cd…")
    #expect(try text(columns, TestRow(7, "日本語")) == "   7  日本…")
    let narrow = [ConsoleColumn<TestRow>("ID", width: 1) { $0.id }, columns[1]]
    #expect(try text(narrow, TestRow(7, "ab")) == "7  ab" && text(narrow, TestRow(10, "ab")) == "…  ab")
  }

  @Test func `a column without a width stops the program`() async {
    await #expect(processExitsWith: .failure) { _ = ConsoleColumn<TestRow>("TEXT", width: 0) { $0.text } }
  }

  @Test func `a list is filtered and sorted with keys`() async throws {
    let plan = Parameter(Arrangement<TestSection, TestRow, TestSection, TestRow>())
    let arranged = try TestStore.spelled("a 1:pear 3:Apple 2:plum").arranged(by: plan)
    let commands = ListArranging(plan, columns: columns).commands
    #expect(commands.map(\.keys) == [["s"], ["/"]])
    func ids() async -> [Int] { await arranged.snapshot.allRows.map(\.id) }
    guard case .action(let sort) = commands[0].effect, case .prompt(_, let filter) = commands[1].effect else {
      throw Mismatch("other commands")
    }
    // Numbers at the right end come largest first.
    for (order, sorted) in [("by ID", [3, 2, 1]), ("by TEXT", [3, 1, 2]), ("as it comes", [1, 3, 2])] {
      #expect(await sort(nil) == "sorted: \(order)")
      #expect(await ids() == sorted)
    }
    for (text, found) in [("AP", [3]), ("2", [2])] {
      #expect(await filter(text) == "only rows with \"\(text)\"")
      #expect(await ids() == found)
    }
    _ = await filter("")
    #expect(await ids() == [1, 3, 2])
  }

  @Test func `a heading and a footer frame the list, and a row that is gone stands in its columns`() throws {
    let screen = try WatchedScreen(columns: 30, lines: 10, in: columns, .spelled("a 7:ab 8:cd"))
    (screen.status.panels, screen.status.heading, screen.status.footer) = ([], columns.heading(), "one \u{1B}row")
    try screen.change(to: "a 7:ab")
    let lines = try screen.lines()
    #expect(lines[1...3] == ["      ID  TEXT", "       7  ab", "  -    8  cd"])
    #expect(lines[8...9] == ["one ␛row", "q quit  ? help"])
  }

  // MARK: - Sources and output

  @Test func `a binding that stopped because an event was refused is seen above the list`() async throws {
    let store = try TestStore.with([1])
    let events = AsyncStream<Int> { continuation in
      continuation.yield(1)
      continuation.finish()
    }
    let binding = store.attach(events) { list, id in try list.append(TestRow(id), to: "a") }
    var last: SourceStatus?
    for await status in binding.statuses { last = status }
    let screen = try WatchedScreen(columns: 200, lines: 10, "a 1")
    screen.status.sources = [("feed", try #require(last))]
    let line = try screen.lines()[1]
    #expect(line.hasPrefix("feed failed: ") && line.contains("1"), "the row that was refused is named: \(line)")
  }

  @Test func `an app that shows a list tells that a source of it has stopped`() async {
    await #expect(processExitsWith: .success) {
      let output = Pipe()
      dup2(output.fileHandleForWriting.fileDescriptor, 1)
      let store = try TestStore.with([1])
      let run = Task {
        let events = AsyncStream<Int> { $0.yield(1) }
        var app = ConsoleApp(store, columns: .idAndText)
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
      let app = ConsoleApp(try TestStore.with([1]), columns: .idAndText)
      let error = await #expect(throws: FileError.self) { try await app.run() }
      #expect(error?.description == "the output cannot be written: Bad file descriptor")
    }
  }
}

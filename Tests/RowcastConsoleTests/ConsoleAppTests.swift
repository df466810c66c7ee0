import Foundation
import Testing

@testable import RowcastConsole
@testable import RowcastTesting

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

  @Test func `a heading and a footer frame the list, and a row that is gone stands in its columns`() throws {
    let screen = try WatchedScreen(columns: 30, lines: 10, in: columns, .spelled("a 7:ab 8:cd"))
    (screen.status.panels, screen.status.heading, screen.status.footer) = ([], columns.heading(), "one \u{1B}row")
    try screen.change(to: "a 7:ab")
    let lines = try screen.lines()
    #expect(lines[1...3] == ["      ID  TEXT", "       7  ab", "  -    8  cd"])
    #expect(lines[8...9] == ["one ␛row", "q quit  ? help"])
  }

  // MARK: - Sources and output

  @Test func `a terminal that was still taking a frame when the next one was due gets the newest after it`() throws {
    for isBehind in [false, true] {
      var app = testApp(try TestStore.rows(2))
      app.terminal = MemoryTerminal(
        size: TerminalSize(columns: 40, lines: 8), input: AsyncStream { nil },
        output: AsyncStream.makeStream().continuation)
      let session = try AppSession(app)
      (session.writing, session.state.frames.due) = ((Task {}, 2, isBehind), nil)
      // The end of an earlier frame changes nothing.
      try session.finishFrame(1, nil)
      #expect(session.writing.task != nil && session.state.frames.due == nil)
      try session.finishFrame(2, nil)
      #expect(session.writing.task == nil && (session.state.frames.due != nil) == isBehind)
    }
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
      where line.text.contains("failed") {
        let isTold = line.text.hasPrefix("! source feed failed: ") && line.text.contains("Duplicate identifiers: 1 ")
        #expect(isTold, "\(line.text)")
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
  @Test func `an app shows the updates of a stream with their positions, and calls its hooks in order`() async throws {
    let store = try TestStore.rows(2)
    let epoch = await store.position.epoch
    let (notes, add) = AsyncStream.makeStream(of: String.self)
    var app = ConsoleApp(updates: { store.updates() }, cells: CellRegistry<TestRow>.texts, columns: .text)
    app.usesScreen = false
    app.sink = NotingSink<TestSection, TestRow> { add.yield($0) }
    app.onUpdate = { add.yield("update \($0.revision)") }
    app.willApply = { add.yield("apply") }
    app.onFrame = { revision in
      add.yield("frame \(revision)")
      if revision > 0 { return await store.finish() }
      _ = try? await store.edit { try $0.remove(1) }
    }
    app.lastWords = { "\($0.revision) at the end" }
    #expect(try await app.run() == .finished)
    add.finish()
    let all = await notes.reduce(into: []) { $0.append($1) }
    #expect(
      all == [
        "update 0", "apply", "sink \(ListPosition(epoch: epoch, revision: 0)), 2 rows", "frame 0",
        "update 1", "apply", "sink \(ListPosition(epoch: epoch, revision: 1)), 1 rows", "frame 1",
        "1 at the end",
      ])
  }

  @Test func `a log whose list waits for the parameter of its arrangement ends with the store`() async throws {
    let (store, plan) = (try TestStore.rows(2), Parameter(Arrangement<TestSection, TestRow, TestSection, TestRow>()))
    let list = store.arranged(by: plan)
    var app = ConsoleApp(updates: { list.updates() }, arrangement: plan, list: list, cells: CellRegistry<TestRow>.texts)
    app.usesScreen = false
    app.sink = NotingSink<TestSection, TestRow> { _ in }
    app.onFrame = { _ in await store.finish() }
    #expect(try await app.run() == .finished)
  }
}

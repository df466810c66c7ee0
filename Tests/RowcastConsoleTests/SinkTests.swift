import RowcastDiff
import RowcastModel
import RowcastTable
public import RowcastTestSupport
import Testing

@testable public import RowcastConsole

extension TestRow: ConsoleRow {
  /// The row's text.
  public var title: String { text }
  /// A word for negative ids.
  public var subtitle: String? { id < 0 ? "negative" : nil }
}

extension TestSection: ConsoleSection {
  /// The header.
  public var title: String { content.title }
}

/// Collects what a sink writes.
private final class Output {
  var parts: [String] = []
}

/// A table that shows what the sinks are tested with.
private func table(height: Int = 10, showsHeaders: Bool = false) -> RetainedTable<TestSection, TestRow> {
  var registry = CellRegistry<TestRow>()
  registry.register(ConsoleCell<TestRow>.self)
  return RetainedTable(
    cells: registry, headers: showsHeaders ? CellRegistry<TestSection>.consoleHeaders : nil, height: height)
}

private let before = try? TestSnapshot([
  ListSection(TestSection("a", "A"), rows: [TestRow(1, "one"), TestRow(2, "two"), TestRow(3, "three")]),
  ListSection(TestSection("b", "B"), rows: [TestRow(4, "four")]),
])
private let after = try? TestSnapshot([
  ListSection(TestSection("a", "A!"), rows: [TestRow(2, "two"), TestRow(3, "THREE"), TestRow(4, "four")]),
  ListSection(TestSection("n", "N"), rows: [TestRow(-9, "nine")]),
])

/// Both lists as the updates of one stream.
private func updates() throws -> [TestUpdate] {
  let before = try #require(before)
  let after = try #require(after)
  return [
    TestUpdate(initial: before, revision: 0),
    TestUpdate(revision: 3, previous: 0, changes: before.changes(to: after), snapshot: after),
  ]
}

/// What a sink writes while a table shows both lists.
private func lines<Sink: ConsoleSink<TestSection, TestRow>>(_ make: (@escaping (String) -> Void) -> Sink) throws
  -> [String]
{
  let output = Output()
  let table = table()
  var sink = make { output.parts.append($0) }
  for update in try updates() {
    try table.apply(update)
    try sink.show(update, in: table)
  }
  return output.parts.joined().split(separator: "\n").map(String.init)
}

@Suite(.watched) struct SinkTests {
  @Test func `the log says in words what happened`() throws {
    #expect(
      try lines { write in LogSink { write($0) } } == [
        "#0 = list of 2 sections, 4 rows",
        "#0 = section 0: A (3 rows)",
        "#0 = row 0-0: one",
        "#0 = row 0-1: two",
        "#0 = row 0-2: three",
        "#0 = section 1: B (1 row)",
        "#0 = row 1-0: four",
        "#3 - section 1 deleted: B (1 row)",
        "#3 - row 0-0 deleted from A: one",
        "#3 + section 1 inserted: N (1 row)",
        "#3 + row 1-0 inserted in N: nine  negative",
        "#3 + row 0-2 inserted in A!: four",
        "#3 ~ section 0 updated: A!",
        "#3 ~ row 0-1 updated in A!: THREE",
      ])
  }

  @Test func `a log that announces updates has a line for all that one did, and none for nothing`() throws {
    let words = AnnouncedChange.english()
    let said = try lines { write in LogSink(announcing: words) { write($0) } }
    #expect(
      said.dropFirst(7) == ["#3 nine  negative added, one removed, THREE changed, four moved"]
        && said[0].hasPrefix("#0 = list"))
    #expect(try lines { write in LogSink(announcing: { _, _ in nil }) { write($0) } } == Array(said.prefix(7)))
    // As safe as any line.
    #expect(
      try lines { write in LogSink(announcing: { _, _ in "a\u{1B}[2Jb\nc" }) { write($0) } }.last
        == "#3 a␛[2Jb c, a␛[2Jb c, a␛[2Jb c, a␛[2Jb c")
  }

  @Test func `the log counts what is beyond its limit`() throws {
    let lines = try lines { write in LogSink(operationLimit: 2) { write($0) } }
    #expect(lines.count == 6)
    #expect(lines[2] == "#0 … and 5 more" && lines[5] == "#3 … and 5 more")
  }

  @Test func `JSON is one line an update, its keys sorted`() throws {
    let lines = try lines { write in JSONSink { write(String(decoding: $0, as: UTF8.self)) } }
    #expect(lines.count == 2)
    #expect(
      lines[1] == """
        {"kind":"changes","previous":0,"revision":3,\
        "rows":{"deletes":[[0,0]],"inserts":[{"at":[0,2],"row":{"id":4,"text":"four"}}],"moves":[],\
        "updates":[{"from":[0,2],"row":{"id":3,"text":"THREE"},"to":[0,1]}]},\
        "sections":{"deletes":[1],"inserts":[{"at":1,"section":{"id":"n","rows":[{"id":-9,"text":"nine"}],"title":"N"}}],\
        "moves":[],"updates":[{"from":0,"title":"A!","to":0}]},"v":1}
        """)
  }

  @Test func `a new width lays columns out anew`() throws {
    var registry = CellRegistry<TestRow>()
    registry.register(ConsoleCell<TestRow>.self)
    let table = RetainedTable<TestSection, TestRow>(cells: registry, height: 2)
    let list = try TestSnapshot([ListSection(TestSection("a"), rows: [TestRow(-1, "a title of some length")])])
    var sink = ScreenSink<TestSection, TestRow>(
      status: ScreenStatus(title: "test", keys: []), size: TerminalSize(columns: 80, lines: 3), theme: .plain)
    let update = TestUpdate(initial: list, revision: 0)
    try table.apply(update)
    sink.show(update, in: table)
    #expect(sink.draw(table, at: .now).contains("a title of some length  negative"))
    // The title is too long for a column of its own here, and the subtitle follows a shorter one.
    sink.size = TerminalSize(columns: 30, lines: 3)
    let shorter = try TestSnapshot([
      ListSection(TestSection("a"), rows: [TestRow(-1, "long enough to be passed over"), TestRow(-2, "b")])
    ])
    let change = TestUpdate(revision: 1, previous: 0, changes: list.changes(to: shorter), snapshot: shorter)
    try table.apply(change)
    sink.show(change, in: table)
    let drawn = sink.draw(table, at: .now)
    #expect(drawn.contains(" b  negative"), "\(drawn)")
  }
}

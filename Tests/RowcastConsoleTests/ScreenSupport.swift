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
  /// False for titles that have a number themselves.
  public var showsRowCount: Bool { !title.hasSuffix(")") }
}

extension CellRegistry where Row: ConsoleRow {
  /// Cells that show the texts of rows, without columns.
  static var texts: CellRegistry {
    var registry = CellRegistry()
    registry.register(ConsoleCell<Row>.self)
    return registry
  }
}

extension TestSnapshot {
  /// A list in words: `a 1 2:new | b` has a section "A" with the rows "row 1" and "new", and an empty section "B".
  static func spelled(_ text: String) throws -> TestSnapshot {
    try TestSnapshot(
      text.split(separator: "|").map { section in
        let words = section.split(separator: " ").map(String.init)
        let rows = try words.dropFirst().map { word in
          let parts = word.split(separator: ":").map(String.init)
          return TestRow(try #require(Int(parts[0])), parts.count > 1 ? parts[1] : "row \(word)")
        }
        return ListSection(TestSection(words[0], words[0].uppercased()), rows: rows)
      })
  }
}

extension ListStore<TestSection, TestRow> {
  /// A list of some rows in one section, with the texts "row 1", "row 2" and so on.
  static func rows(_ count: Int) throws -> TestStore {
    try spelled("a " + (1...count).map { "\($0)" }.joined(separator: " "))
  }

  static func spelled(_ text: String) throws -> TestStore { TestStore(try .spelled(text)) }
}

extension [ConsoleColumn<TestRow>] {
  static var idAndText: Self {
    [ConsoleColumn("ID", width: 4, .trailing) { $0.id }, ConsoleColumn("TEXT", width: 8) { $0.text }]
  }
  static var text: Self { [ConsoleColumn("TEXT", width: 8) { $0.text }] }
}

/// Notes what it is to show and to write.
struct NotingSink<Section: ConsoleSection, Row: ConsoleRow>: ConsoleSink {
  let note: @Sendable (String) -> Void

  func show(_ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>) {
    note("sink \(update.position), \(table.snapshot.rowCount) rows")
  }

  func write(_ lines: String) { note(lines) }
}

typealias TestApp = ConsoleApp<TestSection, TestRow>

/// An app that shows a list in columns, or in lines if there are none.
func testApp(_ list: some LiveList<TestSection, TestRow>, in fields: [ConsoleColumn<TestRow>] = .idAndText) -> TestApp {
  var app = fields.isEmpty ? TestApp(list, cells: CellRegistry<TestRow>.texts) : TestApp(list, columns: fields)
  (app.title, app.environment) = ("test", [:])
  return app
}

/// Shows a list by an app that is changed first. The list lives until the test ends.
func onScreen(
  _ list: TestStore, in fields: [ConsoleColumn<TestRow>] = .idAndText, columns: Int = 50, lines: Int = 8,
  _ change: (inout TestApp) -> Void = { _ in },
  _ body: @escaping @Sendable (ConsoleScreen) async throws -> Void
) async throws {
  var app = testApp(list, in: fields)
  change(&app)
  try await ConsoleScreen.show(app, columns: columns, lines: lines, body)
  withExtendedLifetime(list) {}
}

extension ConsoleScreen {
  /// Looks for a text. The list is typed as a person types, and starts without what was typed before.
  func search(_ text: String) async throws {
    try await press(.control("f"), .control("u"))
    try await type(text)
    try await press(.enter)
  }

  /// Filters the list by a text.
  func filter(_ text: String) async throws {
    try await press("/", .control("u"))
    try await type(text)
    try await press(.enter)
  }

  /// Presses keys, and expects lines of the screen from one on.
  func press(
    _ keys: Key..., shows picture: String, at first: Int, file: String = #fileID, line: Int = #line
  ) async throws {
    try await submit(keys.map { .key($0) }, at: "\(file):\(line)")
    let count = picture.split(separator: "\n").count
    try await expect(picture, fromLine: first, count: count, file: file, line: line)
  }

  /// The words on a line that are marked as hits of a search.
  func hits(line: Int) -> [String] {
    emphasised(line: line).filter { $0.parameters == Theme.dark.parameters(of: .found) }.map(\.text)
  }

  /// The line with the focus.
  var focused: String? { lines.first { $0.hasPrefix("▸") } }
}

/// A screen without an app: its table, and what is drawn.
final class WatchedScreen {
  let table: RetainedTable<TestSection, TestRow>
  var sink: Screen<TestSection, TestRow>
  let start = ContinuousClock.now

  /// Shows a list with its headers or, without them, in columns.
  init(columns: Int = 60, lines: Int = 9, in fields: [ConsoleColumn<TestRow>] = [], _ list: TestSnapshot) throws {
    let status = ScreenStatus(title: "test", keys: [("q", "quit", "end"), ("?", "help", "this page")])
    table = RetainedTable(
      cells: fields.isEmpty ? CellRegistry<TestRow>.texts : .allInColumns(fields),
      headers: fields.isEmpty ? CellRegistry<TestSection>.consoleHeaders : nil, height: lines)
    sink = Screen(table, status: status, size: TerminalSize(columns: columns, lines: lines), theme: .plain)
    sink.columns = fields
    try show(TestUpdate(initial: list, revision: 0))
  }

  convenience init(columns: Int = 60, lines: Int = 9, _ list: String) throws {
    try self.init(columns: columns, lines: lines, .spelled(list))
  }

  var status: ScreenStatus {
    get { sink.status }
    set { sink.status = newValue }
  }

  private func show(_ update: TestUpdate) throws {
    try table.apply(update)
    try table.resize(toHeight: sink.room.lines)
    sink.show(update, at: start)
  }

  /// Brings the list to another state.
  func change(to list: TestSnapshot) throws {
    let (before, changes) = (table.revision ?? 0, table.snapshot.changes(to: list))
    try show(TestUpdate(revision: before + 1, previous: before, changes: changes, snapshot: list))
  }

  func change(to list: String) throws { try change(to: .spelled(list)) }

  /// The lines of the screen, without the panes beside them.
  func lines(after time: Duration = .zero) throws -> [String] { try frame(after: time).lines.map(\.text) }

  func frame(after time: Duration = .zero) throws -> Frame {
    try table.resize(toHeight: sink.room.lines)
    return sink.nextFrame(at: start.advanced(by: time))
  }

  /// The lines of the list, without spaces at their ends.
  func list(after time: Duration = .zero) throws -> [String] {
    let all = try lines(after: time).dropFirst().dropLast()
    let lines = all.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
    return Array(lines.reversed().drop { $0.isEmpty }.reversed())
  }
}

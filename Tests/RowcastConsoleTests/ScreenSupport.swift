import RowcastModel
import RowcastStore
import RowcastTable
import RowcastTestSupport
import RowcastTesting

@testable import RowcastConsole

extension ListStore<TestSection, TestRow> {
  /// A list of some rows in one section, with the texts "row 1", "row 2" and so on.
  static func rows(_ count: Int) throws -> TestStore {
    TestStore(
      try TestSnapshot([ListSection(TestSection("a", "A"), rows: (1...count).map { TestRow($0, "row \($0)") })]))
  }
}

extension [ConsoleColumn<TestRow>] {
  static var idAndText: Self {
    [ConsoleColumn("ID", width: 4, .trailing) { $0.id }, ConsoleColumn("TEXT", width: 8) { $0.text }]
  }
  static var text: Self { [ConsoleColumn("TEXT", width: 8) { $0.text }] }
}

typealias TestApp = ConsoleApp<TestSection, TestRow>

/// An app that shows a list in columns, or in lines if there are none.
func testApp(_ list: some LiveList<TestSection, TestRow>, in fields: [ConsoleColumn<TestRow>] = .idAndText) -> TestApp {
  var registry = CellRegistry<TestRow>()
  registry.register(ConsoleCell<TestRow>.self)
  var app = fields.isEmpty ? TestApp(list, cells: registry) : TestApp(list, columns: fields)
  (app.title, app.environment) = ("test", [:])
  return app
}

/// Shows a list by an app that is changed first. The list is there until the test ends.
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

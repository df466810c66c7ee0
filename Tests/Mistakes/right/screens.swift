import Observation
import Rowcast
import RowcastConsole
import RowcastTesting

//: a search field of a model
@MainActor final class Search: Screen {
  var text = ""
  func type(_ text: String) async {
    self.text = text
    await shop.plan.set(.init().filter { $0.name.contains(text) })
  }
  func turn() {
    isDescending.toggle()
    shop.plan.set(.init().sorted(by: isDescending ? .descending(\.name) : .ascending(\.name)))
  }
  func start() {
    Task { await shop.plan.set(.init().filter { [text] in $0.name.contains(text) }) }
  }
}

//: a screen edits, and waits for its view
extension Screen {
  func show(_ text: String) async throws {
    try await model.edit { try $0.upsert(Product(id: 7, name: text), to: text) }
    let count = try await model.edit { $0.snapshot.rowCount }
    driver.apply(await shop.store.snapshot)
    await driver.settled()
    await model.showNewest()
    await driver.show(model.snapshot)
    model.watch(shop.binding)
    print(count)
    for await update in shop.store.updates() { driver.apply(update) }
  }
}

//: a screen is used from elsewhere
func show(_ model: ListModel<Shelf, Product>, _ driver: BatchDriver<Shelf, Product>, _ text: String) async throws {
  try await model.edit { try $0.upsert(Product(id: 7, name: text), to: text) }
  await driver.settled()
  Task { await driver.settled() }
}
actor Loader {
  func show(_ list: ListSnapshot<Shelf, Product>, _ driver: BatchDriver<Shelf, Product>) async {
    await driver.show(list)
  }
}

//: an app of a terminal
struct Line: ConsoleRow {
  let id: Int
  var title: String { "\(id)" }
  var subtitle: String? { nil }
}
struct Heading: ConsoleSection {
  let id: Int
  var title: String { "\(id)" }
}
func run(_ store: ListStore<Heading, Line>, _ text: String) async throws {
  var app = ConsoleApp(store, columns: [ConsoleColumn("Name", width: 8) { $0.title }])
  app.onSelect = { row in _ = try? await store.edit { try $0.remove(row.id) } }
  app.onEvent = { event in print(event, text) }
  app.keys = [
    KeyCommand("d", label: "delete", help: "deletes a row") { id in
      if let id { _ = try? await store.edit { try $0.remove(id) } }
      return text
    }
  ]
  try await app.run()
}
@MainActor func runHere(_ store: ListStore<Heading, Line>) async throws -> Int32 {
  try await ConsoleApp(store, columns: []).run().exitCode
}
actor Runner {
  func run(_ store: ListStore<Heading, Line>) async throws { try await ConsoleApp(store, columns: []).run() }
}
func start(_ store: ListStore<Heading, Line>) {
  Task { try await ConsoleApp(store, columns: []).run() }
}
func use(_ app: ConsoleApp<Heading, Line>) async throws -> [String] {
  try await ConsoleScreen.show(app, columns: 40, lines: 9) { screen in
    try await screen.type("/a")
    try await screen.paste("b")
    try await screen.press(.enter, "x")
    try await screen.click(line: 1, column: 2, times: 2)
    try await screen.turnWheel(-1)
    try await screen.resize(columns: 60, lines: 12)
    try await screen.advance(by: .seconds(1))
    return await screen.lines
  }
}

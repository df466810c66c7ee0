import Foundation
import Rowcast
import RowcastConsole
import RowcastTestSupport
import Testing

@testable import RowcastDemo

/// The scenarios that show what the table can: chat, settings, profile.
@Suite(.watched) struct TableScenarioTests {
  private func final(_ result: Program.Result) throws -> JSONList {
    var list = JSONList()
    for message in try result.objects() { try list.fold(message) }
    return list
  }

  // MARK: - Chat

  @Test func `a chat tells of texts, images and a video, a typing row, and its history above`() async throws {
    let first = try await Program.run(["chat", "--json", "--lockstep", "--seed", "1"])
    let again = try await Program.run(["chat", "--json", "--lockstep", "--seed", "1"])
    #expect(first.status == 0 && first.output == again.output)
    for kind in ["text", "image", "video", "typing"] { #expect(first.output.contains("\"kind\":\"\(kind)\"")) }
    let rows = try final(first).sections.flatMap { $0.rows.map(\.id) }
    #expect(rows == (-32..<0).map { "m\($0)" } + (1...16).map { "m\($0)" })
    let log = try await Program.run(["chat", "--log", "--lockstep"])
    #expect(log.output.contains("Grace  cat.png") && log.output.contains("cells: "))
    #expect(log.errors.contains("came too late for their cell"))
  }

  /// A table as the chat's session has it, and its loader.
  private func chatTable(height: Int) throws -> (table: RetainedTable<Group, Item>, loader: ImageLoader) {
    let loader = ImageLoader()
    var setup = TableSetup()
    setup.cells = { ChatCells(loader: loader).registry }
    setup.followsTail = true
    setup.showsArrivalsAtTop = false
    var options = try Options([])
    options.rows = height
    return (setup.makeTable(headers: nil, options: options), loader)
  }

  private func show(_ rows: [Item], in table: RetainedTable<Group, Item>) throws {
    let list = try Snapshot([ListSection(Group(id: "chat"), rows: rows)])
    let revision = (table.revision ?? -1) + 1
    try table.apply(
      Update(revision: revision, previous: table.revision, changes: table.snapshot.changes(to: list), snapshot: list))
  }

  private func text(_ range: Range<Int>) -> [Item] {
    range.map { Item(id: "m\($0)", title: "Ada", subtitle: "number \($0)", kind: "text") }
  }

  @Test func `history that is loaded above moves nothing on the screen, not even at the top`() throws {
    let (table, _) = try chatTable(height: 4)
    try show(text(0..<10), in: table)
    try table.scroll(toLine: 0)
    let before = table.visibleRows.map(\.cell)
    try show(text(-20..<10), in: table)
    #expect(table.visibleRows.map(\.row.id) == ["m0", "m1", "m2", "m3"])
    #expect(table.visibleRows.map(\.cell).elementsEqual(before) { $0 === $1 })
    try table.scroll(byLines: -1)
    #expect(table.visibleRows.first?.row.id == "m-1")
  }

  @Test func `an image that comes after its cell was reused lands nowhere`() async throws {
    let (table, loader) = try chatTable(height: 3)
    let images = ["cat.png", "graph.png"].map { Item(id: $0, title: "Ada", subtitle: $0, kind: "image") }
    try show([images[0]], in: table)
    let cell = try #require(table.visibleRows.first?.cell as? ImageMessageCell)
    #expect(cell.texts.map(\.subtitle) == ["loading cat.png …"])
    // The cell goes on to another image before the first has come.
    try show([images[1]], in: table)
    #expect(table.visibleRows.first?.cell === cell)
    let loading = Task { await loader.run(delay: .zero) }
    var deliveries = loader.deliveries.makeAsyncIterator()
    for _ in images {
      let deliver = try #require(await deliveries.next())
      try deliver(table)
      #expect(cell.texts.allSatisfy { $0.subtitle?.contains("cat.png") == false })
    }
    loading.cancel()
    #expect(cell.texts.first?.subtitle == "▒▓█ graph.png")
    let counts = await loader.finalCounts()
    #expect(counts == (shown: 1, dropped: 1))
  }

  @Test func `a kind of message that nobody registered is refused by its name`() throws {
    let (table, _) = try chatTable(height: 3)
    #expect(throws: TableError.unregistered(identifier: "poll")) {
      try show([Item(id: "p", title: "Ada", subtitle: "lunch?", kind: "poll")], in: table)
    }
    #expect(table.visibleRows.isEmpty)
    // A whole list after a refusal is taken, and what cannot be shown has an empty cell.
    try show([Item(id: "p", title: "Ada", kind: "video")], in: table)
    #expect(table.visibleRows.map { $0.cell is EmptyCell } == [true])
  }

  // MARK: - Settings

  @Test func `settings are changed one by one, each touching its own row`() async throws {
    let result = try await Program.run(["settings", "--json", "--lockstep"])
    #expect(result.status == 0)
    let rows = try final(result).sections.flatMap(\.rows)
    #expect(rows.first { $0.id == "wifi" }?.subtitle == "off")
    #expect(rows.first { $0.id == "theme" }?.subtitle == "light")
    #expect(rows.first { $0.id == "version" }?.subtitle == Help.version)
    let log = try await Program.run(["settings", "--log", "--lockstep"])
    #expect(log.output.contains("~ row 0-1 updated in Connections: Bluetooth  on"))
    #expect(!log.output.contains("~ row 2-0 "))
    #expect(log.output.contains("+ section 2 inserted (2 rows)\n"))
  }

  @Test func `a log for a screen reader says each update in one line`() async throws {
    let log = try await Program.run(["settings", "--log", "--lockstep", "--screen-reader"])
    #expect(log.output.contains("\n#1 7 new rows\n") || log.output.hasPrefix("#1 = list of 3 sections, 7 rows\n"))
    #expect(log.output.contains(#/\n#\d+ Bluetooth  on changed\n/#) && !log.output.contains("~ row"))
    let plain = try await Program.run(["settings", "--log", "--lockstep"])
    #expect(plain.output.contains("~ row") && !plain.output.contains(" changed\n"))
  }

  @Test func `settings are filled by capabilities, and what a cell has no slot for is not shown`() throws {
    let table = TableSetup(cells: { SettingsItems() }).makeTable(headers: nil, options: try Options([]))
    let settings = SettingsTable()
    try show(settings.models.map { SettingsItems.item($0, settings.capabilities(of: $0)) }, in: table)
    let texts = table.visibleRows.map { ($0.cell as? any ConsoleDrawable)?.texts.first }
    #expect(texts[0] == ConsoleText("Wi-Fi", subtitle: "[on ]"))
    #expect(texts[1] == ConsoleText("Bluetooth", subtitle: "[off]"))
    #expect(texts[3] == ConsoleText("Theme", subtitle: "automatic ›"))
    #expect(texts[5] == nil)
  }

  // MARK: - Profile

  private func inFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rowcast-profile-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test func `a profile shows a picture row and a titled row for each field that is there`() async throws {
    try await inFolder { folder in
      let file = folder.appendingPathComponent("profile.json")
      try Data(#"{"data":{"apellidos":"Sánchez","nombre":"Pablo","imgURL":"a.png"}}"#.utf8).write(to: file)
      let full = try await Program.run(["profile", file.path, "--json", "--lockstep", "--max-updates", "2"])
      #expect(full.status == 0, "\(full.errors)")
      let rows = try final(full).sections.flatMap(\.rows)
      #expect(rows.map(\.title) == ["Picture", "Nombre", "Apellidos"])
      #expect(rows.map(\.subtitle) == ["a.png", "Pablo", "Sánchez"])
      try Data(#"{"data":{"apellidos":"Sánchez"}}"#.utf8).write(to: file)
      let part = try await Program.run(["profile", file.path, "--log", "--lockstep", "--max-updates", "2"])
      #expect(part.output.contains("= end: 1 row") && part.output.contains("Apellidos  Sánchez"))
      try Data(#"{"data":{"apellidos":7}}"#.utf8).write(to: file)
      let bad = try await Program.run(["profile", file.path])
      #expect(bad.status == 1 && bad.errors.contains("is no profile: data.apellidos: expected a string"))
    }
  }

  @Test func `a profile that is written again changes what differs and nothing else`() async throws {
    func list(_ json: String) throws -> Snapshot {
      try JSONDecoder().decode(Profile.self, from: Data(json.utf8)).snapshot
    }
    var setup = TableSetup()
    setup.cells = { StrategyCells<ProfileKind> { ProfileKind(rawValue: $0.kind) ?? .userInformation } }
    let table = setup.makeTable(headers: nil, options: try Options([]))
    let before = try list(#"{"data":{"nombre":"Pablo","imgURL":"a.png"}}"#)
    let after = try list(#"{"data":{"nombre":"Paula","apellidos":"Díaz","imgURL":"a.png"}}"#)
    try table.apply(Update(initial: before, revision: 0))
    #expect(table.visibleElements.map(\.height) == [3, 1])
    let changes = before.changes(to: after)
    #expect(changes.rows.updates.count == 1 && changes.rows.inserts.count == 1 && changes.count == 2)
    let report = try table.apply(Update(revision: 1, previous: 0, changes: changes, snapshot: after))
    #expect(report.cells.map(\.event) == [.reconfigured, .created])
    #expect((table.visibleRows[1].cell as? UserInformationCell)?.texts == [ConsoleText("Nombre", subtitle: "Paula")])
  }

  @Test func `a profile without a file is explained`() async throws {
    let none = try await Program.run(["profile"])
    #expect(none.status == 2 && none.errors.contains("profile needs a file: demo profile FILE"))
    let missing = try await Program.run(["profile", "/no/such/file"])
    #expect(missing.status == 1 && missing.errors.contains("cannot read /no/such/file"))
  }
}

extension TableSetup {
  /// The table of a scenario, as an app makes it.
  fileprivate func makeTable(headers: (any CellProvider<Group>)?, options: Options) -> RetainedTable<Group, Item> {
    let table = RetainedTable<Group, Item>(
      cells: cells(), headers: headers, height: options.rows ?? 20, poolCap: options.poolCap)
    table.workingRange = workingRange
    table.followsTail = followsTail
    table.showsArrivalsAtTop = showsArrivalsAtTop
    table.selectionMode = selectionMode
    return table
  }
}

import Testing

@testable import RowcastDemo

/// The scenarios that show what the table can: chat, settings, profile.
@Suite(.watched) struct TableScenarioTests {
  // MARK: - Chat

  @Test func `a chat tells of texts, images and a video, a typing row, and its history above`() async throws {
    let first = try await Program.run(["chat", "--json", "--lockstep", "--seed", "1"])
    let again = try await Program.run(["chat", "--json", "--lockstep", "--seed", "1"])
    #expect(first.status == 0 && first.output == again.output)
    for kind in ["text", "image", "video", "typing"] { #expect(first.output.contains("\"kind\":\"\(kind)\"")) }
    let rows = try first.list().sections.flatMap { $0.rows.map(\.id) }
    #expect(rows == (-32..<0).map { "m\($0)" } + (1...16).map { "m\($0)" })
    let log = try await Program.run(["chat", "--log", "--lockstep"])
    #expect(log.output.contains("Grace  cat.png") && log.output.contains("cells: "))
    #expect(log.errors.contains("arrived too late for their cell"))
  }

  // MARK: - Settings

  @Test func `settings are changed one by one, each touching its own row`() async throws {
    let result = try await Program.run(["settings", "--json", "--lockstep"])
    #expect(result.status == 0)
    let rows = try result.list().sections.flatMap(\.rows)
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

  // MARK: - Profile

  @Test func `a profile shows a picture row and a titled row for each field that is there`() async throws {
    let folder = try TestFolder()
    let name = "profile.json"
    let file = try folder.write(name, #"{"data":{"apellidos":"Sánchez","nombre":"Pablo","imgURL":"a.png"}}"#)
    let full = try await Program.run(["profile", file.path, "--json", "--lockstep", "--max-updates", "2"])
    #expect(full.status == 0, "\(full.errors)")
    let rows = try full.list().sections.flatMap(\.rows)
    #expect(rows.map(\.title) == ["Picture", "Nombre", "Apellidos"])
    #expect(rows.map(\.subtitle) == ["a.png", "Pablo", "Sánchez"])
    try folder.write(name, #"{"data":{"apellidos":"Sánchez"}}"#)
    let part = try await Program.run(["profile", file.path, "--log", "--lockstep", "--max-updates", "2"])
    #expect(part.output.contains("= end: 1 row") && part.output.contains("Apellidos  Sánchez"))
    try folder.write(name, #"{"data":{"apellidos":7}}"#)
    let bad = try await Program.run(["profile", file.path])
    #expect(bad.status == 1 && bad.errors.contains("is no profile: data.apellidos: expected a string"))
    withExtendedLifetime(folder) {}
  }
}

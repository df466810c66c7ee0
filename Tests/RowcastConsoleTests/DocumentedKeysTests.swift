import Foundation
import Testing

@testable import RowcastConsole

@Suite(.watched) struct DocumentedKeysTests {
  @Test func `the article's table names each action with its keys`() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(
      contentsOf: package.appendingPathComponent("Sources/Rowcast/Rowcast.docc/TerminalApps.md"), encoding: .utf8)
    var documented: [String: String] = [:]
    for line in page.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let names = cells[0].split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
      let keys = names.count == 1 ? [cells[1]] : cells[1].components(separatedBy: ", ")
      for (name, keys) in zip(names, keys) { documented[name] = keys }
    }
    let actions = ConsoleAction.allCases
    for action in actions {
      #expect(documented["\(action)"] == action.defaultKeys.map(\.name).joined(separator: " "), "\(action)")
    }
    #expect(documented.count == actions.count)
  }
}

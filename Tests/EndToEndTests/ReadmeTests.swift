import Foundation
import RowcastTestSupport
import Testing

// The example of the README, to the letter, from here to the mark below.
import Rowcast

struct Message: RowViewModel { let id: Int; var text: String }
struct Channel: SectionViewModel { let id: String; var title: String }
final class MessageCell: Cell, RowCell { var text = ""; func configure(with row: Message) { text = row.text } }

func follow(_ store: ListStore<Channel, Message>) async throws -> RetainedTable<Channel, Message> {
  var registry = CellRegistry<Message>()
  registry.register(MessageCell.self)
  let table = RetainedTable<Channel, Message>(cells: registry, height: 20)
  for await update in store.updates() { try table.apply(update) }
  return table
}
// End of the example.

@Suite(.watched) struct ReadmeTests {
  private func text(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func `the example is the one that is built here`() throws {
    let source = try text("Tests/EndToEndTests/ReadmeTests.swift")
    let start = try #require(source.range(of: "import Rowcast\n"))
    let end = try #require(source.range(of: "// End of the example."))
    let example = source[start.lowerBound..<end.lowerBound]
    #expect(try text("README.md").contains("```swift\n\(example)```"))
  }

  @Test func `the example shows what was edited`() async throws {
    let store = ListStore<Channel, Message>()
    try await store.edit { list in
      try list.append(Channel(id: "general", title: "General"))
      try list.append(Message(id: 1, text: "hi"), to: "general")
      try list.update(1) { $0.text = "hello" }
    }
    await store.finish()
    let table = try await follow(store)
    #expect((table.visibleRows.first?.cell as? MessageCell)?.text == "hello")
  }
}

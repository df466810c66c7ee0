import RowcastDiff
import RowcastModel
import RowcastTable
import RowcastTestSupport
import Testing

/// The third article's example: a chat of texts and images, and then a video, through a map of typed adapters.
@Suite(.watched) struct AdapterMapArticleTests {
  struct TextMessage: RowViewModel {
    let id: Int
    var text: String
  }

  struct ImageMessage: RowViewModel {
    let id: Int
    var address: String
  }

  struct VideoMessage: RowViewModel {
    let id: Int
    var seconds: Int
  }

  struct Chat: SectionViewModel { let id = 0 }

  final class TextMessageCell: Cell, RowCell {
    private(set) var text: String?
    func configure(with row: TextMessage) { text = row.text }
  }

  final class ImageMessageCell: Cell, RowCell {
    static let reuseIdentifier = "image"
    static let preferredHeight = 3
    private(set) var address: String?
    private(set) var source = "class"

    /// The article's nib: the cells are made from a prototype.
    static var registration: CellRegistration<ImageMessageCell> {
      .prototype { identifier in
        let cell = ImageMessageCell(reuseIdentifier: identifier)
        cell.source = "prototype"
        return cell
      }
    }

    func configure(with row: ImageMessage) { address = row.address }
  }

  final class VideoMessageCell: Cell, RowCell {
    static let preferredHeight = 2
    private(set) var seconds: Int?
    func configure(with row: VideoMessage) { seconds = row.seconds }
  }

  private func registry() -> CellRegistry<AnyRow<Int>> {
    var registry = CellRegistry<AnyRow<Int>>()
    registry.register(TextMessageCell.self)
    registry.register(ImageMessageCell.self)
    return registry
  }

  private var items: [any RowViewModel<Int>] {
    [TextMessage(id: 1, text: "hello"), ImageMessage(id: 2, address: "cat.png"), TextMessage(id: 3, text: "nice")]
  }

  private func show(_ rows: [any RowViewModel<Int>], in table: RetainedTable<Chat, AnyRow<Int>>) throws {
    let list = try ListSnapshot([ListSection(Chat(), rows: rows.map { AnyRow.erasing($0) })])
    try table.apply(ListUpdate(initial: list, revision: (table.revision ?? -1) + 1))
  }

  @Test func `each message is shown by the cell that its type is registered with, as that says`() throws {
    let table = RetainedTable<Chat, AnyRow<Int>>(cells: registry(), height: 9)
    try show(items, in: table)
    #expect((table.visibleRows[0].cell as? TextMessageCell)?.text == "hello")
    #expect((table.visibleRows[1].cell as? ImageMessageCell)?.address == "cat.png")
    #expect((table.visibleRows[2].cell as? TextMessageCell)?.text == "nice")
    #expect(table.visibleElements.map(\.height) == [1, 3, 1] && table.contentHeight == 5)
    #expect(
      table.visibleRows.map(\.cell.reuseIdentifier) == [
        TextMessageCell.reuseIdentifier, "image", TextMessageCell.reuseIdentifier,
      ])
    #expect((table.visibleRows[1].cell as? ImageMessageCell)?.source == "prototype")
  }

  @Test func `a new type of message is one more line, and the table is not touched`() throws {
    let video = VideoMessage(id: 4, seconds: 12)
    let without = RetainedTable<Chat, AnyRow<Int>>(cells: registry(), height: 9)
    #expect(throws: TableError.unregistered(identifier: video.reuseIdentifier)) {
      try show(items + [video], in: without)
    }
    var registry = registry()
    registry.register(VideoMessageCell.self)
    let table = RetainedTable<Chat, AnyRow<Int>>(cells: registry, height: 9)
    try show(items + [video], in: table)
    #expect((table.visibleRows[3].cell as? VideoMessageCell)?.seconds == 12)
    #expect((table.visibleRows[0].cell as? TextMessageCell)?.text == "hello")
  }

  @Test func `a registration may say otherwise than the cell how it is made`() throws {
    var registry = registry()
    var made = 0
    registry.register(TextMessageCell.self) { identifier in
      made += 1
      return TextMessageCell(reuseIdentifier: identifier)
    }
    let table = RetainedTable<Chat, AnyRow<Int>>(cells: registry, height: 9)
    try show(items, in: table)
    #expect(made == 2)
  }

  @Test func `two classes of cells with one reuse identifier are refused before the pool mixes them`() throws {
    final class OtherImageCell: Cell, RowCell {
      static let reuseIdentifier = "image"
      func configure(with row: TextMessage) {}
    }
    var registry = registry()
    registry.register(OtherImageCell.self)
    let table = RetainedTable<Chat, AnyRow<Int>>(cells: registry, height: 9)
    #expect { try show(items, in: table) } throws: { error in
      guard case .ambiguousIdentifier("image", _, _) = error as? TableError else { return false }
      return "\(error)".contains("OtherImageCell")
    }
    try show([items[1]], in: table)
    #expect(throws: TableError.self) { try show([items[0]], in: table) }
    #expect(table.visibleRows.map(\.row.id) == [2])
  }
}

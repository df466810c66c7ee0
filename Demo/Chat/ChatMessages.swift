import Rowcast
import RowcastConsole

/// The cells of a chat: one line for each kind of message. A new kind is a file of its own and a line here.
struct ChatCells {
  let loader: ImageLoader

  var registry: CellRegistry<Item> {
    var registry = CellRegistry<Item>()
    registry.register(TextMessageCell.self, forRowsOf: "text") { TextMessage($0) }
    registry.register(ImageMessageCell.self, forRowsOf: "image", make: imageCell) { FileMessage($0) }
    registry.register(VideoMessageCell.self, forRowsOf: "video") { FileMessage($0) }
    registry.register(TypingCell.self, forRowsOf: "typing") { TypingRow($0) }
    return registry
  }

  /// Image cells are made from a prototype that knows who loads images.
  private func imageCell(_ identifier: String) -> ImageMessageCell {
    let cell = ImageMessageCell(reuseIdentifier: identifier)
    cell.loader = loader
    return cell
  }
}

/// A text that somebody wrote.
struct TextMessage: RowViewModel {
  let id: String
  var author: String
  var text: String

  init?(_ item: Item) {
    guard let text = item.subtitle else { return nil }
    (id, author, self.text) = (item.id, item.title, text)
  }
}

/// Shows a text, a line for each of its own.
final class TextMessageCell: Cell, RowCell, ConsoleDrawable {
  private(set) var texts: [ConsoleText] = []

  static func height(of row: TextMessage) -> Int { lines(of: row).count }

  func configure(with row: TextMessage) {
    texts = Self.lines(of: row).enumerated().map { index, line in
      ConsoleText(index == 0 ? row.author : "", subtitle: line)
    }
  }

  private static func lines(of row: TextMessage) -> [String] {
    row.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Somebody who is about to write.
struct TypingRow: RowViewModel {
  let id: String
  var author: String

  init(_ item: Item) { (id, author) = (item.id, item.title) }
}

/// Shows that somebody is about to write.
final class TypingCell: Cell, RowCell, ConsoleDrawable {
  private(set) var texts: [ConsoleText] = []

  func configure(with row: TypingRow) { texts = [ConsoleText(row.author, subtitle: "is typing …")] }
}

import Rowcast
import RowcastConsole

/// A video that somebody sent: the kind of message that was added last.
struct VideoMessage: RowViewModel {
  let id: String
  var author: String
  var name: String

  init?(_ item: Item) {
    guard let name = item.subtitle else { return nil }
    (id, author, self.name) = (item.id, item.title, name)
  }
}

/// Shows a video as what there is to play.
final class VideoMessageCell: Cell, RowCell, ConsoleDrawable {
  static let preferredHeight = 2
  private(set) var texts: [ConsoleText] = []

  func configure(with row: VideoMessage) {
    texts = [ConsoleText(row.author, subtitle: "▶ \(row.name)"), ConsoleText("", subtitle: "━━●──────────────")]
  }
}

import Rowcast
import RowcastConsole

/// Shows a video as a clip to play: the kind of message that was added last.
final class VideoMessageCell: Cell, RowCell, ConsoleDrawable {
  static let preferredHeight = 2
  private(set) var texts: [ConsoleText] = []

  func configure(with row: FileMessage) {
    texts = [ConsoleText(row.author, subtitle: "▶ \(row.name)"), ConsoleText("", subtitle: "━━●──────────────")]
  }
}

import Rowcast
import RowcastConsole

/// A file that somebody sent. Its cell decides how to show it, as an image or a video.
struct FileMessage: RowViewModel {
  let id: String
  var author: String
  var name: String

  init?(_ item: Item) {
    guard let name = item.subtitle else { return nil }
    (id, author, self.name) = (item.id, item.title, name)
  }
}

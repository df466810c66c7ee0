import Rowcast
import RowcastConsole

/// The kinds of rows of a profile, each of which knows how its cells are drawn.
enum ProfileKind: String, CellStrategy {
  case userInformation, userPicture

  var drawer: CellDrawer<Item> {
    switch self {
    case .userInformation: CellDrawer(UserInformationCell.self) { UserInformation($0) }
    case .userPicture: CellDrawer(UserPictureCell.self) { UserPicture($0) }
    }
  }
}

/// A field of a profile: what it is called, and its value.
struct UserInformation: RowViewModel {
  let id: String
  var title: String
  var value: String

  init?(_ item: Item) {
    guard let value = item.subtitle else { return nil }
    (id, title, self.value) = (item.id, item.title, value)
  }
}

/// The picture of a profile: where it is.
struct UserPicture: RowViewModel {
  let id: String
  var address: String

  init?(_ item: Item) {
    guard let address = item.subtitle else { return nil }
    (id, self.address) = (item.id, address)
  }
}

/// Shows a field on one line.
final class UserInformationCell: Cell, RowCell, ConsoleDrawable {
  private(set) var texts: [ConsoleText] = []

  func configure(with row: UserInformation) { texts = [ConsoleText(row.title, subtitle: row.value)] }
}

/// Shows a picture as a frame with its address.
final class UserPictureCell: Cell, RowCell, ConsoleDrawable {
  static let preferredHeight = 3
  private(set) var texts: [ConsoleText] = []

  func configure(with row: UserPicture) {
    texts = [ConsoleText("┌──────┐"), ConsoleText("│ ◕‿◕  │", subtitle: row.address), ConsoleText("└──────┘")]
  }
}

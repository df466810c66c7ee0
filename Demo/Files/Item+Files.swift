import Rowcast
import RowcastPlatform

/// The kinds of files.
enum FileKind: String, CaseIterable {
  case file, folder, link, other
}

extension Item {
  /// A directory that is entered.
  init(folder id: String, in parent: String, error: String?) {
    self.init(file: id, .folder, in: parent, error: error)
  }

  /// A file, or anything else that is not such a directory.
  ///
  /// - Parameters:
  ///   - id: The path of the file below the directory that is shown.
  ///   - parent: The id of its folder; empty for the directory that is shown.
  ///   - status: What is known of it; `nil` if that cannot be read.
  ///   - error: The reason why it, or what is in it, cannot be read.
  init(file id: String, in parent: String, _ status: Platform.FileStatus?, error: String?) {
    let kind: FileKind =
      switch status {
      case let status? where status.isFile: .file
      case let status? where status.isDirectory: .folder
      case let status? where status.isLink: .link
      default: .other
      }
    self.init(file: id, kind, in: parent, error: error)
    if kind == .file || kind == .link { size = status?.size ?? 0 }
  }

  private init(file id: String, _ kind: FileKind, in parent: String, error: String?) {
    self.init(id: id, title: FileName.title(id), subtitle: error, kind: kind.rawValue)
    place = OutlinePlace(parent: parent.isEmpty ? nil : parent)
  }

  /// The name of a file as a column shows it: with a slash at the end for a folder, and with the error, if there is one.
  var name: String {
    let reason = subtitle.flatMap { text in text.firstIndex(of: " ").map { String(text[$0...]) } }
    return title + (kind == FileKind.folder.rawValue ? "/" : "") + (reason ?? "")
  }

  /// The row at its place in an outline.
  func placed(at place: OutlinePlace<String>) -> Item {
    var row = self
    row.place = place
    return row
  }

  /// The row of a file at its place, with the total size of the file and its descendants.
  func placed(at place: OutlinePlace<String>, size: Int) -> Item {
    var row = placed(at: place)
    row.size = size
    row.subtitle = "\(size)" + (subtitle.map { " (\($0))" } ?? "")
    return row
  }
}

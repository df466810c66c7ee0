/// The reason why a file could not be read.
public struct FileError: Error, Hashable, CustomStringConvertible {
  /// The path of the file; `nil` for a file descriptor that was given open.
  public var path: String?
  /// The reason, as the system words it.
  public var reason: String

  /// Creates an error.
  package init(path: String? = nil, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The path, not neutralised, and the reason.
  public var description: String { path.map { "cannot read \($0): \(reason)" } ?? reason }
}

/// Why a file could not be read.
public struct FileError: Error, Hashable, CustomStringConvertible {
  /// The path of the file; `nil` for a file descriptor that was given open.
  public var path: String?
  /// What is wrong, in the system's words.
  public var reason: String

  /// Creates an error.
  public init(path: String? = nil, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The path, as it was given and not neutralised, and what is wrong with the file.
  public var description: String { path.map { "cannot read \($0): \(reason)" } ?? reason }
}

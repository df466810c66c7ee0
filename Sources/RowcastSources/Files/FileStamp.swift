#if canImport(RowcastPlatform)
  import RowcastPlatform
#endif

/// The facts about a file that the system knows without reading it.
///
/// A file that was written has another stamp than before, unless it kept its size and was written twice within the resolution
/// of the file system's clock. Files that exist at the same time differ in device or number, whatever their names are.
public struct FileStamp: Hashable, Sendable {
  /// The kind of a file.
  public enum Kind: Hashable, Sendable {
    /// A regular file.
    case file
    /// A directory.
    case directory
    /// A pipe, a device, a socket.
    case other
  }

  /// The device that holds the file.
  package var device: UInt64
  /// The number of the file on the device.
  package var number: UInt64
  /// The kind of the file.
  public var kind: Kind
  /// The size in bytes.
  public var size: Int
  /// The last modification of the content: the time since 1970 began.
  public var modified: Duration

  /// Creates a stamp.
  package init(device: UInt64, number: UInt64, kind: Kind, size: Int, modified: Duration) {
    self.device = device
    self.number = number
    self.kind = kind
    self.size = size
    self.modified = modified
  }

  #if canImport(RowcastPlatform)
    init(_ status: Platform.FileStatus) {
      self.init(
        device: status.device, number: status.number,
        kind: status.isFile ? .file : status.isDirectory ? .directory : .other, size: status.size,
        modified: status.modified)
    }
  #endif
}

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

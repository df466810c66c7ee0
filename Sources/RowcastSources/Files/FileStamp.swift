#if canImport(RowcastPlatform)
  import RowcastPlatform
#endif

/// Which file this is, whatever it is called: files that exist at the same time differ in it.
public struct FileIdentity: Hashable, Sendable {
  /// The device that holds the file.
  public var device: UInt64
  /// The number of the file on the device.
  public var number: UInt64

  /// Creates an identity.
  public init(device: UInt64, number: UInt64) {
    self.device = device
    self.number = number
  }
}

/// What the system knows about a file without reading it. A file that was written has another stamp than before, unless
/// it kept its size and was written twice within the resolution of the file system's clock.
public struct FileStamp: Hashable, Sendable {
  /// What kind of thing a path leads to.
  public enum Kind: Hashable, Sendable {
    /// A regular file.
    case file
    /// A directory.
    case directory
    /// A pipe, a device, a socket.
    case other
  }

  /// Which file it is.
  public var identity: FileIdentity
  /// What kind of file it is.
  public var kind: Kind
  /// The size in bytes.
  public var size: Int
  /// When the content was last modified: the time since 1970 began.
  public var modified: Duration

  /// Creates a stamp.
  public init(identity: FileIdentity, kind: Kind, size: Int, modified: Duration) {
    self.identity = identity
    self.kind = kind
    self.size = size
    self.modified = modified
  }
}

#if canImport(RowcastPlatform)
  extension FileStamp {
    init(_ status: Platform.FileStatus) {
      let kind: Kind =
        switch status.kind {
        case .file: .file
        case .directory: .directory
        case .other: .other
        }
      self.init(
        identity: FileIdentity(device: status.device, number: status.number), kind: kind, size: status.size,
        modified: status.modified)
    }
  }
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Files by their paths.
extension Platform {
  /// What the system knows about a file without reading it.
  package struct FileStatus {
    package enum Kind {
      case file, directory, other
    }

    /// The number of the device that holds the file.
    package var device: UInt64
    /// The number of the file on the device.
    package var number: UInt64
    package var kind: Kind
    /// The size in bytes.
    package var size: Int
    /// When the content was last modified: the time since 1970 began.
    package var modified: Duration

    fileprivate init(_ status: stat) {
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
      size = Int(status.st_size)
      modified = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
      kind =
        switch UInt32(status.st_mode) & UInt32(S_IFMT) {
        case UInt32(S_IFREG): .file
        case UInt32(S_IFDIR): .directory
        default: .other
        }
    }
  }

  /// What the system knows about an open file.
  package static func status(of descriptor: Int32) throws(SystemError) -> FileStatus {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system() }
    return FileStatus(status)
  }

  /// What the system knows about a file, or about what a symbolic link leads to; `nil` if there is nothing at the path.
  package static func status(ofPath path: String, followsLinks: Bool = true) throws(SystemError) -> FileStatus? {
    var status = stat()
    let result = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
    if result == 0 { return FileStatus(status) }
    return try SystemError.throwUnlessMissing()
  }

  /// The names of the entries of a directory, but for itself and its parent, in no order.
  ///
  /// - Throws: ``SystemError/failed(_:)`` if the directory cannot be read.
  package static func entries(ofDirectory path: String) throws(SystemError) -> [String] {
    guard let directory = unsafe opendir(path) else { throw .system() }
    defer { unsafe _ = closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      // A name ends with a zero, and stays valid until the next entry is read.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Gives an open file the permissions of another, if that exists.
  package static func copyPermissions(ofPath path: String, to descriptor: Int32) {
    var status = stat()
    if unsafe stat(path, &status) == 0 { _ = fchmod(descriptor, status.st_mode & 0o777) }
  }

  /// Gives a file another name, in place of the file that may have it.
  package static func move(_ path: String, to name: String) throws(SystemError) {
    guard unsafe rename(path, name) == 0 else { throw .system() }
  }

  package static func remove(_ path: String) { _ = unsafe unlink(path) }
}

// MARK: - Changes: inotify(7), where it is there
extension Platform {
  /// Opens a queue of changes; `nil` if the system has none, or no more of them.
  package static func openChangeQueue() -> Int32? {
    #if canImport(Darwin)
      return nil
    #else
      let descriptor = inotify_init1(Int32(IN_CLOEXEC))
      return descriptor < 0 ? nil : descriptor
    #endif
  }

  /// Has the changes of a file, or of a directory and its entries, put into a queue; with `onlyEntries`, only which
  /// entries come and go. Returns the number of the watch, `nil` if there is no such file, or no more watches.
  package static func watch(_ path: String, onlyEntries: Bool, on queue: Int32) -> Int32? {
    #if canImport(Darwin)
      return nil
    #else
      var events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      if !onlyEntries { events |= IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE }
      let watch = unsafe inotify_add_watch(queue, path, UInt32(events))
      return watch < 0 ? nil : watch
    #endif
  }

  package static func endWatch(_ watch: Int32, on queue: Int32) {
    #if !canImport(Darwin)
      _ = inotify_rm_watch(queue, watch)
    #endif
  }

  /// One message of a queue.
  package struct ChangeEvent: Equatable {
    /// The number of the watch that noticed the change.
    package var watch: Int32
    /// The entry of the watched directory that changed; empty if it is what is watched itself.
    package var name: String

    package init(watch: Int32, name: String) {
      self.watch = watch
      self.name = name
    }

    /// The messages in what was read from a queue: each has a head of four 32-bit numbers in the order of the machine,
    /// the last of them the length of the name that follows, which is padded with zeros.
    package static func parse(_ bytes: [UInt8]) -> [ChangeEvent] {
      var events: [ChangeEvent] = []
      var rest = bytes[...]
      while rest.count >= 16 {
        let length = Int(number(in: rest.dropFirst(12)))
        events.append(
          ChangeEvent(
            watch: Int32(bitPattern: number(in: rest)),
            name: String(decoding: rest.dropFirst(16).prefix(length).prefix { $0 != 0 }, as: UTF8.self)))
        rest = rest.dropFirst(16 + length)
      }
      return events
    }

    private static func number(in bytes: ArraySlice<UInt8>) -> UInt32 {
      UInt32(littleEndian: bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }
  }
}

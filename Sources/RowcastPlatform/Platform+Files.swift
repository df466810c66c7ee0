#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside `Platform` its own function hides that of the C library.
private func systemRename(_ path: String, _ name: String) -> Int32 { unsafe rename(path, name) }

// Files by their paths.
extension Platform {
  /// What the system knows about a file without reading it.
  package struct FileStatus {
    /// What kind of thing a path leads to.
    package enum Kind {
      case file, directory, other
    }

    /// The number of the device that holds the file.
    package var device: UInt64
    /// The number of the file on the device.
    package var number: UInt64
    /// What kind of file it is.
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

  /// What the system knows about a file; `nil` if there is none at the path.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - followsLinks: Whether a symbolic link stands for what it leads to.
  /// - Returns: The status.
  /// - Throws: ``SystemError/failed(_:)`` if the path cannot be looked at.
  package static func status(ofPath path: String, followsLinks: Bool = true) throws(SystemError) -> FileStatus? {
    var status = stat()
    let result = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
    if result == 0 { return FileStatus(status) }
    let code = errno
    guard code == ENOENT || code == ENOTDIR else { throw .system(code) }
    return nil
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
  package static func rename(_ path: String, to name: String) throws(SystemError) {
    guard systemRename(path, name) == 0 else { throw .system() }
  }

  /// Deletes a file.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }
}

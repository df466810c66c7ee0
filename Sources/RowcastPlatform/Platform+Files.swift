#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside `Platform` its own functions hide those of the C library that have the same names. A signal handler may write.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  uninterrupted { unsafe open(path, flags, mode) }
}
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, bytes.baseAddress, bytes.count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

/// Repeats a system call as long as signals interrupt it.
private func uninterrupted(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

// File descriptors, files by their paths, and their changes.
extension Platform {
  package static let (standardInput, standardOutput, standardError) = (STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO)

  /// Opens a file for reading. The caller closes the descriptor, as of all functions here.
  package static func open(_ path: String) throws(SystemError) -> Int32 { try open(path, flags: O_RDONLY) }

  /// Opens a file for reading, without waiting for the writer of a pipe. With `isFollowed` the input of a pipe has no end: other
  /// writers may follow.
  package static func openAtOnce(_ path: String, isFollowed: Bool = false) throws(SystemError) -> Int32 {
    let isPipe = isFollowed ? try status(ofPath: path)?.isPipe ?? false : false
    return try open(path, flags: O_NONBLOCK | (isPipe ? O_RDWR : O_RDONLY))
  }

  /// Opens a file for reading; `nil` if there is none at the path.
  package static func openExisting(_ path: String) throws(SystemError) -> Int32? {
    let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC, 0)
    return descriptor < 0 ? try SystemError.throwUnlessMissing() : descriptor
  }

  /// Opens a file for writing; a new one must not exist yet.
  package static func openForWriting(_ path: String, isNew: Bool) throws(SystemError) -> Int32 {
    try open(path, flags: O_WRONLY | (isNew ? O_CREAT | O_EXCL : 0))
  }

  /// Opens a file for reading and writing. A missing file is created if `creates` is true; a new one must not exist yet.
  package static func openForUpdating(
    _ path: String, creates: Bool = true, isNew: Bool = false
  ) throws(SystemError) -> Int32 {
    try open(path, flags: O_RDWR | (creates ? O_CREAT : 0) | (isNew ? O_EXCL : 0))
  }

  /// Fills standard descriptors that are closed, so that no file that is opened later is taken for the input, the output or the
  /// errors. Using them fails.
  package static func fillStandardDescriptors() {
    for descriptor in standardInput...standardError where fcntl(descriptor, F_GETFD, 0) < 0 {
      // The lowest free number is this one.
      _ = try? open("/dev/null", flags: descriptor == standardInput ? O_WRONLY : O_RDONLY)
    }
  }

  private static func open(_ path: String, flags: Int32) throws(SystemError) -> Int32 {
    let descriptor = systemOpen(path, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .system() }
    return descriptor
  }

  package static func makePipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    // The array has the two elements that the call fills.
    guard unsafe pipe(&ends) == 0 else { throw .system() }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  package static func close(_ descriptor: Int32) { systemClose(descriptor) }

  /// True if that many more descriptors can be open. Dispatch ends the process if it finds none.
  ///
  /// None is opened to find out: another thread might need it.
  package static func hasFreeDescriptors(_ count: Int) -> Bool {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    var (free, descriptor) = (0, 0)
    while free < count, descriptor < limit {
      if fcntl(Int32(descriptor), F_GETFD, 0) < 0 { free += 1 }
      descriptor += 1
    }
    // Without a limit there are enough.
    return free == count || limit < 0
  }

  /// Waits for input, and reads at most `capacity` bytes; none at the end of the input.
  package static func read(from descriptor: Int32, upTo capacity: Int) throws(SystemError) -> [UInt8] {
    while true {
      if let bytes = try readAvailable(from: descriptor, upTo: capacity) { return bytes }
      _ = wait(forInputOn: [descriptor], timeout: nil)
    }
  }

  /// Reads at most `capacity` bytes of the available input; none at its end, `nil` if there is no input yet.
  package static func readAvailable(from descriptor: Int32, upTo capacity: Int) throws(SystemError) -> [UInt8]? {
    while true {
      let (bytes, code) = unsafe fill(capacity) { unsafe systemRead(descriptor, $0) }
      switch code {
      case 0: return bytes
      case EINTR: continue
      case EAGAIN: return nil
      default: throw .system(code)
      }
    }
  }

  /// Reads bytes of a regular file at an offset, fewer than wanted only at its end. The descriptor keeps its position.
  package static func read(
    from descriptor: Int32, at offset: Int, upTo count: Int
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let start = off_t(offset + bytes.count)
      let (part, code) = unsafe fill(count - bytes.count) { unsafe pread(descriptor, $0.baseAddress, $0.count, start) }
      if code == EINTR { continue }
      guard code == 0 else { throw .system(code) }
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }

  /// The bytes that a system call reads, and its error number; 0 for none.
  private static func fill(
    _ capacity: Int, reading: (UnsafeMutableRawBufferPointer) -> Int
  ) -> (bytes: [UInt8], code: Int32) {
    var code: Int32 = 0
    // The call has written `count` bytes.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      let result = unsafe reading(
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<capacity]))
      code = result < 0 ? errno : 0
      count = max(0, result)
    }
    return (bytes, code)
  }

  /// Writes bytes until all are written.
  ///
  /// - Throws: ``SystemError`` if the other end is closed or the device fails.
  package static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(SystemError) {
    try unsafe drain(bytes, into: descriptor) { buffer, _ in unsafe systemWrite(descriptor, buffer) }
  }

  /// Writes as many of some bytes as a terminal takes, after waiting for room for at most `timeout` milliseconds; returns
  /// their number. A terminal that was not reopened takes a few at a time, as it waits for room for all of them.
  ///
  /// - Throws: ``SystemError`` if the other end is closed or the device fails.
  package static func writeSome(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32, timeout: Int32
  ) throws(SystemError) -> Int {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&request, 1, timeout) > 0 else { return 0 }
    let isPatient = fcntl(descriptor, F_GETFL, 0) & O_NONBLOCK == 0
    let bytes = ContiguousArray(bytes.prefix(isPatient ? 256 : 4_096))
    let (count, code) = unsafe bytes.withUnsafeBytes { unsafe (systemWrite(descriptor, $0), errno) }
    if count >= 0 { return count }
    switch code {
    case EAGAIN, EINTR: return 0
    case EPIPE: throw .closed
    default: throw .system(code)
    }
  }

  /// Opens a terminal once more, so that reading or writing does not wait for others who have it open; `nil` if that is not
  /// possible.
  package static func reopenTerminal(_ descriptor: Int32, forReading: Bool = false) -> Int32? {
    #if canImport(Darwin)
      return nil
    #else
      guard isTerminal(descriptor) else { return nil }
      let access = forReading ? O_RDONLY : O_WRONLY
      return try? open("/proc/self/fd/\(descriptor)", flags: access | O_NONBLOCK | O_NOCTTY)
    #endif
  }

  /// Opens the terminal of the process for reading; `nil` if it has none.
  package static func openOwnTerminal() throws(SystemError) -> Int32? {
    let descriptor = systemOpen("/dev/tty", O_RDONLY | O_CLOEXEC, 0)
    if descriptor >= 0 { return descriptor }
    let code = errno
    if code == EMFILE || code == ENFILE || code == ENOMEM { throw .system(code) }
    return nil
  }

  /// Writes bytes to a regular file at an offset, until all are written. The descriptor keeps its position.
  ///
  /// - Throws: ``SystemError`` if the device fails or is full. Some of the bytes may have been written.
  package static func write(
    _ bytes: some Collection<UInt8>, to descriptor: Int32, at offset: Int
  ) throws(SystemError) {
    try unsafe drain(bytes, into: descriptor) { buffer, written in
      unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset + written))
    }
  }

  /// Makes a system call that writes until all bytes are written; it gets the rest, and the number of bytes before that.
  private static func drain(
    _ bytes: some Collection<UInt8>, into descriptor: Int32, writing: (UnsafeRawBufferPointer, Int) -> Int
  ) throws(SystemError) {
    let bytes = ContiguousArray(bytes)
    var written = 0
    while written < bytes.count {
      // The call only reads, and only what is in the buffer.
      let (count, code) = unsafe bytes.withUnsafeBytes { buffer in
        unsafe (writing(UnsafeRawBufferPointer(rebasing: buffer[written...]), written), errno)
      }
      if count >= 0 {
        written += count
      } else if code == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, -1)
      } else if code == EPIPE {
        throw .closed
      } else if code != EINTR {
        throw .system(code)
      }
    }
  }

  // MARK: - Files that are kept

  /// Cuts or extends a file to a size in bytes.
  package static func truncate(_ descriptor: Int32, to size: Int) throws(SystemError) {
    if uninterrupted({ ftruncate(descriptor, off_t(size)) }) != 0 { throw .system() }
  }

  /// Waits until the content of a file is on the device, and would be there after a loss of power.
  package static func synchronize(_ descriptor: Int32) throws(SystemError) {
    #if canImport(Darwin)
      // There `fsync` leaves the content in the cache of the device. Some file systems know nothing else.
      if uninterrupted({ fcntl(descriptor, F_FULLFSYNC, 0) }) != -1 { return }
    #endif
    if uninterrupted({ fsync(descriptor) }) != 0 { throw .system() }
  }

  /// Locks a file for other openings of it, in this process or another; the lock ends when the descriptor is closed, or its
  /// process ends. Returns `false` if the file is locked.
  package static func lock(_ descriptor: Int32) throws(SystemError) -> Bool {
    if uninterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw .system()
  }

  /// Ends the lock of a file, if it has one, for all copies of the descriptor.
  package static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

  /// The number of this process.
  package static var processID: Int { Int(getpid()) }

  // MARK: - Input

  /// Waits until a descriptor has input or its other end is closed. The timeout is in milliseconds, `nil` for none. Returns
  /// the ready descriptors, none after the timeout.
  package static func wait(forInputOn descriptors: [Int32], timeout: Int32?) -> [Int32] {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // The count is the count of the array.
    while unsafe poll(&requests, nfds_t(requests.count), timeout ?? -1) < 0, errno == EINTR {}
    return requests.filter { $0.revents != 0 }.map(\.fd)
  }

  // MARK: - Files by their paths

  /// The facts about a file that the system knows without reading it.
  package struct FileStatus {
    /// The device that holds the file, and the number of the file on it.
    package var device, number: UInt64
    /// All are false for a pipe, a device or a socket.
    package var isFile, isDirectory, isLink: Bool
    /// True for a named pipe.
    package var isPipe: Bool
    /// The size in bytes.
    package var size: Int
    /// The number of names that the file has, in any folder.
    package var nameCount: Int
    /// The last modification of the content: the time since 1970 began.
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
      nameCount = Int(status.st_nlink)
      modified = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
      let kind = UInt32(status.st_mode) & UInt32(S_IFMT)
      (isFile, isDirectory) = (kind == UInt32(S_IFREG), kind == UInt32(S_IFDIR))
      isLink = kind == UInt32(S_IFLNK)
      isPipe = kind == UInt32(S_IFIFO)
    }

    /// True if both are of one file, whatever its names.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }
  }

  /// The status of an open file.
  package static func status(of descriptor: Int32) throws(SystemError) -> FileStatus {
    var status = stat()
    guard uninterrupted({ unsafe fstat(descriptor, &status) }) == 0 else { throw .system() }
    return FileStatus(status)
  }

  /// The status of a file, by default of the target of a symbolic link; `nil` if there is nothing at the path.
  package static func status(ofPath path: String, followsLinks: Bool = true) throws(SystemError) -> FileStatus? {
    try status(ofPath: Array(path.utf8), followsLinks: followsLinks)
  }

  /// The status of a file whose path need not be UTF-8.
  package static func status(ofPath path: [UInt8], followsLinks: Bool = true) throws(SystemError) -> FileStatus? {
    let path = systemPath(path)
    var status = stat()
    let result = uninterrupted { unsafe followsLinks ? stat(path, &status) : lstat(path, &status) }
    if result == 0 { return FileStatus(status) }
    return try SystemError.throwUnlessMissing()
  }

  /// A path as the C library takes it.
  private static func systemPath(_ bytes: [UInt8]) -> [CChar] {
    bytes.map { CChar(truncatingIfNeeded: $0) } + [0]
  }

  /// The names of the entries of a directory, except `.` and `..`, in no order.
  ///
  /// - Throws: ``SystemError/failed(_:)`` if the directory cannot be read.
  package static func entries(ofDirectory path: String) throws(SystemError) -> [String] {
    try entries(ofDirectory: Array(path.utf8)) { String(decoding: $0, as: UTF8.self) }
  }

  /// The entries of a directory, made from their names. Neither these nor the path need be UTF-8.
  package static func entries<Entry>(
    ofDirectory path: [UInt8], _ make: (_ name: [UInt8]) -> Entry
  ) throws(SystemError) -> [Entry] {
    guard let directory = unsafe opendir(systemPath(path)) else { throw .system() }
    defer { unsafe _ = closedir(directory) }
    var entries: [Entry] = []
    while let entry = unsafe readdir(directory) {
      // A name ends with a zero, and stays valid until the next entry is read.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      if name != [UInt8(ascii: ".")], name != Array("..".utf8) { entries.append(make(name)) }
    }
    return entries
  }

  /// Gives an open file the permissions of another, if that exists.
  package static func copyPermissions(ofPath path: String, to descriptor: Int32) {
    var status = stat()
    if unsafe stat(path, &status) == 0 { _ = fchmod(descriptor, status.st_mode & 0o777) }
  }

  /// Gives an open file the permissions of another one.
  package static func copyPermissions(of other: Int32, to descriptor: Int32) {
    var status = stat()
    if unsafe fstat(other, &status) == 0 { _ = fchmod(descriptor, status.st_mode & 0o777) }
  }

  /// The absolute path of a file, without symbolic links. The file need not exist if its folder does; otherwise the path is
  /// returned as it is. A link without a target leads to the file that would be created.
  ///
  /// - Throws: ``SystemError`` if the system cannot tell: the unresolved path would name the file differently for a moment.
  package static func resolve(_ path: String) throws(SystemError) -> String {
    var path = path
    // The system does not follow more links either.
    for _ in 0..<40 {
      if let resolved = try realPath(path) { return resolved }
      let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
      let name = path[start...]
      guard let folder = try realPath(start == path.startIndex ? "." : String(path[..<start])) else { return path }
      path = (folder == "/" ? "" : folder) + "/" + name
      guard let target = try target(ofLink: path) else { return path }
      path = target.hasPrefix("/") ? target : folder + "/" + target
    }
    return path
  }

  /// The path from the root, with the links in it as they are; `nil` if the current folder is unknown.
  package static func absolute(_ path: String) throws(SystemError) -> String? {
    if path.hasPrefix("/") { return path }
    return try realPath(".").map { ($0 == "/" ? "" : $0) + "/" + path }
  }

  /// The path in a symbolic link; `nil` for anything else.
  private static func target(ofLink path: String) throws(SystemError) -> String? {
    while true {
      let (bytes, code) = unsafe fill(4_096) { buffer in
        unsafe buffer.withMemoryRebound(to: CChar.self) { target in
          unsafe target.baseAddress.map { unsafe readlink(path, $0, target.count) } ?? -1
        }
      }
      switch code {
      case 0: return String(decoding: bytes, as: UTF8.self)
      case EINTR: continue
      case EINVAL, ENOENT, ENOTDIR, EACCES, EPERM: return nil
      default: throw .system(code)
      }
    }
  }

  /// The canonical path of an existing file; `nil` if there is none, or if the system never permits the look-up: then the given
  /// path is unambiguous.
  private static func realPath(_ path: String) throws(SystemError) -> String? {
    while true {
      if let resolved = unsafe realpath(path, nil) {
        // The call has allocated the text, which is copied.
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
      }
      switch errno {
      case EINTR: continue
      case ENOENT, ENOTDIR, EACCES, EPERM: return nil
      default: throw .system()
      }
    }
  }

  /// Renames a file; an existing file of that name is replaced.
  package static func move(_ path: String, to name: String) throws(SystemError) {
    guard uninterrupted({ unsafe rename(path, name) }) == 0 else { throw .system() }
  }

  package static func remove(_ path: String) { _ = uninterrupted { unsafe unlink(path) } }

  // MARK: - Changes: inotify(7), where available

  /// Opens a queue of changes; `nil` if the system has none left, or none at all.
  package static func openChangeQueue() -> Int32? {
    #if canImport(Darwin)
      return nil
    #else
      let descriptor = inotify_init1(Int32(IN_CLOEXEC))
      return descriptor < 0 ? nil : descriptor
    #endif
  }

  /// Watches a file, or a directory and its entries; with `onlyEntries`, only which entries are added and removed. Returns the
  /// number of the watch, `nil` if there is no such file or no watch left.
  package static func watch(_ path: [UInt8], onlyEntries: Bool, on queue: Int32) -> Int32? {
    #if canImport(Darwin)
      return nil
    #else
      var events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      if !onlyEntries { events |= IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE }
      let watch = unsafe inotify_add_watch(queue, systemPath(path), UInt32(events))
      return watch < 0 ? nil : watch
    #endif
  }

  package static func endWatch(_ watch: Int32, on queue: Int32) {
    #if !canImport(Darwin)
      _ = inotify_rm_watch(queue, watch)
    #endif
  }

  /// Parses the bytes of a queue. Each change has the number of the watch that noticed it, negative if changes were lost
  /// because there were too many of them, and the changed entry of a watched directory; empty if the watched file itself
  /// changed.
  ///
  /// A message has a head of four 32-bit numbers in the byte order of the machine, the last of them the length of the name that
  /// follows, which is padded with zeros.
  package static func changes(in bytes: [UInt8]) -> [(watch: Int32, name: [UInt8])] {
    func number(in bytes: ArraySlice<UInt8>) -> UInt32 {
      UInt32(littleEndian: bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }
    var changes: [(watch: Int32, name: [UInt8])] = []
    var rest = bytes[...]
    while rest.count >= 16 {
      let length = Int(number(in: rest.dropFirst(12)))
      let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
      changes.append((Int32(bitPattern: number(in: rest)), Array(name)))
      rest = rest.dropFirst(16 + length)
    }
    return changes
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside `Platform` its own functions hide those of the C library that have the same names.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { unsafe open(path, flags, mode) }
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, bytes.baseAddress, bytes.count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

// File descriptors: open, read, write, wait, close.
extension Platform {
  package static let standardInput = STDIN_FILENO
  package static let standardOutput = STDOUT_FILENO
  package static let standardError = STDERR_FILENO

  package static func open(_ path: String) throws(SystemError) -> Int32 { try open(path, flags: O_RDONLY) }

  /// Opens a file for reading, if there is one at the path.
  package static func openExisting(_ path: String) throws(SystemError) -> Int32? {
    let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC, 0)
    return descriptor < 0 ? try SystemError.throwUnlessMissing() : descriptor
  }

  /// Opens a file for writing; one that is new must not exist yet. The caller closes the descriptor.
  package static func openForWriting(_ path: String, isNew: Bool) throws(SystemError) -> Int32 {
    try open(path, flags: O_WRONLY | (isNew ? O_CREAT | O_EXCL : 0))
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

  /// Reads what is there, and waits for at least one byte. Returns the bytes; none at the end of the input.
  package static func read(from descriptor: Int32, upTo capacity: Int) throws(SystemError) -> [UInt8] {
    while true {
      let (bytes, code) = unsafe fill(capacity) { unsafe systemRead(descriptor, $0) }
      switch code {
      case 0: return bytes
      case EINTR: continue
      case EAGAIN: wait(for: descriptor, events: Int16(POLLIN))
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
    // The count is what the call has written, so no byte is read that was not.
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
    let bytes = ContiguousArray(bytes)
    var written = 0
    while written < bytes.count {
      // The call only reads, and only what the buffer holds.
      let (count, code) = unsafe bytes.withUnsafeBytes { buffer in
        unsafe (systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...])), errno)
      }
      if count >= 0 {
        written += count
      } else if code == EAGAIN {
        wait(for: descriptor, events: Int16(POLLOUT))
      } else if code == EPIPE {
        throw .closed
      } else if code != EINTR {
        throw .system(code)
      }
    }
  }

  /// Writes the bytes of a literal once, as a signal handler may.
  static func writeFromHandler(_ text: StaticString, to descriptor: Int32) {
    // A literal is there for the life of the process.
    _ = unsafe systemWrite(descriptor, UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes one byte once, as a signal handler may.
  static func writeFromHandler(_ byte: UInt8, to descriptor: Int32) {
    // The buffer does not outlive its closure.
    _ = unsafe withUnsafeBytes(of: byte) { unsafe systemWrite(descriptor, $0) }
  }

  private static func wait(for descriptor: Int32, events: Int16) {
    var request = pollfd(fd: descriptor, events: events, revents: 0)
    _ = unsafe poll(&request, 1, -1)
  }

  /// Waits until bytes can be read from one of some file descriptors, or their other end is closed. The timeout is in
  /// milliseconds, `nil` for any time. Returns the descriptors that can be read from, none after the timeout.
  package static func wait(forInputOn descriptors: [Int32], timeout: Int32?) -> [Int32] {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // The count is that of the array.
    while unsafe poll(&requests, nfds_t(requests.count), timeout ?? -1) < 0, errno == EINTR {}
    return requests.filter { $0.revents != 0 }.map(\.fd)
  }
}

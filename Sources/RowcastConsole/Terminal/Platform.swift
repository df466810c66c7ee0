// The one file that knows which C library is underneath. What needs no C is elsewhere.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls that a console needs, without their C types.
package enum Platform {
  /// Where data, or keys, come from.
  package static let standardInput = STDIN_FILENO
  /// Where the list is written.
  package static let standardOutput = STDOUT_FILENO
  /// Where errors and progress are written.
  package static let standardError = STDERR_FILENO

  /// The number of times per second that the system counts the time of processes.
  package static var clockTicks: Int { sysconf(Int32(_SC_CLK_TCK)) }

  /// The size of a page of memory, in bytes.
  package static var pageSize: Int { sysconf(Int32(_SC_PAGESIZE)) }

  /// Ends the process at once, without the clean-up that another thread might be in the middle of.
  package static func exit(_ code: Int32) -> Never { _exit(code) }
}

// Inside `Platform` these functions of the C library are hidden by its own of the same names.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
private func systemRename(_ path: String, _ name: String) -> Int32 { rename(path, name) }

extension OutputError {
  /// What the system says of an error number: that of the last call if no other is given.
  fileprivate static func system(_ code: Int32 = errno) -> OutputError { .failed(String(cString: strerror(code))) }
}

// MARK: - File descriptors

extension Platform {
  /// Opens a file for reading.
  package static func open(_ path: String) throws(OutputError) -> Int32 { try open(path, flags: O_RDONLY) }

  /// Opens the terminal of the process, whatever its standard streams are.
  package static func openControllingTerminal() -> Int32? { try? open("/dev/tty") }

  /// Opens a file for writing.
  ///
  /// - Parameters:
  ///   - path: Of the file.
  ///   - isNew: Whether the file must not exist yet.
  /// - Returns: The descriptor, for the caller to close.
  /// - Throws: ``OutputError/failed(_:)`` with the system's reason.
  static func openForWriting(_ path: String, isNew: Bool) throws(OutputError) -> Int32 {
    try open(path, flags: O_WRONLY | (isNew ? O_CREAT | O_EXCL : 0))
  }

  private static func open(_ path: String, flags: Int32) throws(OutputError) -> Int32 {
    let descriptor = systemOpen(path, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .system() }
    return descriptor
  }

  /// Makes a pipe.
  static func makePipe() throws(OutputError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .system() }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Gives a file descriptor back.
  package static func close(_ descriptor: Int32) { systemClose(descriptor) }

  /// Reads what is there, waiting for at least one byte.
  ///
  /// - Returns: The bytes; none at the end of the input.
  package static func read(from descriptor: Int32, upTo capacity: Int) throws(OutputError) -> [UInt8] {
    while true {
      let (bytes, code) = fill(capacity) { systemRead(descriptor, $0, $1) }
      switch code {
      case 0: return bytes
      case EINTR: continue
      case EAGAIN: wait(for: descriptor, events: Int16(POLLIN))
      default: throw .system(code)
      }
    }
  }

  /// Reads bytes of a regular file, wherever others read it.
  ///
  /// - Parameters:
  ///   - descriptor: The file.
  ///   - offset: The place of the first byte.
  ///   - count: How many bytes are wanted.
  /// - Returns: The bytes; fewer than wanted only at the end of the file.
  /// - Throws: ``OutputError/failed(_:)`` if the file cannot be read.
  static func read(from descriptor: Int32, at offset: Int, upTo count: Int) throws(OutputError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let place = off_t(offset + bytes.count)
      let (part, code) = fill(count - bytes.count) { pread(descriptor, $0, $1, place) }
      if code == EINTR { continue }
      guard code == 0 else { throw .system(code) }
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }

  /// The bytes that a call of the system reads, and its error number; 0 for none.
  private static func fill(
    _ capacity: Int, reading: (UnsafeMutableRawPointer?, Int) -> Int
  ) -> (bytes: [UInt8], code: Int32) {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      let result = reading(buffer.baseAddress, capacity)
      code = result < 0 ? errno : 0
      count = max(0, result)
    }
    return (bytes, code)
  }

  /// Writes bytes until all are written.
  ///
  /// - Throws: ``OutputError`` if the reader is gone or the device fails.
  package static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(OutputError) {
    let bytes = ContiguousArray(bytes)
    var written = 0
    while written < bytes.count {
      let (count, code) = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
        return (systemWrite(descriptor, rest.baseAddress, rest.count), errno)
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

  private static func wait(for descriptor: Int32, events: Int16) {
    var request = pollfd(fd: descriptor, events: events, revents: 0)
    _ = poll(&request, 1, -1)
  }

  /// Waits until bytes can be read from one of some file descriptors, or their other end is gone.
  ///
  /// - Parameters:
  ///   - descriptors: What may be read from.
  ///   - timeout: The longest wait, in milliseconds; `nil` for any time.
  /// - Returns: The descriptors that can be read from; none after the longest wait.
  static func wait(forInputOn descriptors: [Int32], timeout: Int32?) -> [Int32] {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&requests, nfds_t(requests.count), timeout ?? -1) < 0, errno == EINTR {}
    return requests.filter { $0.revents != 0 }.map(\.fd)
  }
}

// MARK: - Files

extension Platform {
  /// What the system knows about an open file.
  static func stamp(of descriptor: Int32) throws(OutputError) -> FileStamp {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system() }
    return FileStamp(status)
  }

  /// What the system knows about a file; `nil` if there is none at the path.
  ///
  /// - Parameters:
  ///   - path: Of the file.
  ///   - followsLinks: Whether a symbolic link stands for what it leads to.
  /// - Returns: The stamp.
  /// - Throws: ``OutputError/failed(_:)`` if the path cannot be looked at.
  package static func stamp(ofPath path: String, followsLinks: Bool = true) throws(OutputError) -> FileStamp? {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) != 0 else { return FileStamp(status) }
    let code = errno
    guard code == ENOENT || code == ENOTDIR else { throw .system(code) }
    return nil
  }

  /// Gives an open file the permissions of another, if that exists.
  static func copyPermissions(ofPath path: String, to descriptor: Int32) {
    var status = stat()
    if stat(path, &status) == 0 { _ = fchmod(descriptor, status.st_mode & 0o777) }
  }

  /// Gives a file another name, in place of the file that may have it.
  static func rename(_ path: String, to name: String) throws(OutputError) {
    guard systemRename(path, name) == 0 else { throw .system() }
  }

  /// Takes a file away.
  static func remove(_ path: String) { _ = unlink(path) }
}

extension FileStamp {
  fileprivate init(_ status: stat) {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    self.init(
      identity: FileIdentity(
        device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino)),
      kind: Self.kind(mode: UInt32(status.st_mode)), size: Int(status.st_size),
      modified: .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec)))
  }

  private static func kind(mode: UInt32) -> Kind {
    switch mode & UInt32(S_IFMT) {
    case UInt32(S_IFREG): .file
    case UInt32(S_IFDIR): .directory
    default: .other
    }
  }
}

// MARK: - Changes of files

extension Platform {
  /// Opens a queue of changes; `nil` if the system has none, or no more of them.
  static func openChangeQueue() -> Int32? {
    #if os(Linux)
      let descriptor = inotify_init1(Int32(IN_CLOEXEC))
      return descriptor < 0 ? nil : descriptor
    #else
      return nil
    #endif
  }

  /// Has the changes of a file, or of a directory and its entries, put into a queue.
  ///
  /// - Parameters:
  ///   - path: Of the file or directory.
  ///   - onlyEntries: Whether only entries matter that come and go.
  ///   - queue: The queue.
  /// - Returns: The number of the watch; `nil` if there is no such file, or no more watches.
  static func watch(_ path: String, onlyEntries: Bool, on queue: Int32) -> Int32? {
    #if os(Linux)
      var events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      if !onlyEntries { events |= IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE }
      let watch = inotify_add_watch(queue, path, UInt32(events))
      return watch < 0 ? nil : watch
    #else
      return nil
    #endif
  }

  /// Ends a watch.
  static func endWatch(_ watch: Int32, on queue: Int32) {
    #if os(Linux)
      _ = inotify_rm_watch(queue, watch)
    #endif
  }
}

// MARK: - Terminals

extension Platform {
  /// Whether a file descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The size that a terminal reports, or `nil` if it reports none.
  package static func terminalSize(_ descriptor: Int32) -> TerminalSize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return TerminalSize(columns: Int(size.ws_col), lines: Int(size.ws_row))
  }

  /// The modes of a terminal, to be restored later.
  package struct TerminalModes {
    fileprivate var value: termios
  }

  /// The modes that a terminal is in.
  package static func modes(of descriptor: Int32) -> TerminalModes? {
    var value = termios()
    return tcgetattr(descriptor, &value) == 0 ? TerminalModes(value: value) : nil
  }

  /// Brings a terminal into given modes.
  package static func setModes(_ modes: TerminalModes, of descriptor: Int32) {
    var value = modes.value
    _ = tcsetattr(descriptor, TCSANOW, &value)
  }

  /// Makes a terminal hand over keys as they are typed, without showing them. Ctrl-C and Ctrl-Z keep their meaning.
  package static func makeImmediate(_ modes: TerminalModes) -> TerminalModes {
    var modes = modes
    modes.value.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &modes.value.c_cc) { controls in
      controls[Int(VMIN)] = 1
      controls[Int(VTIME)] = 0
    }
    return modes
  }
}

// MARK: - Signals

extension ConsoleSignal {
  /// The number of the signal.
  package var number: Int32 {
    switch self {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .hangUp: SIGHUP
    case .resize: SIGWINCH
    case .suspend: SIGTSTP
    case .resume: SIGCONT
    }
  }
}

extension Platform {
  private typealias SignalHandler = @convention(c) (Int32) -> Void

  /// Makes writing into a closed pipe an error instead of a signal.
  package static func ignoreBrokenPipe() { signal(SIGPIPE, SIG_IGN) }

  /// Stops the process until the shell resumes it.
  package static func stopUntilResumed() { _ = kill(getpid(), SIGSTOP) }

  /// The pipe through which the signal handler tells which signals came. Made before the handler is installed.
  private static let signalPipe: (reading: Int32, writing: Int32)? = {
    guard let ends = try? makePipe() else { return nil }
    // A storm of signals must not make the handler wait.
    _ = fcntl(ends.writing, F_SETFL, O_NONBLOCK)
    return ends
  }()

  /// Catches signals from now on, for the rest of the process.
  ///
  /// A signal that the process was started to ignore stays ignored: that is how `nohup` works.
  ///
  /// - Parameters:
  ///   - signals: The signals.
  ///   - always: Those of them that are caught even so: jobs in the background of a script begin with Ctrl-C ignored,
  ///     and a program that has the screen must not outlive it.
  /// - Returns: Where their numbers can be read, a byte each; `nil` if the system has no room for a pipe.
  package static func catchSignals(_ signals: [ConsoleSignal], always: Set<ConsoleSignal>) -> Int32? {
    guard let signalPipe else { return nil }
    for caught in signals {
      let former = signal(caught.number, signalHandler)
      if isToIgnore(former), !always.contains(caught) { signal(caught.number, SIG_IGN) }
    }
    return signalPipe.reading
  }

  private static func isToIgnore(_ handler: SignalHandler?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static let signalHandler: SignalHandler = { number in
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = systemWrite(signalPipe?.writing ?? -1, &byte, 1)
    errno = before
  }

  private static let crashSignals = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
  // What the crash handler reads. All are made before the handler is installed, and never change.
  private static let crashDescriptor: Int32 = isTerminal(standardOutput) ? standardOutput : standardInput
  private static let crashModes = Platform.modes(of: crashDescriptor)
  private static let actionsBefore = crashSignals.map { number in
    var action = sigaction()
    _ = sigaction(number, nil, &action)
    // What the process was started to ignore would leave it running without its screen: it ends then.
    if isToIgnore(signal(number, SIG_DFL)) { _ = sigaction(number, nil, &action) }
    return action
  }

  /// Restores the terminal if the process crashes, so that the message of the crash can be read.
  ///
  /// The handler makes only calls that are safe in a signal handler. It then puts back the action that was there before,
  /// Swift's backtrace for instance, and raises the signal again.
  package static func restoreTerminalOnCrash() {
    _ = (crashModes, actionsBefore)
    for number in crashSignals { signal(number, crashHandler) }
  }

  private static let crashHandler: SignalHandler = { number in
    let restoring = Terminal.restoring
    _ = systemWrite(standardOutput, restoring.utf8Start, restoring.utf8CodeUnitCount)
    if let modes = crashModes { setModes(modes, of: crashDescriptor) }
    for index in crashSignals.indices where crashSignals[index] == number {
      var action = actionsBefore[index]
      _ = sigaction(number, &action, nil)
    }
    _ = raise(number)
  }
}

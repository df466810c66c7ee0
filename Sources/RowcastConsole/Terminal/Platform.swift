// The one file that knows which C library is underneath.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls that a console needs, without their C types.
package enum Platform {
  /// The file descriptors of a process.
  package static let standardInput: Int32 = 0
  /// Where the list is written.
  package static let standardOutput: Int32 = 1
  /// Where errors and progress are written.
  package static let standardError: Int32 = 2

  /// Whether a file descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The size that a terminal reports, or `nil` if it reports none.
  package static func terminalSize(_ descriptor: Int32) -> TerminalSize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return TerminalSize(columns: Int(size.ws_col), lines: Int(size.ws_row))
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
        throw .failed(message(code))
      }
    }
  }

  /// The system call itself.
  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes, count)
    #else
      Glibc.write(descriptor, bytes, count)
    #endif
  }

  /// Reads what is there, waiting for at least one byte.
  ///
  /// - Returns: The bytes; none at the end of the input.
  package static func read(from descriptor: Int32, upTo capacity: Int) throws(OutputError) -> [UInt8] {
    while true {
      var code: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        #if canImport(Darwin)
          let result = Darwin.read(descriptor, buffer.baseAddress, capacity)
        #elseif canImport(Musl)
          let result = Musl.read(descriptor, buffer.baseAddress, capacity)
        #else
          let result = Glibc.read(descriptor, buffer.baseAddress, capacity)
        #endif
        code = result < 0 ? errno : 0
        count = max(0, result)
      }
      switch code {
      case 0: return bytes
      case EINTR: continue
      case EAGAIN: wait(for: descriptor, events: Int16(POLLIN))
      default: throw .failed(message(code))
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

  /// Opens a file for reading.
  package static func open(_ path: String) throws(OutputError) -> Int32 {
    #if canImport(Darwin)
      let descriptor = Darwin.open(path, O_RDONLY | O_CLOEXEC)
    #elseif canImport(Musl)
      let descriptor = Musl.open(path, O_RDONLY | O_CLOEXEC)
    #else
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    #endif
    guard descriptor >= 0 else { throw .failed(message(errno)) }
    return descriptor
  }

  /// Opens the terminal of the process, whatever its standard streams are.
  package static func openControllingTerminal() -> Int32? {
    try? open("/dev/tty")
  }

  /// Makes writing into a closed pipe an error instead of a signal.
  package static func ignoreBrokenPipe() { signal(SIGPIPE, SIG_IGN) }

  /// Ends the process at once, without the clean-up that another thread might be in the middle of.
  package static func exit(_ code: Int32) -> Never { _exit(code) }

  /// The text of an error number.
  private static func message(_ code: Int32) -> String { String(cString: strerror(code)) }
}

// MARK: - Files

extension Platform {
  /// Gives a file descriptor back.
  package static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  /// Makes a pipe.
  static func makePipe() throws(OutputError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .failed(message(errno)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
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
      var code: Int32 = 0
      let missing = count - bytes.count
      let place = off_t(offset + bytes.count)
      let part = [UInt8](unsafeUninitializedCapacity: missing) { buffer, count in
        let result = pread(descriptor, buffer.baseAddress, missing, place)
        code = result < 0 ? errno : 0
        count = max(0, result)
      }
      if code == EINTR { continue }
      guard code == 0 else { throw .failed(message(code)) }
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }

  /// What the system knows about an open file.
  static func stamp(of descriptor: Int32) throws(OutputError) -> FileStamp {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .failed(message(errno)) }
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
    guard code == ENOENT || code == ENOTDIR else { throw .failed(message(code)) }
    return nil
  }

  /// Opens a file for writing.
  ///
  /// - Parameters:
  ///   - path: Of the file.
  ///   - isNew: Whether the file must not exist yet.
  /// - Returns: The descriptor, for the caller to close.
  /// - Throws: ``OutputError/failed(_:)`` with the system's reason.
  static func openForWriting(_ path: String, isNew: Bool) throws(OutputError) -> Int32 {
    let flags = O_WRONLY | O_CLOEXEC | (isNew ? O_CREAT | O_EXCL : 0)
    #if canImport(Darwin)
      let descriptor = Darwin.open(path, flags, 0o666)
    #elseif canImport(Musl)
      let descriptor = Musl.open(path, flags, 0o666)
    #else
      let descriptor = Glibc.open(path, flags, 0o666)
    #endif
    guard descriptor >= 0 else { throw .failed(message(errno)) }
    return descriptor
  }

  /// Gives an open file the permissions of another, if that exists.
  static func copyPermissions(ofPath path: String, to descriptor: Int32) {
    var status = stat()
    if stat(path, &status) == 0 { _ = fchmod(descriptor, status.st_mode & 0o777) }
  }

  /// Gives a file another name, in place of the file that may have it.
  static func rename(_ path: String, to name: String) throws(OutputError) {
    #if canImport(Darwin)
      let result = Darwin.rename(path, name)
    #elseif canImport(Musl)
      let result = Musl.rename(path, name)
    #else
      let result = Glibc.rename(path, name)
    #endif
    guard result == 0 else { throw .failed(message(errno)) }
  }

  /// Takes a file away.
  static func remove(_ path: String) { _ = unlink(path) }

  /// The number of times per second that the system counts the time of processes.
  package static var clockTicks: Int { sysconf(Int32(_SC_CLK_TCK)) }

  /// The size of a page of memory, in bytes.
  package static var pageSize: Int { sysconf(Int32(_SC_PAGESIZE)) }
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

// MARK: - Errors

extension OutputError: CustomStringConvertible {
  /// What is wrong, in the system's words.
  package var description: String {
    switch self {
    case .closed: "nobody reads the output any more"
    case .failed(let reason): reason
    }
  }
}

/// Why output could not be written, or input not be opened or read.
package enum OutputError: Error, Hashable {
  /// Nobody reads the other end any more.
  case closed
  /// The device failed; the text is the system's.
  case failed(String)
}

// MARK: - Terminal modes

extension Platform {
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

/// A signal that a console program handles.
package enum ConsoleSignal: CaseIterable, Hashable, Sendable {
  /// Ctrl-C.
  case interrupt
  /// A request to end.
  case terminate
  /// The terminal went away.
  case hangUp
  /// The terminal has another size.
  case resize
  /// Ctrl-Z.
  case suspend
  /// The shell brought the program back.
  case resume

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
  /// The pipe through which the signal handler tells which signals came. Made before the handler is installed.
  private static let signalPipe: (reader: Int32, writer: Int32)? = {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A storm of signals must not make the handler wait.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
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
    for signal in signals {
      let former = setHandler(signalHandler, for: signal.number)
      if isToIgnore(former), !always.contains(signal) { _ = setHandler(SIG_IGN, for: signal.number) }
    }
    return signalPipe.reader
  }

  private static func isToIgnore(_ handler: SignalHandler?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static let signalHandler: SignalHandler = { number in
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = systemWrite(signalPipe?.writer ?? -1, &byte, 1)
    errno = before
  }

  private typealias SignalHandler = @convention(c) (Int32) -> Void

  private static func setHandler(_ handler: SignalHandler?, for number: Int32) -> SignalHandler? {
    #if canImport(Darwin)
      Darwin.signal(number, handler)
    #elseif canImport(Musl)
      Musl.signal(number, handler)
    #else
      Glibc.signal(number, handler)
    #endif
  }

  /// Stops the process until the shell resumes it.
  package static func stopUntilResumed() { _ = kill(getpid(), SIGSTOP) }

  private static let crashSignals = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
  // What the crash handler reads. All are made before the handler is installed, and never change.
  private static let crashDescriptor: Int32 = isTerminal(standardOutput) ? standardOutput : standardInput
  private static let crashModes = Platform.modes(of: crashDescriptor)
  private static let actionsBefore = crashSignals.map { number in
    var action = sigaction()
    _ = sigaction(number, nil, &action)
    // What the process was started to ignore would leave it running without its screen: it ends then.
    if isToIgnore(setHandler(SIG_DFL, for: number)) { _ = sigaction(number, nil, &action) }
    return action
  }

  /// Restores the terminal if the process crashes, so that the message of the crash can be read.
  ///
  /// The handler makes only calls that are safe in a signal handler. It then puts back the action that was there before,
  /// Swift's backtrace for instance, and raises the signal again.
  package static func restoreTerminalOnCrash() {
    _ = (crashModes, actionsBefore)
    for number in crashSignals { _ = setHandler(crashHandler, for: number) }
  }

  private static let crashHandler: SignalHandler = { number in
    let restoring: StaticString = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    _ = systemWrite(standardOutput, restoring.utf8Start, restoring.utf8CodeUnitCount)
    if let modes = crashModes { setModes(modes, of: crashDescriptor) }
    for index in crashSignals.indices where crashSignals[index] == number {
      var action = actionsBefore[index]
      _ = sigaction(number, &action, nil)
    }
    _ = raise(number)
  }
}

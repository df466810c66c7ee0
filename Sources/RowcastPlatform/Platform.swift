#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system calls that files, terminals and signals need, by topic. Only this target imports the C library; its interface
/// has no C types.
package enum Platform {
  /// The unit of the system's process times: ticks per second.
  package static var clockTicks: Int { sysconf(Int32(_SC_CLK_TCK)) }
  /// The size of a page of memory, in bytes.
  package static var pageSize: Int { sysconf(Int32(_SC_PAGESIZE)) }
  /// Ends the process at once, without the clean-up of `exit`, which other threads could disturb.
  package static func exit(_ code: Int32) -> Never { _exit(code) }
}

/// The reason why a system call failed.
package enum SystemError: Error, Hashable, CustomStringConvertible {
  /// The other end of a pipe is closed.
  case closed
  /// The call failed for this reason, as the system words it.
  case failed(String)

  /// The error of an error number, by default that of the last call.
  static func system(_ code: Int32 = errno) -> SystemError {
    // The C library owns the text, which is copied before another call can change it.
    unsafe .failed(String(cString: strerror(code)))
  }

  /// Returns nil if the last call found no file; throws any other error of it.
  static func throwUnlessMissing<Value>() throws(SystemError) -> Value? {
    let code = errno
    guard code == ENOENT || code == ENOTDIR else { throw .system(code) }
    return nil
  }

  package var description: String {
    switch self {
    case .closed: "the other end of the output is closed"
    case .failed(let reason): reason
    }
  }
}

// Signals: those that a program handles, and those of crashes.
extension Platform {
  private typealias SignalHandler = @convention(c) (Int32) -> Void

  /// The numbers of the signals that a console program handles.
  package static let signals = (
    interrupt: SIGINT, terminate: SIGTERM, hangUp: SIGHUP, resize: SIGWINCH, suspend: SIGTSTP, resume: SIGCONT
  )

  /// Turns writing into a closed pipe from a signal into an error.
  package static func ignoreBrokenPipe() { signal(SIGPIPE, SIG_IGN) }

  /// Asks another process to end, or ends it at once.
  ///
  /// - Throws: ``SystemError/failed(_:)`` if there is none, or it is somebody else's.
  package static func end(process: Int, isForced: Bool) throws(SystemError) {
    if kill(pid_t(truncatingIfNeeded: process), isForced ? SIGKILL : SIGTERM) != 0 { throw .system() }
  }

  /// Sends a signal to this process.
  package static func signalSelf(_ number: Int32) { _ = kill(getpid(), number) }

  /// Stops the process until the shell resumes it.
  package static func stopUntilResumed() { signalSelf(SIGSTOP) }

  /// The pipe to which the handler writes the numbers of signals. Made before the handler is installed.
  private static let signalPipe: (reading: Int32, writing: Int32)? = {
    guard let ends = try? makePipe() else { return nil }
    // A storm of signals must not make the handler wait.
    _ = fcntl(ends.writing, F_SETFL, O_NONBLOCK)
    return ends
  }()

  /// The descriptor from which the numbers of caught signals can be read, a byte each; `nil` if the system has none left.
  package static var caughtSignals: Int32? { signalPipe?.reading }

  /// The action of a signal.
  package struct SignalAction: Sendable {
    fileprivate let number: Int32
    fileprivate var action = sigaction()

    fileprivate init(_ number: Int32) {
      self.number = number
      _ = unsafe sigaction(number, nil, &action)
    }

    /// Restores this action of the signal.
    package func restore() {
      var action = action
      _ = unsafe sigaction(number, &action, nil)
    }
  }

  /// Catches a signal until its former action, which is returned, is restored; does nothing without a pipe.
  ///
  /// A signal that the process was started to ignore stays ignored, as `nohup` expects, unless it is `always` caught: jobs in
  /// the background of a script start with Ctrl-C ignored, and a program on the screen must not survive it.
  package static func catchSignal(_ number: Int32, always: Bool) -> SignalAction {
    let former = SignalAction(number)
    if signalPipe != nil, isSame(signal(number, signalHandler), SIG_IGN), !always { signal(number, SIG_IGN) }
    return former
  }

  private static func isSame(_ handler: SignalHandler?, _ other: SignalHandler?) -> Bool {
    // Both are addresses, perhaps not of functions; they are compared and never called.
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(other, to: Int.self)
  }

  private static let signalHandler: SignalHandler = { number in
    let before = errno
    // The buffer does not outlive its closure.
    _ = unsafe withUnsafeBytes(of: UInt8(truncatingIfNeeded: number)) {
      unsafe systemWrite(signalPipe?.writing ?? -1, $0)
    }
    errno = before
  }

  private static let crashSignals = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
  // The state of the crash handler. All are made before the handler is installed, and never change.
  private static let crashDescriptor: Int32 = isTerminal(standardOutput) ? standardOutput : standardInput
  private static let crashModes = modes(of: crashDescriptor)
  private static let actionsBefore = crashSignals.map { number in
    let action = SignalAction(number)
    // A signal that is ignored would leave the process running without its screen, so it ends the process.
    if isSame(signal(number, SIG_DFL), SIG_IGN) { return SignalAction(number) }
    action.restore()
    return action
  }
  /// Restores the screen if the process calls `exit` while it has the screen, that is, while the crash handler is installed.
  private static let atExit = atexit { if isSame(signal(SIGABRT, SIG_DFL), crashHandler) { restoreTerminal() } }

  /// Restores the terminal if the process crashes or exits, so that the message of the crash can be read.
  ///
  /// The handler makes only calls that are safe in a signal handler. It then restores the former action, Swift's backtrace for
  /// instance, and raises the signal again.
  package static func restoreTerminalOnCrash() {
    _ = (crashModes, actionsBefore, atExit)
    reserveSignalStack()
    for number in crashSignals {
      signal(number, crashHandler)
      var action = SignalAction(number).action
      action.sa_flags |= Int32(SA_ONSTACK)
      _ = unsafe sigaction(number, &action, nil)
    }
  }

  /// Restores the former actions of crashes.
  package static func leaveTerminalOnCrash() { for action in actionsBefore { action.restore() } }

  private static func restoreTerminal() {
    let text = restoringScreen
    // A terminal that does not read must not keep the process.
    var request = pollfd(fd: standardOutput, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&request, 1, 1_000) > 0 else { return }
    // A literal is there for the life of the process.
    _ = unsafe systemWrite(standardOutput, UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    if let modes = crashModes { setModes(modes, of: crashDescriptor) }
  }

  private static let crashHandler: SignalHandler = { number in
    restoreTerminal()
    for before in actionsBefore where before.number == number { before.restore() }
    // Swift's backtrace comes back from a quit that somebody asked for, and the program would go on without its screen.
    if number == SIGQUIT { signal(number, SIG_DFL) }
    _ = raise(number)
  }

  // MARK: - Overflows of a stack

  /// Enough for any handler, Swift's backtrace included.
  private static let signalStackSize = 65_536

  /// The key of a thread's signal stack.
  private static let signalStack: pthread_key_t = {
    var key = pthread_key_t()
    // The stack, which was allocated below, has no user after the end of its thread.
    _ = unsafe pthread_key_create(&key) { unsafe releaseSignalStack($0) }
    return key
  }()

  private static func releaseSignalStack(_ memory: UnsafeMutableRawPointer?) {
    var none = unsafe stack_t()
    unsafe none.ss_flags = Int32(SS_DISABLE)
    _ = unsafe sigaltstack(&none, nil)
    unsafe free(memory)
  }

  /// Gives the thread a signal stack, on which the crash handler runs when the thread's own stack has overflowed.
  package static func reserveSignalStack() {
    guard unsafe pthread_getspecific(signalStack) == nil, let memory = unsafe malloc(signalStackSize) else { return }
    // The memory is the thread's until it ends.
    _ = unsafe pthread_setspecific(signalStack, memory)
    var stack = unsafe stack_t()
    unsafe stack.ss_sp = memory
    unsafe stack.ss_size = signalStackSize
    _ = unsafe sigaltstack(&stack, nil)
  }

  // MARK: - Terminals

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The size that a terminal reports, in character cells, or `nil` if it reports none.
  package static func terminalSize(_ descriptor: Int32) -> (columns: Int, lines: Int)? {
    var size = winsize()
    // The request fills a value of this type.
    let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    guard result == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The modes of a terminal, to be restored later.
  package struct TerminalModes: Sendable {
    fileprivate var value: termios
  }

  package static func modes(of descriptor: Int32) -> TerminalModes? {
    var value = termios()
    return unsafe tcgetattr(descriptor, &value) == 0 ? TerminalModes(value: value) : nil
  }

  package static func setModes(_ modes: TerminalModes, of descriptor: Int32) {
    var value = modes.value
    _ = unsafe tcsetattr(descriptor, TCSANOW, &value)
  }

  /// The modes in which keys arrive at once and without echo. Ctrl-C and Ctrl-Z keep their meaning; Ctrl-S does not stop the
  /// output, nor does Ctrl-V quote the next key.
  package static func immediate(_ modes: TerminalModes) -> TerminalModes {
    var modes = modes
    modes.value.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    modes.value.c_iflag &= ~tcflag_t(IXON)
    // The control characters are a tuple in Swift; both indexes are constants of the system.
    unsafe withUnsafeMutableBytes(of: &modes.value.c_cc) { controls in
      unsafe controls[Int(VMIN)] = 1
      unsafe controls[Int(VTIME)] = 0
    }
    return modes
  }

  /// The sequence that restores the screen. Computed, so that a crash handler can read it at any time.
  package static var restoringScreen: StaticString {
    "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?1049l"
  }
}

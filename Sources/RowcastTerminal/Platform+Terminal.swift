#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

package import RowcastPlatform

/// The C function; `Platform` has another function of this name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

// Signals: those that a program handles, and those of crashes.
extension Platform {
  fileprivate typealias SignalHandler = @convention(c) (Int32) -> Void
  fileprivate typealias ExtendedSignalHandler =
    @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

  /// Turns writing into a closed pipe from a signal into an error.
  package static func ignoreBrokenPipe() { signal(SIGPIPE, SIG_IGN) }

  /// Asks another process to end, or ends it at once.
  ///
  /// - Throws: ``SystemError/failed(_:)`` if there is no such process, or it belongs to somebody else.
  package static func end(process: Int, isForced: Bool) throws(SystemError) {
    if kill(pid_t(truncatingIfNeeded: process), isForced ? SIGKILL : SIGTERM) != 0 { throw .system() }
  }

  /// Sends a signal to this process.
  package static func signalSelf(_ number: Int32) { _ = kill(getpid(), number) }

  /// Stops the process until the shell resumes it.
  package static func stopUntilResumed() { _ = raise(SIGSTOP) }

  /// True if the job of this process is in the background of a terminal. Safe in a signal handler.
  package static func isInBackground(of terminal: Int32) -> Bool {
    let foreground = tcgetpgrp(terminal)
    // It is 0 where the job in the foreground is outside of a container.
    return foreground > 0 && foreground != getpgrp()
  }

  /// Stops the job of this process, as the system does with one that changes the terminal from the background, until the shell
  /// resumes it; not if it is in the foreground by now.
  ///
  /// - Throws: ``SystemError`` if there is no shell that could resume it.
  package static func stopJob(inBackgroundOf terminal: Int32) throws(SystemError) {
    guard getsid(getppid()) == getsid(0) else {
      throw .failed("another program has the terminal, and there is no shell that could give it back")
    }
    guard SignalAction(SIGTTOU).isDefault else { return stopUntilResumed() }
    // The other processes of the job. This process is stopped by a signal to its thread, which then does not run on for a
    // moment: it could ask for another stop, which would happen after the process was resumed.
    signal(SIGTTOU, SIG_IGN)
    if isInBackground(of: terminal) { _ = kill(0, SIGTTOU) }
    signal(SIGTTOU, SIG_DFL)
    unblocking(SIGTTOU) { if isInBackground(of: terminal) { _ = raise(SIGTTOU) } }
  }

  /// Makes a call in which the thread can be stopped by a signal. The threads of tasks block such signals.
  private static func unblocking<Result>(_ number: Int32, _ call: () -> Result) -> Result {
    var (signals, former) = (sigset_t(), sigset_t())
    // The calls fill and read values of these types.
    _ = unsafe sigemptyset(&signals)
    _ = unsafe sigaddset(&signals, number)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &former)
    defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    return call()
  }

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

    /// Writes the signal into the pipe. No other signal interrupts that: of several that arrive together, as when a stopped
    /// process is resumed, the handler gets those that end the process first, as their numbers are lower.
    fileprivate init(handling number: Int32) {
      self.number = number
      #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler = signalHandler
      #elseif canImport(Glibc)
        unsafe action.__sigaction_handler.sa_handler = signalHandler
      #else
        unsafe action.__sa_handler.sa_handler = signalHandler
      #endif
      _ = unsafe sigfillset(&action.sa_mask)
      action.sa_flags = Int32(SA_RESTART)
    }

    /// Calls the crash handler, which ends some modes of the screen. The mask of signals that are blocked during the handler
    /// encodes the modes, and the handler can read it at any time: the signals used for that do not matter to it.
    fileprivate init(catching number: Int32, ending screenModes: Int = 0) {
      self.number = number
      #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_sigaction = crashHandler
      #elseif canImport(Glibc)
        unsafe action.__sigaction_handler.sa_sigaction = crashHandler
      #else
        unsafe action.__sa_handler.sa_sigaction = crashHandler
      #endif
      action.sa_flags = Int32(SA_SIGINFO) | Int32(SA_RESTART) | Int32(SA_ONSTACK)
      for bit in 0..<modeCount where screenModes & 1 << bit != 0 {
        _ = unsafe sigaddset(&action.sa_mask, marker(ofMode: bit))
      }
    }

    /// The modes that the crash handler ends.
    fileprivate var screenModes: Int {
      var (modes, mask) = (0, action.sa_mask)
      for bit in 0..<modeCount where unsafe sigismember(&mask, marker(ofMode: bit)) == 1 { modes |= 1 << bit }
      return modes
    }

    /// True if the system decides what the signal does.
    fileprivate var isDefault: Bool { isSame(handler, SIG_DFL) }
    /// True if nothing happens.
    fileprivate var isIgnored: Bool { isSame(handler, SIG_IGN) }
    /// True if the crash handler is called.
    fileprivate var restoresTerminal: Bool { isSame(handler, SignalAction(catching: number).handler) }

    private var handler: SignalHandler? {
      #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler
      #elseif canImport(Glibc)
        unsafe action.__sigaction_handler.sa_handler
      #else
        unsafe action.__sa_handler.sa_handler
      #endif
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
    if signalPipe != nil, always || !former.isIgnored { SignalAction(handling: number).restore() }
    return former
  }

  fileprivate static func isSame(_ handler: SignalHandler?, _ other: SignalHandler?) -> Bool {
    // Both are addresses, perhaps not of functions; they are compared and never called.
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(other, to: Int.self)
  }

  fileprivate static let signalHandler: SignalHandler = { number in
    let before = errno
    // The buffer does not outlive its closure.
    _ = unsafe withUnsafeBytes(of: UInt8(truncatingIfNeeded: number)) {
      unsafe systemWrite(signalPipe?.writing ?? -1, $0)
    }
    errno = before
  }

  private static let crashSignals = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
  /// All other signals that end the process unless it handles them, including real-time signals.
  private static let endingSignals: [Int32] = {
    var others = [SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGWINCH]
    #if canImport(Darwin)
      others += [SIGIO, SIGINFO]
      let last: Int32 = 31
    #else
      let last: Int32 = 64
    #endif
    return (1...last).filter { !others.contains($0) && !crashSignals.contains($0) }
  }()
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
  /// Restores the screen if the process calls `exit` while it has the screen.
  private static let atExit = atexit { if hasScreen { restoreTerminal() } }
  /// True while the process has the screen, that is, while the crash handler is installed.
  private static var hasScreen: Bool { SignalAction(SIGABRT).restoresTerminal }

  /// Restores the terminal if the process crashes or exits, so that the message of the crash can be read, and if an unhandled
  /// signal ends it.
  ///
  /// The handler makes only calls that are safe in a signal handler. It then restores the former action, Swift's backtrace for
  /// instance, and raises the signal again.
  ///
  /// - Parameter screenModes: The modes of ``ends(ofScreenModes:)`` that are ended then, besides those of every screen. Another call changes
  ///   them.
  package static func restoreTerminalOnCrash(ending screenModes: Int) {
    _ = (crashModes, actionsBefore, atExit)
    reserveSignalStack()
    for number in crashSignals { SignalAction(catching: number, ending: screenModes).restore() }
    for number in endingSignals where SignalAction(number).isDefault { SignalAction(catching: number).restore() }
  }

  /// Restores the former actions of crashes and other ends.
  package static func leaveTerminalOnCrash() {
    for action in actionsBefore { action.restore() }
    for number in endingSignals where SignalAction(number).restoresTerminal { signal(number, SIG_DFL) }
  }

  /// Writes a literal, which exists for the life of the process. Returns false if the terminal does not read: it must not
  /// block the process.
  private static func write(_ text: StaticString) -> Bool {
    var request = pollfd(fd: standardOutput, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&request, 1, 1_000) > 0 else { return false }
    _ = unsafe systemWrite(standardOutput, UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    return true
  }

  private static func restoreTerminal() {
    let screenModes = SignalAction(SIGABRT).screenModes
    for bit in 0..<modeCount where screenModes & 1 << bit != 0 {
      guard write(end(ofMode: bit)) else { return }
    }
    guard write(restoringScreen) else { return }
    // If the process is in the background of the terminal, the modes belong to the shell.
    if let modes = crashModes, !isInBackground(of: crashDescriptor) { setModes(modes, of: crashDescriptor) }
  }

  fileprivate static let crashHandler: ExtendedSignalHandler = { number, information, _ in
    if hasScreen { restoreTerminal() }
    signal(number, SIG_DFL)
    // Swift's backtrace returns from a signal that was sent, and the program would continue without its screen.
    if unsafe isCrash(number, information) {
      for before in actionsBefore where before.number == number { before.restore() }
    }
    _ = raise(number)
  }

  /// True if the process itself is the cause of a signal.
  private static func isCrash(_ number: Int32, _ information: UnsafeMutablePointer<siginfo_t>?) -> Bool {
    // The system provides the information, which is valid until the handler returns.
    guard number != SIGQUIT, let information = unsafe information?.pointee else { return false }
    #if canImport(Darwin)
      return unsafe information.si_code != SI_USER || information.si_pid == getpid()
    #elseif canImport(Glibc)
      // Signals that processes send have no positive code.
      if unsafe information.si_code > 0 { return true }
      return unsafe number == SIGABRT && information._sifields._kill.si_pid == getpid()
    #else
      return unsafe information.si_code > 0 || number == SIGABRT
    #endif
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

  /// Changes the modes of a terminal. If the process is in its background by now, the system stops it until it is in the
  /// foreground.
  package static func setModes(_ modes: TerminalModes, of descriptor: Int32) {
    var value = modes.value
    unblocking(SIGTTOU) { _ = unsafe tcsetattr(descriptor, TCSANOW, &value) }
  }

  /// Discards the unread input of a terminal.
  package static func discardInput(of descriptor: Int32) { _ = tcflush(descriptor, TCIFLUSH) }

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

  /// The signal that the system sends for a control character which is typed at a terminal; `nil` for none.
  package static func keySignal(ofControlCharacter byte: UInt8, at descriptor: Int32) -> Int32? {
    guard var modes = modes(of: descriptor), modes.value.c_lflag & tcflag_t(ISIG) != 0 else { return nil }
    // The control characters are a tuple in Swift; the indexes are constants of the system.
    return unsafe withUnsafeMutableBytes(of: &modes.value.c_cc) { controls in
      for (index, number) in [(VINTR, SIGINT), (VQUIT, SIGQUIT), (VSUSP, SIGTSTP)] {
        if unsafe controls[Int(index)] == byte { return number }
      }
      return nil
    }
  }

  /// Sends a signal to the job that the process is in, as the system does for a key.
  package static func signalJob(_ number: Int32) { _ = kill(0, number) }

  /// The sequences that switch off modes of the screen that only some terminals have, a bit for each. Each end of a program switches
  /// off the modes that it has switched on, and no others.
  package static func ends(ofScreenModes modes: Int) -> [StaticString] {
    (0..<modeCount).filter { modes & 1 << $0 != 0 }.map(end(ofMode:))
  }

  private static let modeCount = 5

  /// The sequence that switches a mode off, by its bit. Computed, so that a crash handler can read it at any time.
  private static func end(ofMode bit: Int) -> StaticString {
    switch bit {
    case 0: "\u{1B}[?2026l"
    case 1: "\u{1B}[?2027l"
    case 2: "\u{1B}[?2031l"
    case 3: "\u{1B}[?2048l"
    default: "\u{1B}[<u"
    }
  }

  /// A signal that represents a mode, by its bit.
  private static func marker(ofMode bit: Int) -> Int32 {
    switch bit {
    case 0: SIGCHLD
    case 1: SIGURG
    case 2: SIGWINCH
    case 3: SIGIO
    default: SIGCONT
    }
  }

  /// The sequence that restores the screen. Computed, so that a crash handler can read it at any time.
  package static var restoringScreen: StaticString {
    "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?1049l"
  }
}

/// A signal that a console program handles.
package enum ConsoleSignal: CaseIterable, Hashable, Sendable {
  /// Ctrl-C.
  case interrupt
  /// A request to end.
  case terminate
  /// The terminal was closed.
  case hangUp
  /// The terminal has another size.
  case resize
  /// Ctrl-Z.
  case suspend
  /// The shell brought the program back.
  case resume

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

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Signals: those that a program handles, and those of a crash.
extension Platform {
  private typealias SignalHandler = @convention(c) (Int32) -> Void

  /// The numbers of the signals that a console program handles.
  package enum SignalNumber {
    package static let interrupt = SIGINT
    package static let terminate = SIGTERM
    package static let hangUp = SIGHUP
    package static let resize = SIGWINCH
    package static let suspend = SIGTSTP
    package static let resume = SIGCONT
  }

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

  /// Where the numbers of the signals that came can be read, a byte each; `nil` if the system has no room for a pipe.
  package static var caughtSignals: Int32? { signalPipe?.reading }

  /// What there is for a signal.
  package struct SignalAction: Sendable {
    fileprivate let number: Int32
    fileprivate var action = sigaction()

    fileprivate init(_ number: Int32) {
      self.number = number
      _ = unsafe sigaction(number, nil, &action)
    }

    /// Has the signal do this again.
    package func restore() {
      var action = action
      _ = unsafe sigaction(number, &action, nil)
    }
  }

  /// Catches a signal until what there was for it, which is returned, is restored; does nothing without a pipe.
  ///
  /// A signal that the process was started to ignore stays ignored, unless it is `always` caught: that is how `nohup` works.
  /// Jobs in the background of a script begin with Ctrl-C ignored, and a program that has the screen must not outlive it.
  package static func catchSignal(_ number: Int32, always: Bool) -> SignalAction {
    let former = SignalAction(number)
    if signalPipe != nil, isSame(signal(number, signalHandler), SIG_IGN), !always { signal(number, SIG_IGN) }
    return former
  }

  private static func isSame(_ handler: SignalHandler?, _ other: SignalHandler?) -> Bool {
    // Both are addresses, which may be those of no function; they are compared and never called.
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(other, to: Int.self)
  }

  private static let signalHandler: SignalHandler = { number in
    let before = errno
    writeFromHandler(UInt8(truncatingIfNeeded: number), to: signalPipe?.writing ?? -1)
    errno = before
  }

  private static let crashSignals = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
  // What the crash handler reads. All are made before the handler is installed, and never change.
  private static let crashDescriptor: Int32 = isTerminal(standardOutput) ? standardOutput : standardInput
  private static let crashModes = modes(of: crashDescriptor)
  private static let actionsBefore = crashSignals.map { number in
    let action = SignalAction(number)
    // What the process was started to ignore would leave it running without its screen: it ends then.
    if isSame(signal(number, SIG_DFL), SIG_IGN) { return SignalAction(number) }
    action.restore()
    return action
  }
  /// Gives the screen back if the process calls `exit` while it has the screen: the handler of crashes tells.
  private static let atExit = atexit { if isSame(signal(SIGABRT, SIG_DFL), crashHandler) { restoreTerminal() } }

  /// Restores the terminal if the process crashes or exits, so that the message of the crash can be read.
  ///
  /// The handler makes only calls that are safe in a signal handler. It then puts back the action that was there before,
  /// Swift's backtrace for instance, and raises the signal again.
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

  /// Puts back what there was for crashes: the screen is the process's own again.
  package static func leaveTerminalOnCrash() { for action in actionsBefore { action.restore() } }

  private static func restoreTerminal() {
    writeFromHandler(restoringScreen, to: standardOutput)
    if let modes = crashModes { setModes(modes, of: crashDescriptor) }
  }

  private static let crashHandler: SignalHandler = { number in
    restoreTerminal()
    for before in actionsBefore where before.number == number { before.restore() }
    _ = raise(number)
  }

  // MARK: - Overflows of a stack

  /// More than any handler needs, Swift's backtrace included.
  private static let signalStackSize = 65_536

  /// The key of a thread's own stack for signals.
  private static let signalStack: pthread_key_t = {
    var key = pthread_key_t()
    // The thread ends: it has no other use for its stack, which was allocated below.
    _ = unsafe pthread_key_create(&key) { unsafe releaseSignalStack($0) }
    return key
  }()

  private static func releaseSignalStack(_ memory: UnsafeMutableRawPointer?) {
    var none = unsafe stack_t()
    unsafe none.ss_flags = Int32(SS_DISABLE)
    _ = unsafe sigaltstack(&none, nil)
    unsafe free(memory)
  }

  /// Gives the thread a stack for signals: the handler of a crash has no other where the thread's own has overflowed.
  package static func reserveSignalStack() {
    guard unsafe pthread_getspecific(signalStack) == nil, let memory = unsafe malloc(signalStackSize) else { return }
    // The memory is the thread's until it ends.
    _ = unsafe pthread_setspecific(signalStack, memory)
    var stack = unsafe stack_t()
    unsafe stack.ss_sp = memory
    unsafe stack.ss_size = signalStackSize
    _ = unsafe sigaltstack(&stack, nil)
  }
}

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

  /// What there was for signals before they were caught.
  package struct CaughtSignals: Sendable {
    /// Where the numbers of the signals that came can be read, a byte each.
    package let descriptor: Int32
    fileprivate let former: FormerActions

    /// Puts back what was there before.
    package func release() { Platform.restore(former) }
  }

  fileprivate typealias FormerActions = [(number: Int32, action: sigaction)]

  private static func restore(_ former: some Sequence<(number: Int32, action: sigaction)>) {
    for (number, action) in former {
      var action = action
      _ = unsafe sigaction(number, &action, nil)
    }
  }

  /// Catches signals until they are released; `nil` if the system has no room for a pipe.
  ///
  /// A signal that the process was started to ignore stays ignored: that is how `nohup` works. Some are caught even so: jobs in
  /// the background of a script begin with Ctrl-C ignored, and a program that has the screen must not outlive it.
  package static func catchSignals(_ signals: [Int32], always: Set<Int32>) -> CaughtSignals? {
    guard let signalPipe else { return nil }
    let former = signals.map { number in
      var action = sigaction()
      _ = unsafe sigaction(number, nil, &action)
      if isToIgnore(signal(number, signalHandler)), !always.contains(number) { signal(number, SIG_IGN) }
      return (number, action)
    }
    return CaughtSignals(descriptor: signalPipe.reading, former: former)
  }

  private static func isToIgnore(_ handler: SignalHandler?) -> Bool {
    // Both are addresses, of which one is no function; they are compared and never called.
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
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
    var action = sigaction()
    _ = unsafe sigaction(number, nil, &action)
    // What the process was started to ignore would leave it running without its screen: it ends then.
    if isToIgnore(signal(number, SIG_DFL)) { _ = unsafe sigaction(number, nil, &action) }
    return (number: number, action: action)
  }

  /// Restores the terminal if the process crashes, so that the message of the crash can be read.
  ///
  /// The handler makes only calls that are safe in a signal handler. It then puts back the action that was there before,
  /// Swift's backtrace for instance, and raises the signal again.
  package static func restoreTerminalOnCrash() {
    _ = (crashModes, actionsBefore)
    for number in crashSignals { signal(number, crashHandler) }
  }

  /// Puts back what there was for crashes: the screen is the process's own again.
  package static func leaveTerminalOnCrash() { restore(actionsBefore) }

  private static let crashHandler: SignalHandler = { number in
    writeFromHandler(restoringScreen, to: standardOutput)
    if let modes = crashModes { setModes(modes, of: crashDescriptor) }
    for (caught, action) in actionsBefore where caught == number {
      var action = action
      _ = unsafe sigaction(number, &action, nil)
    }
    _ = raise(number)
  }
}

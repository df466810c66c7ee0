#if canImport(RowcastPlatform)
  import RowcastPlatform

  /// A signal that a console program handles.
  public enum ConsoleSignal: CaseIterable, Hashable, Sendable {
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

    package var number: Int32 {
      switch self {
      case .interrupt: Platform.SignalNumber.interrupt
      case .terminate: Platform.SignalNumber.terminate
      case .hangUp: Platform.SignalNumber.hangUp
      case .resize: Platform.SignalNumber.resize
      case .suspend: Platform.SignalNumber.suspend
      case .resume: Platform.SignalNumber.resume
      }
    }
  }

  /// The signals that arrive at the process, as an asynchronous sequence.
  ///
  /// From the moment the watcher is made no watched signal is lost or has its default action: a handler writes each into a
  /// pipe. (A dispatch source starts to listen some time after it was told to.) Signals that came before are not seen. Several
  /// watchers of a signal each get it.
  public struct SignalWatcher: AsyncSequence, Sendable {
    private let number: Int
    private let signals: AsyncStream<ConsoleSignal>

    /// Starts to watch. Their own actions are off until ``release()``.
    ///
    /// - Parameters:
    ///   - watched: The signals. One that the process was started to ignore stays ignored.
    ///   - always: Those of them that are watched even so.
    public init(_ watched: [ConsoleSignal], always: Set<ConsoleSignal> = []) {
      let (signals, send) = AsyncStream.makeStream(of: ConsoleSignal.self)
      self.signals = signals
      number = SignalHub.watch(Set(watched), always: always, send)
    }

    /// Stops to watch: the sequence ends. Signals that no other watcher watches have the actions again that they had before.
    public func release() { SignalHub.release(number) }

    /// Waits for signals.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var signals: AsyncStream<ConsoleSignal>.AsyncIterator

      /// The next signal; `nil` after the end.
      public mutating func next() async throws -> ConsoleSignal? { await signals.next() }
    }

    /// Starts to wait.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(signals: signals.makeAsyncIterator()) }
  }
#endif

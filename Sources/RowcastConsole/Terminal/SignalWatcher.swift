#if canImport(RowcastPlatform)
  import RowcastPlatform
  import RowcastSources

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
  /// pipe, and this reads the pipe. (A dispatch source starts to listen some time after it was told to.)
  public struct SignalWatcher: AsyncSequence, Sendable {
    private let caught: Platform.CaughtSignals?

    /// Starts to watch. Their own actions are off until ``release()``.
    ///
    /// - Parameters:
    ///   - watched: The signals. One that the process was started to ignore stays ignored.
    ///   - always: Those of them that are watched even so.
    public init(_ watched: [ConsoleSignal], always: Set<ConsoleSignal> = []) {
      caught = Platform.catchSignals(watched.map(\.number), always: Set(always.map(\.number)))
    }

    /// Gives the signals back the actions that they had when the watcher was made. No more of them arrive here.
    public func release() { caught?.release() }

    /// Waits for signals.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var bytes: InputBytes.AsyncIterator?

      /// The next signal.
      public mutating func next() async throws -> ConsoleSignal? {
        while let byte = try await bytes?.next()?.first {
          if let signal = ConsoleSignal.allCases.first(where: { $0.number == Int32(byte) }) { return signal }
        }
        return nil
      }
    }

    /// Starts to wait.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(bytes: caught.map { InputBytes(descriptor: $0.descriptor, capacity: 1).makeAsyncIterator() })
    }
  }
#endif

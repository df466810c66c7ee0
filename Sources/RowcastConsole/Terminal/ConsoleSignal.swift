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
#endif

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
      case .interrupt: Platform.signals.interrupt
      case .terminate: Platform.signals.terminate
      case .hangUp: Platform.signals.hangUp
      case .resize: Platform.signals.resize
      case .suspend: Platform.signals.suspend
      case .resume: Platform.signals.resume
      }
    }
  }
#endif

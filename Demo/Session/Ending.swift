import RowcastConsole

/// Why a session ended.
enum Ending: Equatable {
  /// The sources are over and everything was shown.
  case finished
  /// As many updates as were asked for have been shown.
  case limitReached
  /// The person pressed `q`.
  case quit
  /// The other end of the output is closed.
  case outputClosed
  /// A signal asked for the end.
  case signalled(ConsoleSignal)
  /// The table refused an update.
  case refused(String)
  /// A source failed, or the output could not be written.
  case failed(String)

  var exitCode: Int32 {
    switch self {
    case .finished, .limitReached, .quit, .outputClosed: 0
    case .signalled(let signal): 128 + signal.number
    case .refused: 3
    case .failed: 1
    }
  }

  /// What there is to say about it.
  var reason: String? {
    switch self {
    case .refused(let reason), .failed(let reason): reason
    default: nil
    }
  }
}

extension Ending {
  /// The ending of an app that was not stopped by an error.
  init(_ ending: ConsoleEnding) {
    self =
      switch ending {
      case .finished: .finished
      case .limitReached: .limitReached
      case .quit: .quit
      case .outputClosed: .outputClosed
      case .signalled(let signal): .signalled(signal)
      }
  }
}

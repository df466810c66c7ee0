import Rowcast
import RowcastConsole
import RowcastPlatform

extension Session {
  /// Does what a signal says.
  func handle(_ signal: ConsoleSignal) {
    switch signal {
    case .interrupt, .terminate, .hangUp:
      end(.signalled(signal))
    case .suspend:
      isSuspended = true
      screen?.leave()
      Platform.stopUntilResumed()
    case .resume:
      guard let screen else { return }
      // Also after a stop that could not be caught: whoever had the terminal meanwhile may have changed it.
      isSuspended = false
      reportingFailure { try screen.enter() }
      wantFrame()
    case .resize:
      // However many of these arrive, the frame rate holds.
      screen?.measure()
      wantFrame()
    }
  }
}

import Rowcast
import RowcastConsole

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
      guard let screen, isSuspended else { return }
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

import Rowcast
import RowcastConsole
import RowcastPlatform

extension Session {
  /// Takes notice of how the sources are doing: on the screen, or with a line in the log.
  func handle(_ reports: [ScreenStatus.Source]) {
    let news = reports.filter { !sources.contains($0) }
    sources = reports
    if let screen {
      screen.status.sources = reports
      wantFrame()
    } else if writesLog {
      let text = news.map { "! source \("\($0)".fitted(columns: 1_000))\n" }.joined()
      reportingFailure { try Platform.write(text.utf8, to: Platform.standardOutput) }
    }
  }
}

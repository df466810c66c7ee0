import Rowcast
import RowcastConsole

extension Session {
  /// Takes notice of how the sources are doing: on the screen, or with a line in the log.
  func handle(_ reports: [SourceReport]) {
    let news = reports.filter { !sources.contains($0) && $0.state != .waiting }
    sources = reports
    if let screen {
      screen.status.sources = reports
      wantFrame()
    } else if writesLog {
      let text = news.map { "! \($0.words.fitted(columns: 1_000))\n" }.joined()
      reportingFailure { try Platform.write(text.utf8, to: Platform.standardOutput) }
    }
  }
}

extension SourceReport {
  /// The report as a line of a log has it, not yet neutralised.
  fileprivate var words: String { "source \(name) \(state.rawValue)" + (detail.map { ": \($0)" } ?? "") }
}

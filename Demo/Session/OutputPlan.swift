import RowcastConsole
import RowcastPlatform
import RowcastSources

/// How and where a session shows its list, as decided by options, environment and terminal.
struct OutputPlan {
  var mode: Options.Mode
  var title: String
  /// Whether there is a person with a keyboard.
  var hasKeys = false
  var environment: [String: String]
  /// Takes what is written, unless it is drawn.
  var write: @Sendable ([UInt8]) throws -> Void = { try Platform.write($0, to: Platform.standardOutput) }

  init(_ options: Options, scenario: Scenario, environment: [String: String]) {
    self.environment = environment
    title = "rowcast \(scenario.rawValue)"
    let isScreen = Platform.isTerminal(Platform.standardOutput) && environment["TERM"] != "dumb"
    mode = options.mode ?? (isScreen ? .tty : .log)
    guard mode == .tty else { return }
    // Also where the keys cannot be read: then the app says why.
    do { hasKeys = try OpenFile.keys() != nil } catch { hasKeys = true }
  }

  /// Whether a line of the terminal is free to show progress: standard error is a terminal, and the list is not
  /// shown there.
  var showsProgress: Bool {
    mode != .tty && !Platform.isTerminal(Platform.standardOutput) && Diagnostics.hasTerminal(environment)
  }
}

/// When to use colour.
public enum ColorPolicy: String, CaseIterable, Sendable {
  /// On a terminal that can show it, unless the environment says otherwise.
  case auto
  /// Always.
  case always
  /// Never.
  case never

  /// Whether to use colour: a flag decides, then `NO_COLOR`, then `CLICOLOR_FORCE`, then the terminal.
  public func isOn(isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if let value = environment["NO_COLOR"], !value.isEmpty { return false }
      if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
      return isTerminal && environment["TERM"] != "dumb"
    }
  }
}

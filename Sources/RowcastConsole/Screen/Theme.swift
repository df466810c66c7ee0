/// The colours of styles.
///
/// Colours are the sixteen of the terminal's own palette, as the person has chosen it.
public enum Theme: String, CaseIterable, Sendable {
  /// Neither colour nor any other emphasis.
  case plain
  /// For light text on a dark ground.
  case dark
  /// For dark text on a light ground.
  case light

  /// The theme that fits a terminal.
  ///
  /// - Parameters:
  ///   - usesColor: False for ``plain``.
  ///   - environment: `COLORFGBG`, which some terminals set, indicates a light ground; the default is a dark one.
  /// - Returns: The theme, ``plain`` without colour.
  public static func resolved(usesColor: Bool, environment: [String: String]) -> Theme {
    guard usesColor else { return .plain }
    let ground = environment["COLORFGBG"]?.split(separator: ";").last.flatMap { Int($0) }
    return ground == 7 || ground == 15 ? .light : .dark
  }

  /// The parameters of the control sequence for a style; `nil` for none.
  func parameters(of style: TextStyle) -> String? {
    switch (self, style) {
    case (.plain, _), (_, .plain): nil
    case (_, .strong): "1"
    case (_, .faint): "2"
    case (_, .inserted): "32"
    case (_, .deleted): "2;31"
    case (_, .alarming): "1;31"
    case (_, .focused): "7"
    // Yellow and cyan cannot be read on a light ground.
    case (.dark, .updated): "33"
    case (.dark, .moved): "36"
    case (.light, .updated): "35"
    case (.light, .moved): "34"
    }
  }

  /// A line with the sequences of its styles; each span ends its own style.
  func paint(_ line: StyledLine) -> String {
    line.spans.map { span in
      parameters(of: span.style).map { "\u{1B}[\($0)m\(span.text)\u{1B}[0m" } ?? span.text
    }
    .joined()
  }
}

/// When to use colour.
public enum ColorPolicy: String, CaseIterable, Sendable {
  /// On a terminal that can show it, unless the environment says otherwise.
  case auto
  /// Always.
  case always
  /// Never.
  case never

  /// Decides by this policy, then `NO_COLOR`, then `CLICOLOR_FORCE`, then the terminal.
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

extension Options {
  /// What is shown.
  var shown: Scenario { scenario.flatMap(Scenario.init) ?? .feed }

  /// Why an option has no effect on what is asked for, and where it has one; `nil` if it has an effect.
  func refusal(of flag: Flag) -> String? {
    if [.help, .version, .list].contains(flag) { return nil }
    if serves { return refusalInBrowsers(of: flag) ?? refusal(of: flag, by: shown) }
    if shown == .bench, ![.json, .filter].contains(flag) {
      return "bench measures and shows no list, so \(flag.rawValue) has no meaning"
    }
    if shown == .replay, html != nil, ![.html, .rows, .poolCap, .maxUpdates, .quiet].contains(flag) {
      return "--html writes a page and shows nothing, so \(flag.rawValue) has no meaning"
    }
    return refusal(of: flag, by: shown)
  }

  private func refusalInBrowsers(of flag: Flag) -> String? {
    switch flag {
    case .tty, .log, .json, .maxUpdates, .rows, .fps, .poolCap, .color, .noColor, .theme, .noMouse, .screenReader,
      .lockstep, .keyframe, .html, .filter:
      "serve shows a live list in browsers, so \(flag.rawValue) has no meaning: demo serve [SCENARIO]"
    case .duration where isOnce: "serve shows a live list in browsers, not once: demo serve [SCENARIO]"
    default: nil
    }
  }

  private func refusal(of flag: Flag, by scenario: Scenario) -> String? {
    func only(_ scenarios: Scenario..., text: String) -> String? { scenarios.contains(scenario) ? nil : text }
    let isOutline = scenario == .files || scenario == .ps && tree
    switch flag {
    case .seed where mode == .json && archive == nil: return nil
    case .seed where mode == .json && scenario == .stdin:
      return "with --archive the epoch is that of the file, so --seed has no meaning"
    case .seed:
      return only(
        .feed, .chat, .orders,
        text: "--seed is for simulated events: demo feed --seed N, or chat, orders; or with --json, for its epoch")
    case .speed:
      return only(
        .feed, .chat, .orders, .ps, .settings,
        text: "--speed is for simulated events: demo feed --speed X, or chat, orders, ps, settings")
    case .duration:
      guard isOnce else { return nil }
      return only(.files, .ps, text: "--duration 0 shows once what there is: demo files DIR --duration 0, or ps")
    case .strictInput: return only(.stdin, text: "--strict-input is for events: demo stdin --strict-input")
    case .keyframe: return mode == .json ? nil : "--keyframe repeats the list among the lines of --json; add --json"
    case .join: return only(.replay, text: "--join reads a stream from its middle: demo replay - --join")
    case .html: return only(.replay, text: "--html writes a recording as a page: demo replay FILE --html OUT.html")
    case .archive:
      return only(.feed, .stdin, text: "--archive keeps the list of feed or stdin: demo stdin --archive FILE")
    case .recover where archive != nil: return nil
    case .recover: return "--recover opens a damaged archive: demo stdin --archive FILE --recover"
    case .port: return serves ? nil : "--port is for serve: demo serve --port N"
    case .filter:
      return only(.bench, text: "--filter chooses benchmarks: demo bench --filter TEXT; on a screen, / filters rows")
    case .expand: return isOutline ? nil : "--expand is for outlines: demo files DIR --expand N, or ps --tree"
    case .tree: return only(.ps, text: "--tree shows processes as a tree: demo ps --tree")
    case .newest: return only(.tail, text: "--newest is for a log: demo tail FILE --newest first")
    case .lines where scenario == .tail && operand == "-": return Self.linesOfInput
    case .lines: return only(.tail, text: "--lines is for a log: demo tail FILE --lines N")
    case .tty, .log, .json, .maxUpdates, .rows, .fps, .poolCap, .color, .noColor, .theme, .noMouse, .screenReader,
      .lockstep, .quiet, .list, .version, .help:
      return nil
    }
  }

  /// Why the number of lines cannot be chosen of standard input and of pipes.
  static let linesOfInput = "--lines is for a file; what a program writes is shown from its beginning"
}

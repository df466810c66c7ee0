/// What `demo` can show.
enum Scenario: String, CaseIterable {
  case feed, stdin, tail, ps, replay, bench

  /// Whether the scenario works on a file.
  var takesFile: Bool { self == .replay || self == .tail }

  var usage: String { takesFile ? "\(rawValue) FILE" : rawValue }

  var explanation: String {
    switch self {
    case .feed: "simulated sources into one sectioned list: bursts, duplicates, late events, a failure"
    case .stdin: "any program's events as a live list: JSON Lines on standard input"
    case .tail: "a log as it grows, by level; follows truncation and rotation"
    case .ps: "the processes of this machine, by state, the busiest first"
    case .replay: "a recorded --json stream, folded and shown (- is standard input)"
    case .bench: "what differences cost, beside the standard library (build with -c release)"
    }
  }
}

/// What `demo` can show.
enum Scenario: String, CaseIterable {
  case feed, stdin, tail, ps, chat, settings, profile, replay, bench

  /// Whether the scenario works on a file.
  var takesFile: Bool { self == .replay || self == .tail || self == .profile }

  var usage: String { takesFile ? "\(rawValue) FILE" : rawValue }

  var explanation: String {
    switch self {
    case .feed: "simulated sources into one sectioned list: bursts, duplicates, late events, a failure"
    case .stdin: "any program's events as a live list: JSON Lines on standard input"
    case .tail: "a log as it grows, by level; follows truncation and rotation"
    case .ps: "the processes of this machine, by state, the busiest first"
    case .chat: "texts, images and a video; history above, images that come late; w writes to a slow server"
    case .settings: "a static table, filled by capabilities; Enter changes a setting"
    case .profile: "a profile from a JSON file; when it is written, only what differs changes"
    case .replay: "a recorded --json stream, folded and shown (- is standard input)"
    case .bench: "measures differences, stores, views, tables, mirrors (build with -c release)"
    }
  }
}

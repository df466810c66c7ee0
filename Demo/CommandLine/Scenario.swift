/// What `demo` can show.
enum Scenario: String, CaseIterable {
  case feed, stdin, tail, ps, chat, settings, profile, files, orders, replay, serve, bench

  /// What the scenario works on, if that is a file or a directory.
  var operand: String? {
    switch self {
    case .replay, .tail, .profile: "FILE"
    case .files: "DIR"
    case .serve: "[SCENARIO]"
    default: nil
    }
  }

  var usage: String { operand.map { "\(rawValue) \($0)" } ?? rawValue }

  var explanation: String {
    switch self {
    case .feed: "simulated sources into one sectioned list: bursts, duplicates, late events, a failure"
    case .stdin: "any program's events as a live list: JSON Lines on standard input"
    case .tail:
      "a log as it grows, by level, its newest \(Options.mostLines) lines; "
        + "follows truncation and rotation (- is standard input)"
    case .ps: "the processes of this machine, by state, the busiest first; or as a tree"
    case .chat: "texts, images and a video; history above, images that arrive late; w writes to a slow server"
    case .settings: "a static table, filled by capabilities; Enter changes a setting"
    case .profile: "a profile from a JSON file; when the file is written, only changed fields are updated"
    case .files: "a directory as a live outline, with the total sizes of its folders"
    case .orders: "a shop's best customers and their newest orders: joins, groups as rows, windows, kept up to date"
    case .replay: "a recorded --json stream, folded and shown (- is standard input)"
    case .serve: "the list of a scenario, live in browsers on this machine"
    case .bench: "measures differences, stores, views, tables, mirrors (build with -c release)"
    }
  }
}

import RowcastConsole

/// What a command line asks for.
struct Options: Equatable {
  /// How the list is shown.
  enum Mode: String {
    case tty, log, json

    /// The way that an option asks for.
    init?(_ flag: Flag) {
      switch flag {
      case .tty: self = .tty
      case .log: self = .log
      case .json: self = .json
      default: return nil
      }
    }
  }

  /// Where new rows of a log are put.
  enum Newest: String {
    case first, last
  }

  var scenario: String?
  /// Whether the scenario is shown to browsers.
  var serves = false
  /// The port of the server, if one was given; 0 is any free one.
  var port: UInt16?
  /// What the scenario works on: a file or a directory.
  var operand: String?
  var seed: UInt64 = 1
  /// Whether the seed was given: two runs with one seed are runs of one list.
  var seedIsGiven = false
  var speed: Double?
  var duration: Duration?
  var maxUpdates: Int?
  var rows: Int?
  var fps = 30
  var poolCap = 5
  var mode: Mode?
  var color = ColorPolicy.auto
  var theme: Theme?
  var usesMouse = true
  /// True if the screen is for a screen reader; `nil` if the environment decides.
  var isForScreenReader: Bool?
  var lockstep = false
  var strictInput = false
  var quiet = false
  var help = false
  var version = false
  var list = false
  /// After how many updates the whole list is written again.
  var keyframe: Int?
  /// Whether `replay` may start in the middle of a stream, and waits for the whole list where messages are missing.
  var join = false
  /// Where `replay` writes a page instead of showing the list.
  var html: String?
  /// The file that keeps the list for the next run.
  var archive: String?
  /// Whether damaged lines of that file are left out.
  var recover = false
  /// Where `tail` puts new lines.
  var newest = Newest.last
  /// How many lines `tail` begins with.
  var lines = 1_000
  /// The number of levels of an outline that begin expanded.
  var expand: Int?
  /// Whether `ps` shows a tree.
  var tree = false
  /// The option that only `bench` understands.
  var filter: String?
}

extension Options {
  /// Whether a scenario shows the present state once, and ends.
  var isOnce: Bool { duration == .zero }

  private static let processEpoch = String(UInt64.random(in: 0...UInt64.max), radix: 36)

  /// Distinguishes the list of this program from other lists, and from the lists of other runs. With a seed, each recording is
  /// the same.
  var epoch: String { seedIsGiven ? "seed-\(seed)" : Self.processEpoch }
}

/// Why a command line cannot be understood, in words for the person who typed it.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String
}

extension Options {
  /// Reads the words after the program's name. `--help` anywhere wins.
  init(_ words: [String]) throws(UsageError) {
    if words.first == "help" || words.prefix(while: { $0 != "--" }).contains(where: { $0 == "-h" || $0 == "--help" }) {
      help = true
      scenario = words.first { Scenario(rawValue: $0) != nil }
      return
    }
    var rest = words[...]
    var onlyOperands = false
    while let word = rest.popFirst() {
      if onlyOperands || word == "-" || !word.hasPrefix("-") {
        try take(operand: word)
      } else if word == "--" {
        onlyOperands = true
      } else {
        try take(flag: word, rest: &rest)
      }
    }
    if operand != nil, scenario.flatMap(Scenario.init)?.operand == nil {
      throw UsageError(
        description: "\(scenario ?? "") takes no file, but \"\(operand ?? "")\" was given".neutralized)
    }
    if html != nil, scenario != Scenario.replay.rawValue || serves {
      throw UsageError(description: "--html writes a recording as a page: demo replay FILE --html OUT.html")
    }
    if keyframe != nil, mode != .json {
      throw UsageError(description: "--keyframe repeats the list among the lines of --json; add --json")
    }
    if archive != nil, ![nil, "feed", "stdin"].contains(scenario) {
      throw UsageError(description: "--archive keeps the list of feed or stdin: demo stdin --archive FILE")
    }
    if recover, archive == nil {
      throw UsageError(description: "--recover opens a damaged archive: demo stdin --archive FILE --recover")
    }
    if isOnce, ![Scenario.files.rawValue, Scenario.ps.rawValue].contains(scenario) {
      throw UsageError(description: "--duration 0 shows once what there is: demo files DIR --duration 0, or ps")
    }
    if tree, scenario != Scenario.ps.rawValue {
      throw UsageError(description: "--tree shows processes as a tree: demo ps --tree")
    }
    if expand != nil, scenario != Scenario.files.rawValue, !tree {
      throw UsageError(description: "--expand is for outlines: demo files DIR --expand N, or ps --tree")
    }
    if filter != nil, scenario != Scenario.bench.rawValue {
      throw UsageError(
        description: "--filter chooses benchmarks: demo bench --filter TEXT; on a screen, / filters rows")
    }
    if join, scenario != Scenario.replay.rawValue {
      throw UsageError(description: "--join reads a stream from its middle: demo replay - --join")
    }
    if serves, mode != nil || lockstep || isOnce || scenario == Scenario.bench.rawValue {
      throw UsageError(description: "serve shows a live list in browsers, not elsewhere or once: demo serve [SCENARIO]")
    }
    if port != nil, !serves { throw UsageError(description: "--port is for serve: demo serve --port N") }
    if html != nil, let mode {
      throw UsageError(description: "--html writes a page and shows nothing, so --\(mode.rawValue) has no meaning")
    }
  }

  private mutating func take(operand word: String) throws(UsageError) {
    if word == Scenario.serve.rawValue, scenario == nil, !serves {
      serves = true
    } else if scenario == nil {
      guard Scenario(rawValue: word) != nil, word != Scenario.serve.rawValue else {
        throw UsageError(
          description: "there is no scenario \"\(word.neutralized)\""
            + suggestion(for: word, among: Scenario.allCases.map(\.rawValue)) + "; see demo --list")
      }
      scenario = word
    } else if operand == nil {
      operand = word
    } else {
      throw UsageError(description: "one file is enough, but \"\(word.neutralized)\" was given, too")
    }
  }

  private mutating func take(flag word: String, rest: inout ArraySlice<String>) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let flag = Flag(parts[0]) else {
      throw UsageError(
        description: "there is no option \(parts[0].neutralized)"
          + suggestion(for: parts[0], among: Flag.allCases.map(\.rawValue)) + "; see demo --help")
    }
    guard flag.takesValue else {
      if parts.count > 1 { throw UsageError(description: "\(flag.rawValue) takes no value") }
      if let shown = Mode(flag) {
        if let mode, mode != shown {
          throw UsageError(
            description: "a list is shown in one way, but --\(mode.rawValue) and --\(shown.rawValue) were given")
        }
        mode = shown
      }
      return set(flag)
    }
    guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
      throw UsageError(description: "\(flag.rawValue) needs a value: \(flag.rawValue) \(flag.placeholder)")
    }
    try set(flag, to: value)
  }

  private mutating func set(_ flag: Flag) {
    switch flag {
    case .noColor: color = .never
    case .noMouse: usesMouse = false
    case .screenReader: isForScreenReader = true
    case .lockstep: lockstep = true
    case .strictInput: strictInput = true
    case .join: join = true
    case .recover: recover = true
    case .tree: tree = true
    case .quiet: quiet = true
    case .version: version = true
    case .list: list = true
    case .help: help = true
    default: break
    }
  }

  private mutating func set(_ flag: Flag, to value: String) throws(UsageError) {
    func number<Number>(
      _ parsed: Number?, _ isGood: (Number) -> Bool, _ what: String, _ hint: String = ""
    ) throws(UsageError) -> Number {
      guard let parsed, isGood(parsed) else {
        throw UsageError(description: "\(flag.rawValue) needs \(what), not \"\(value.neutralized)\"\(hint)")
      }
      return parsed
    }
    func one<Choice>(of _: Choice.Type) throws(UsageError) -> Choice
    where Choice: CaseIterable & RawRepresentable<String> {
      let words = Choice.allCases.map(\.rawValue)
      let hint = suggestion(for: value, among: words)
      return try number(Choice(rawValue: value), { _ in true }, "one of \(words.joined(separator: ", "))", hint)
    }
    switch flag {
    case .seed:
      seed = try number(UInt64(value), { _ in true }, "a whole number from 0")
      seedIsGiven = true
    case .speed: speed = try number(Double(value), { $0 > 0 && $0 <= 1e6 }, "a factor above 0, such as 2 or 0.5")
    case .duration:
      duration = .seconds(try number(Double(value), { $0 >= 0 && $0 <= 1e8 }, "a number of seconds"))
    case .keyframe: keyframe = try number(Int(value), { $0 > 0 }, "a whole number from 1")
    case .maxUpdates: maxUpdates = try number(Int(value), { $0 > 0 }, "a whole number from 1")
    case .rows: rows = try number(Int(value), { (1...100_000).contains($0) }, "a whole number from 1 to 100000")
    case .expand:
      let levels = value == "all" ? Int.max : Int(value)
      expand = try number(levels, { $0 >= 0 }, "a whole number from 0, or all")
    case .fps: fps = try number(Int(value), { (1...30).contains($0) }, "a whole number from 1 to 30")
    case .poolCap: poolCap = try number(Int(value), { (0...100_000).contains($0) }, "a whole number from 0 to 100000")
    case .color: color = try one(of: ColorPolicy.self)
    case .theme:
      let names = Theme.all.map(\.name)
      theme = try number(
        Theme.all.first { $0.name == value }, { _ in true }, "one of \(names.joined(separator: ", "))",
        suggestion(for: value, among: names))
    case .html: html = try number(value, { !$0.isEmpty }, "the name of a file")
    case .archive: archive = try number(value, { !$0.isEmpty }, "the name of a file")
    case .newest: newest = try number(Newest(rawValue: value), { _ in true }, "first or last")
    case .lines: lines = try number(Int(value), { (0...100_000).contains($0) }, "a whole number from 0 to 100000")
    case .port: port = try number(UInt16(value), { _ in true }, "a whole number from 0 to 65535")
    case .filter: filter = value
    default: break
    }
  }
}

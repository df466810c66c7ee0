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
  enum Newest: String, CaseIterable {
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
  /// The maximum number of lines that `tail` keeps: a log grows for ever.
  static let mostLines = 100_000
  /// The number of levels of an outline that begin expanded.
  var expand: Int?
  /// Whether `ps` shows a tree.
  var tree = false
  /// The option that only `bench` understands.
  var filter: String?
  /// The options that were given.
  private(set) var given: Set<Flag> = []
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
    if words.first == "help" {
      try takeHelp(words.dropFirst())
      return
    }
    if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "-h" || $0 == "--help" }) {
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
    if operand != nil, shown.operand == nil {
      throw UsageError(description: "\(shown.rawValue) takes no file, but \"\(operand ?? "")\" was given".neutralized)
    }
    if serves, shown == .bench {
      throw UsageError(description: "serve shows a live list in browsers, and bench has none: demo serve [SCENARIO]")
    }
    for flag in Flag.allCases where given.contains(flag) {
      if let refusal = refusal(of: flag) { throw UsageError(description: refusal) }
    }
  }

  /// Reads the words after `help`: a scenario, perhaps after `serve`. Options are in the help of each.
  private mutating func takeHelp(_ words: ArraySlice<String>) throws(UsageError) {
    help = true
    for word in words.prefix(while: { !$0.hasPrefix("-") }) {
      guard scenario == nil else {
        // Its file.
        if shown.operand != nil { break }
        throw UsageError(description: "one scenario is enough, but \"\(word.neutralized)\" was given, too")
      }
      try take(operand: word)
    }
    if serves { scenario = Scenario.serve.rawValue }
  }

  private mutating func take(operand word: String) throws(UsageError) {
    if word == Scenario.serve.rawValue, scenario == nil, !serves {
      serves = true
    } else if scenario == nil {
      let scenarios = Scenario.allCases.filter { !serves || $0 != .serve }.map(\.rawValue)
      guard scenarios.contains(word) else {
        throw UsageError(
          description: "there is no scenario \"\(word.neutralized)\"\(serves ? " for serve" : "")"
            + suggestion(for: word, among: scenarios + (serves ? [] : ["help"])) + "; see demo --list")
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
    given.insert(flag)
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
    func checked<Value>(_ parsed: Value?, _ what: String, _ hint: String = "") throws(UsageError) -> Value {
      guard let parsed else {
        throw UsageError(description: "\(flag.rawValue) needs \(what), not \"\(value.neutralized)\"\(hint)")
      }
      return parsed
    }
    func whole<Number: FixedWidthInteger>(
      _ range: ClosedRange<Number>, _ word: String? = nil
    ) throws(UsageError) -> Number {
      let number = value == word ? range.upperBound : Number(value)
      return try checked(
        number.flatMap { range.contains($0) ? $0 : nil },
        "a whole number from \(range.lowerBound) to \(range.upperBound)\(word.map { ", or \($0)" } ?? "")",
        word.map { suggestion(for: value, among: [$0]) } ?? "")
    }
    func number(_ what: String, _ range: ClosedRange<Double>) throws(UsageError) -> Double {
      let limits = [range.lowerBound, range.upperBound].map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
      return try checked(
        Double(value).flatMap { range.contains($0) ? $0 : nil }, "\(what) from \(limits.joined(separator: " to "))")
    }
    func one<Choice>(of choices: [(name: String, choice: Choice)]) throws(UsageError) -> Choice {
      let names = choices.map(\.name)
      return try checked(
        choices.first { $0.name == value }?.choice,
        names.count == 2 ? names.joined(separator: " or ") : "one of \(names.joined(separator: ", "))",
        suggestion(for: value, among: names))
    }
    func name() throws(UsageError) -> String { try checked(value.isEmpty ? nil : value, "the name of a file") }
    switch flag {
    case .seed:
      seed = try whole(0 ... .max)
      seedIsGiven = true
    // Beyond these, intervals divided by it are too long or too short to be waited for.
    case .speed: speed = try number("a factor", 0.001...1e6)
    case .duration: duration = .seconds(try number("a number of seconds", 0...1e8))
    case .keyframe: keyframe = try whole(1 ... .max)
    case .maxUpdates: maxUpdates = try whole(1 ... .max)
    case .rows: rows = try whole(1...100_000)
    case .expand: expand = try whole(0 ... .max, "all")
    case .fps: fps = try whole(1...30)
    case .poolCap: poolCap = try whole(0...100_000)
    case .color: color = try one(of: ColorPolicy.allCases.map { ($0.rawValue, $0) })
    case .theme: theme = try one(of: Theme.all.map { ($0.name, $0) })
    case .html: html = try name()
    case .archive: archive = try name()
    case .newest: newest = try one(of: Newest.allCases.map { ($0.rawValue, $0) })
    case .lines: lines = try whole(0...Self.mostLines)
    case .port: port = try whole(0 ... .max)
    case .filter: filter = value
    default: break
    }
  }
}

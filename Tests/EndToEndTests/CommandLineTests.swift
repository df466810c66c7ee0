import Testing

@testable import RowcastDemo

@Suite(.watched) struct CommandLineTests {
  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["help", "serve"], ["serve", "--help"], ["feed", "--seed", "x", "-h"],
    ["nonsense", "--help"], ["help", "serve", "ps"], ["help", "tail"],
    ["help", "feed", "--seed", "7"], ["help", "serve", "--port", "9000"], ["help", "replay", "feed.jsonl"],
  ])
  func `help wins anywhere, on standard output`(arguments: [String]) async throws {
    let result = try await Program.run(arguments)
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output.contains("EXAMPLES"))
  }

  @Test func `help fits a terminal, and names every scenario and option`() {
    for line in Help.text().split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    for scenario in Scenario.allCases { #expect(Help.text().contains("\n  \(scenario.usage) ")) }
    for flag in Flag.allCases { #expect(Help.text().contains("\n  \(flag.rawValue)")) }
    for scenario in Scenario.allCases {
      for line in Help.text(for: scenario).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
    for words in ["TERM=dumb", "stays until q"] { #expect(Help.text().contains(words)) }
  }

  @Test(arguments: [
    (["fed"], "there is no scenario \"fed\" (did you mean feed?); see demo --list"),
    (["--jsn"], "there is no option --jsn (did you mean --json?); see demo --help"),
    (["--color", "alway"], "--color needs one of auto, always, never, not \"alway\" (did you mean always?)"),
    (["--theme=light", "--theme"], "--theme needs a value: --theme dark|light|contrast|plain"),
    (["--seed"], "--seed needs a value: --seed N"),
    (["--seed", "x"], "--seed needs a whole number from 0 to 18446744073709551615, not \"x\""),
    (["--duration", "1e9"], "--duration needs a number of seconds from 0 to 100000000, not \"1e9\""),
    (["--speed", "0"], "--speed needs a factor from 0.001 to 1000000, not \"0\""),
    (["--theme", "DARK"], "--theme needs one of dark, light, contrast, plain, not \"DARK\" (did you mean dark?)"),
    ([""], "there is no scenario \"\"; see demo --list"), (["x"], "there is no scenario \"x\"; see demo --list"),
    (["help", "nosuch"], "there is no scenario \"nosuch\"; see demo --list"),
    (["help", "fed"], "there is no scenario \"fed\" (did you mean feed?); see demo --list"),
    (["hlp"], "there is no scenario \"hlp\" (did you mean help?); see demo --list"),
    (["help", "ps", "tail"], "one scenario is enough, but \"tail\" was given, too"),
    (["serve", "serve"], "there is no scenario \"serve\" for serve; see demo --list"),
    (["serve", "serv"], "there is no scenario \"serv\" for serve; see demo --list"),
    (["tail", "-", "--lines", "5"], "--lines is for a file; what a program writes is shown from its beginning"),
    (["feed", "--lines", "5"], "--lines is for a log: demo tail FILE --lines N"),
    (["feed", "--newest", "first"], "--newest is for a log: demo tail FILE --newest first"),
    (["--fps=900"], "--fps needs a whole number from 1 to 30"),
    (["--json=1"], "--json takes no value"),
    (["--log", "--json"], "a list is shown in one way, but --log and --json were given"),
    (["ps", "--json", "--json", "--tty"], "a list is shown in one way, but --json and --tty were given"),
    (["feed", "file"], "feed takes no file"),
    (["replay", "a", "b"], "one file is enough"),
    (["replay"], "replay needs a recording"),
    (["replay", "--html", "out.html"], "replay needs a recording"),
    (["feed", "--html", "out.html"], "--html writes a recording as a page: demo replay FILE --html OUT.html"),
    (["--html=out.html"], "--html writes a recording as a page"),
    (["replay", "a", "--html"], "--html needs a value: --html OUT"),
    (["replay", "a", "--html="], "--html needs the name of a file"),
    (["feed", "--filter", "x"], "--filter chooses benchmarks: demo bench --filter TEXT; on a screen, / filters rows"),
    (["tail", "a", "--lines", "100001"], "--lines needs a whole number from 0 to 100000"),
    (["serve", "--port", "65536"], "--port needs a whole number from 0 to 65535, not \"65536\""),
    (["serve", "--json"], "serve shows a live list in browsers"),
    (["serve", "bench"], "serve shows a live list in browsers"), (["--port", "1"], "--port is for serve"),
    (["serve", "replay", "a", "--html", "b"], "--html"),
    (["replay", "a", "--htm", "b"], "did you mean --html?"),
    (["replay", "a", "--json", "--html", "b"], "--html writes a page and shows nothing, so --json has no meaning"),
  ])
  func `a command line that cannot be understood is explained, with exit code 2`(
    arguments: [String], words: String
  ) async throws {
    let result = try await Program.run(arguments)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test func `what is typed at the command line is told on one line, and acts on nothing`() async throws {
    let hostile = HostileText.samples.joined().replacing("\0", with: "")
    let folder = try TestFolder()
    let file = try folder.write("\u{1B}[31m\u{202E}.jsonl", "no json\n").path
    for words in [
      [hostile], ["--" + hostile], ["feed", "--seed", hostile], ["replay", file], ["replay", file + "x"],
    ] {
      let result = try await Program.run(words)
      #expect([1, 2].contains(result.status))
      #expect(!HostileText.acts(result.errors) && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
    withExtendedLifetime(folder) {}
  }

  private static let unusable: [(arguments: [String], status: Int32, words: String)] = [
    (["replay", "/no/such/file"], 1, "demo: cannot read /no/such/file: No such file or directory\n"),
    (["replay", "/"], 1, "demo: cannot read /: Is a directory\n"),
    (["tail"], 2, "tail needs a log"), (["tail", "x", "--newest", "up"], 2, "first or last"),
    (["tail", "/no/such/log"], 1, "No such file"), (["tail", "/"], 1, "Is a directory"),
    (["tail", "/dev/null"], 1, "no regular file"),
    (["profile"], 2, "profile needs a file: demo profile FILE"),
    (["profile", "/no/such/file"], 1, "cannot read /no/such/file"),
    (["feed", "--duration", "0"], 2, "--duration 0 shows once what there is"),
    (["ps", "--expand", "1"], 2, "--expand is for outlines"),
    (["ps", "--archive", "x"], 2, "--archive keeps the list of feed or stdin"),
  ]

  #if os(Linux)
    private static let files: [(arguments: [String], status: Int32, words: String)] = [
      (["files"], 2, "files needs a directory: demo files DIR"),
      (["files", "/", "--expand", "-1"], 2, "whole number from 0 to 9223372036854775807, or all"),
      (["files", "/", "--tree"], 2, "--tree shows processes as a tree"),
      (["files", "/no/such"], 1, "cannot read /no/such: No such file"),
      (["files", "/dev/null"], 1, "cannot read /dev/null: Not a directory"),
    ]
  #else
    private static let files: [(arguments: [String], status: Int32, words: String)] = []
  #endif

  @Test(arguments: unusable + files)
  func `what cannot be shown is explained`(arguments: [String], status: Int32, words: String) async throws {
    let result = try await Program.run(arguments)
    #expect(result.status == status && result.output.isEmpty)
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  /// The lines of help about keys and the mouse, each with its rest.
  private static func keys(of scenario: Scenario?) -> [String: String] {
    let lines = Help.text(for: scenario).split(separator: "\n").drop { !$0.hasPrefix("KEYS") }.dropFirst()
    var keys: [String: String] = [:]
    var last = ""
    for line in lines.prefix(while: { !$0.hasPrefix("  The program ends") }) {
      let name = line.prefix(24).trimmingCharacters(in: .whitespaces)
      if name.isEmpty { keys[last]? += " " } else { last = name }
      keys[last, default: ""] += line.dropFirst(24)
    }
    return keys
  }

  @Test func `the help names only keys that there are, and says of the mouse what it does`() throws {
    var common = Self.keys(of: nil)
    #expect(common.removeValue(forKey: "more keys") != nil && common.count > 10)
    for scenario in Self.lists {
      let keys = Self.keys(of: scenario)
      for (key, text) in common { #expect(keys[key] == text, "\(scenario): \(key)") }
      for key in ["⇧↑ ⇧↓", "Del"] { #expect(keys[key] == nil, "\(scenario)") }
      // Rows with columns are those that can be sorted by one.
      #expect((keys["click on a heading"] != nil) == [.ps, .files].contains(scenario), "\(scenario)")
      #expect((keys["click on ▸ or ▾"] != nil) == (scenario == .files), "\(scenario)")
      // A double click does what Enter does in the table, if it does anything.
      let selects = keys["Enter"]?.contains("select") ?? false
      #expect((keys["double click"] != nil) == selects, "\(scenario)")
      #expect(selects != (scenario == .settings))
      // Commas separate the orders, and are in none of them.
      if let orders = try keys["s"].map({ try #require($0.wholeMatch(of: /next order: (.*)/)).output.1 }) {
        for order in orders.replacing("  ", with: " ").split(separator: ", ") {
          #expect(order == "as it comes" || order.hasPrefix("by "), "\(orders)")
        }
      }
    }
    for scenario in [Scenario.bench, .serve] { #expect(!Help.text(for: scenario).contains("KEYS")) }
    #expect(Help.text().contains("its newest \(Options.mostLines) lines"))
  }

  @Test(arguments: [
    (Scenario.chat, ["w", "r", "u", "^R"], ["s", "/", "*"]), (.settings, ["Enter", "u", "^R"], ["s", "/", "w", "*"]),
    (.ps, ["t", "K", "s", "/"], ["w", "*", "u", "^R"]), (.files, ["*", "s", "/"], ["w", "t", "u", "^R"]),
    (.tail, ["q", "f"], ["s", "/", "Del", "u", "^R"]), (.feed, ["s", "/", "u", "^R"], ["w", "*"]),
    (.stdin, ["p", "u", "^R"], ["s", "/"]), (.replay, ["p"], ["u", "^R"]), (.profile, ["p"], ["u", "^R"]),
    (.orders, ["p"], ["u", "^R"]),
  ])
  func `the help of a scenario has its own keys, and no others`(scenario: Scenario, keys: [String], others: [String]) {
    let text = Help.text(for: scenario)
    func has(_ key: String) -> Bool { text.contains("\n  \(key) ") }
    for key in keys { #expect(has(key), "\(key)") }
    for key in others { #expect(!has(key), "\(key)") }
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  // MARK: - All options

  private static let lists = Scenario.allCases.filter { $0 != .serve && $0 != .bench }

  /// What an option has an effect on, as the words of a command line.
  private static func uses(of flag: Flag) -> [String] {
    func both(_ scenarios: [Scenario]) -> [String] { scenarios.flatMap { [$0.rawValue, "serve \($0.rawValue)"] } }
    switch flag {
    case .json: return lists.map(\.rawValue) + ["bench"]
    case .tty, .log, .maxUpdates, .rows, .fps, .poolCap, .color, .noColor, .theme, .noMouse, .screenReader, .lockstep,
      .keyframe:
      return lists.map(\.rawValue)
    case .duration, .quiet: return both(lists)
    case .seed: return both([.feed, .chat, .orders])
    case .speed: return both([.feed, .chat, .orders, .ps, .settings])
    case .strictInput: return both([.stdin])
    case .join: return both([.replay])
    case .html: return ["replay"]
    case .archive, .recover: return both([.feed, .stdin])
    case .port: return lists.map { "serve \($0.rawValue)" }
    case .filter: return ["bench"]
    case .expand: return both([.files, .ps])
    case .tree: return both([.ps])
    case .newest, .lines: return both([.tail])
    case .list, .version: return both(lists) + ["bench"]
    case .help: return []
    }
  }

  /// The words of a command line with a scenario, its file, and an option with what that needs.
  private static func words(_ place: String, _ flag: Flag, _ value: String? = nil) -> [String] {
    let scenario = place.split(separator: " ").last.flatMap { Scenario(rawValue: String($0)) }
    let needed: [String] =
      switch flag {
      case .keyframe: ["--json"]
      case .recover: ["--archive", "x"]
      case .expand where scenario == .ps: ["--tree"]
      default: []
      }
    let choice = flag.placeholder.split(separator: "|").last.map(String.init)
    let usual = choice.map { ["N", "X", "S"].contains($0) ? "1" : $0 }
    let file = scenario?.operand == nil ? [] : ["x"]
    let places = place.split(separator: " ").map(String.init)
    return places + file + needed + [flag.rawValue, value ?? usual].compactMap(\.self)
  }

  @Test(arguments: Flag.allCases)
  func `an option is refused where it has no effect`(flag: Flag) {
    guard flag != .help else { return }
    let uses = Set(Self.uses(of: flag))
    for place in Self.lists.flatMap({ [$0.rawValue, "serve \($0.rawValue)"] }) + ["bench"] {
      let words = Self.words(place, flag)
      do {
        _ = try Options(words)
        #expect(uses.contains(place), "\(words) is accepted")
      } catch {
        #expect(!uses.contains(place), "\(words): \(error)")
        let named = words.filter { $0.hasPrefix("--") }
        #expect(named.contains { error.description.contains("\($0) ") }, "\(words): \(error)")
      }
    }
    let page: [Flag] = [.html, .rows, .poolCap, .maxUpdates, .quiet, .list, .version]
    let words = Self.words("replay", flag) + ["--html", "page.html"]
    #expect(((try? Options(words)) != nil) == page.contains(flag), "\(words)")
  }

  @Test(arguments: Flag.allCases.filter { ["N", "X", "S", "N|all"].contains($0.placeholder) })
  func `a number beyond its limits is refused with both`(flag: Flag) throws {
    // Files are shown once, too.
    let place = flag == .duration ? "files" : try #require(Self.uses(of: flag).first)
    func refusal(_ value: String) -> String? {
      do { _ = try Options(Self.words(place, flag, value)) } catch { return error.description }
      return nil
    }
    let text = try #require(refusal("x"))
    let limits = try #require(try /from ([^ ]+) to ([^ ,]+),/.firstMatch(in: text)).output
    let (least, most) = (String(limits.1), String(limits.2))
    #expect(refusal(least) == nil && refusal(most) == nil, "\(text)")
    for value in [least == "0" ? "-1" : "0", most + "0", "nan", ""] {
      #expect(refusal(value) == text.replacing("\"x\"", with: "\"\(value)\""))
    }
  }

  @Test func `a word in another case, or with a slip, gets a hint, and a word unlike all others gets none`() {
    func refusal(_ words: String...) -> String {
      do { _ = try Options(words) } catch { return error.description }
      return ""
    }
    for scenario in Scenario.allCases {
      let hint = "(did you mean \(scenario.rawValue)?)"
      #expect(refusal(scenario.rawValue.uppercased()).contains(hint))
      #expect(refusal("help", scenario.rawValue + "x").contains(hint))
      #expect(refusal("serve", scenario.rawValue.uppercased()).contains(hint) == (scenario != .serve))
    }
    for flag in Flag.allCases {
      #expect(refusal(flag.rawValue.uppercased()).contains("(did you mean \(flag.rawValue)?)"))
      for word in flag.placeholder.split(separator: "|").map(String.init) where word == word.lowercased() {
        #expect(refusal(flag.rawValue, word.uppercased()).contains("(did you mean \(word)?)"))
        #expect(!refusal(flag.rawValue, word).contains("needs"))
      }
    }
    for word in ["", "x", "xy", "??"] { #expect(!refusal(word).contains("did you mean"), "\(word)") }
  }

  @Test func `the version and the list of scenarios are printed`() async throws {
    #expect(try await Program.run(["--version"]).output.hasPrefix("demo (Rowcast) "))
    let list = try await Program.run(["--list"]).output
    for scenario in Scenario.allCases { #expect(list.contains(scenario.rawValue)) }
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: ["--help", "--version", "--list", "feed --json --lockstep", "replay recording --html -"])
  func `an output that is full is told in the same words, with exit code 1`(arguments: String) throws {
    let folder = try TestFolder()
    let program = "'\(Program.url.path)'"
    try folder.run("\(program) feed --json --lockstep > recording")
    try folder.run("\(program) \(arguments) > /dev/full 2> told; echo $? >> told")
    let told = try folder.read("told")
    #expect(told.hasPrefix("demo: the output cannot be written: ") && told.hasSuffix("\n1\n"), "\(told)")
  }

  @Test(arguments: [
    "stdin", "stdin --strict-input", "tail -", "replay -", "replay - --join", "replay - --html page.html",
    "serve stdin --port 0", "serve tail - --port 0", "serve replay - --port 0",
  ])
  func `an input that cannot be read is named, with exit code 1`(arguments: String) throws {
    let folder = try TestFolder()
    for (input, reason) in [("<.", "Is a directory"), ("<&-", "Bad file descriptor")] {
      try folder.run("'\(Program.url.path)' \(arguments) \(input) > shown 2> told; echo $? >> told")
      #expect(try folder.read("told") == "demo: cannot read standard input: \(reason)\n1\n", "\(input)")
    }
  }

  @Test(arguments: ["replay -", "replay - --html page.html", "serve replay - --port 0"])
  func `a recording that cannot be shown is named, with exit code 1`(arguments: String) throws {
    let folder = try TestFolder()
    try folder.write("list.jsonl", "no json\n")
    for name in ["-", "list.jsonl"] {
      let line = arguments.replacing("-", with: name, maxReplacements: 1)
      try folder.run("'\(Program.url.path)' \(line) < list.jsonl > shown 2> told; echo $? >> told")
      let told = try folder.read("told")
      let input = name == "-" ? "standard input" : name
      #expect(told.hasPrefix("demo: \(input) is no recording that can be shown: line 1: no JSON"), "\(told)")
      #expect(told.hasSuffix("\n1\n"))
    }
  }

  @Test func `options may stand anywhere, and a file that looks like one follows two dashes`() throws {
    let one = try Options(["--json", "replay", "--seed=3", "-", "--lockstep"])
    #expect(try one == Options(["replay", "-", "--lockstep", "--seed", "3", "--json"]))
    #expect(one.operand == "-" && one.seed == 3 && one.mode == .json && one.lockstep)
    #expect(try Options(["replay", "--", "--odd"]).operand == "--odd")
  }

  @Test(arguments: [("feed", "fed", 1), ("ps", "sp", 1), ("", "abc", 3), ("same", "same", 0)])
  func `the distance of words counts single slips`(first: String, second: String, distance: Int) {
    #expect(editDistance(first, second) == distance)
  }
}

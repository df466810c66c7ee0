import RowcastConsole

/// The texts that the command line prints about itself.
enum Help {
  static let version = "demo (Rowcast) 0.2.0"

  static var list: String {
    lines(Scenario.allCases.map { ($0.usage, $0.explanation) })
  }

  /// The help of the program, or with the keys of one scenario.
  static func text(for scenario: Scenario? = nil) -> String {
    scenario == .serve ? serving : general(scenario)
  }

  private static func general(_ scenario: Scenario?) -> String {
    """
    Watch a live list: events go in, cells change.

    EXAMPLES
      demo                                  a simulated feed
      demo ps                               this machine's processes
      demo chat                             cells of several kinds and heights
      demo profile profile.json             {"data":{"nombre":"Ada"}}, watched
      demo files . --expand 1               this directory, with its folders open
      demo orders                           a question, and its answer, live
      demo feed --json --seed 7 > feed.jsonl
      demo replay feed.jsonl                show it again
      demo replay feed.jsonl --html f.html  as a page for a browser
      demo stdin --archive list.jsonl       continue the list of the last run
      demo serve                            the feed in a browser: demo help serve
      git log --format='{"op":"upsert","id":"%h","section":"%as","title":"%f"}' |
        demo stdin

    USAGE
      demo [SCENARIO] [options]             without a scenario: feed

    SCENARIOS
    \(list)

    OPTIONS
    \(lines(Flag.allCases.map { ("\($0.rawValue) \($0.placeholder)", $0.explanation) }))

    \(scenario == .bench ? "" : keys(of: scenario))EVENTS (one JSON object a line, for stdin)
      {"op":"upsert","id":"a1","section":"open","title":"Fix login","index":0}
      {"op":"delete","id":"a1"}
      {"op":"move","id":"a1","section":"done","index":0}
      {"op":"upsertSection","id":"open","title":"Open"}
      {"op":"moveSection","id":"open","index":2}
      {"op":"deleteSection","id":"open"}
      {"op":"replace","sections":[{"id":"open","rows":[{"id":"a1"}]}]}
      {"op":"batch","events":[…any of the above…]}

    EXIT CODES
      0 done   1 bad input or failure   2 usage   3 the table refused an update
      130 interrupted   143 terminated

    """
  }

  /// The help of `serve`.
  private static let serving = """
    See a live list in a browser.

    EXAMPLES
      demo serve                            the feed at http://127.0.0.1:8080
      demo serve ps                         this machine's processes
      demo serve files . --expand 1         this directory
      demo serve --port 9000                another port; 0 is any free one
      demo serve --archive list.jsonl       pages continue after a restart
      program | demo serve stdin            any program's events
      program | demo serve replay -         the messages of a program's list

    Open the address in several windows. Ctrl-C ends the list, and pages say so.
    With --archive the list continues: end the server, or kill it, and start it
    again on the same port. Pages reconnect, and receive what has changed.

    It is not a web server. It answers only programs on this machine, at most
    64 at a time, and has three paths: / is the page, /rowcast.js the module
    in it, and /list the list as server-sent events. An app serves its lists with
    a framework: see the article Serving lists.

    The other options of the scenario, such as --seed, --speed, --duration S and
    --expand, are in demo --help.

    """

  private static func keys(of scenario: Scenario?) -> String {
    let own = scenario.flatMap(ScenarioRun.keys)
    let more = (name: "more keys", text: "of a scenario, such as those that sort or undo: demo help SCENARIO")
    let entries = own ?? commonKeys + [more]
    return """
      KEYS (on a terminal; with TERM=dumb the log is written, and keys do nothing)
      \(lines(entries))
        The program ends when its list ends, as stdin's list does with its input. A
        paused program (p) ends when it continues. While you type, answer a question
        or read the help, it stays until q.


      """
  }

  /// The keys that do the same in all scenarios.
  private static var commonKeys: [ScenarioRun.KeyLine] {
    let all = Scenario.allCases.compactMap(ScenarioRun.keys)
    let others = all.dropFirst()
    return all.first?.filter { line in others.allSatisfy { $0.contains { $0 == line } } } ?? []
  }

  /// Names, and their meanings beside them. No line is longer than 80 columns.
  private static func lines(_ entries: [(name: String, text: String)]) -> String {
    let width = 22
    let indent = String(repeating: " ", count: width + 2)
    return entries.flatMap { name, text in
      var lines = wrapped(text, columns: 80 - indent.count).map { indent + $0 }
      // A name that is too long for the column has a line of its own.
      if name.count < width, !lines.isEmpty {
        lines[0] = "  " + name.padded(toColumns: width) + lines[0].dropFirst(indent.count)
      } else {
        lines.insert("  " + name, at: 0)
      }
      return lines
    }
    .joined(separator: "\n")
  }

  private static func wrapped(_ text: String, columns: Int) -> [String] {
    text.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }
}

/// The beginning of a hint, if a candidate is close to the word that was typed: the same in another case, or with few slips, and
/// with something in common.
func suggestion(for word: String, among candidates: [String]) -> String {
  let near = candidates.map { ($0, editDistance(word.lowercased(), $0.lowercased())) }.min { $0.1 < $1.1 }
  guard let (candidate, distance) = near, candidate != word, distance <= max(2, candidate.count / 3),
    distance < max(candidate.count, word.count)
  else { return "" }
  return " (did you mean \(candidate)?)"
}

/// The number of insertions, deletions, substitutions and swaps of neighbours that turn one word into another.
///
/// Optimal string alignment (F. J. Damerau, 1964).
func editDistance(_ first: String, _ second: String) -> Int {
  // Words longer than any option are not worth comparing in full.
  let first = Array(first.prefix(40))
  let second = Array(second.prefix(40))
  var beforeLast: [Int] = []
  var last = Array(0...second.count)
  for (i, a) in first.enumerated() {
    var row = [i + 1]
    for (j, b) in second.enumerated() {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a == b ? 0 : 1))
      if i > 0, j > 0, a == second[j - 1], first[i - 1] == b { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[second.count]
}

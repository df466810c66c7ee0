/// The texts that the command line prints about itself.
enum Help {
  static let version = "demo (Rowcast) 0.1.0"

  static var list: String {
    lines(Scenario.allCases.map { ($0.usage, $0.explanation) })
  }

  static var text: String {
    """
    Watch a live list: events go in, cells change.

    EXAMPLES
      demo                                  a simulated feed
      demo tail /var/log/dpkg.log           a log as it grows
      demo ps                               this machine's processes
      demo chat                             several kinds of cells; scroll up for the history
      demo profile profile.json             {"data":{"nombre":"…","apellidos":"…","imgURL":"…"}}
      demo feed --json --seed 7 > feed.jsonl
      demo replay feed.jsonl                look at it again
      demo replay feed.jsonl --html f.html  as a page for a browser
      git log --reverse --format='{"op":"upsert","id":"%h","section":"%as","title":"%f"}' | demo stdin

    USAGE
      demo [SCENARIO] [options]             without a scenario: feed

    SCENARIOS
    \(list)

    OPTIONS
    \(lines(Flag.allCases.map { ("\($0.rawValue) \($0.placeholder)", $0.explanation) }))

    KEYS (on a terminal)
      q quit   arrows or j k scroll   space, page up, page down   g G first and last   f follow the end   u undo

    EVENTS (one JSON object a line, for stdin)
      {"op":"upsert","id":"a1","section":"open","title":"Fix login","subtitle":"#42","index":0}
      {"op":"delete","id":"a1"}   {"op":"move","id":"a1","section":"done","index":0}
      {"op":"upsertSection","id":"open","title":"Open"}   deleteSection   moveSection
      {"op":"replace","sections":[{"id":"open","rows":[{"id":"a1"}]}]}   {"op":"batch","events":[…]}

    EXIT CODES
      0 done   1 bad input or failure   2 usage   3 the table refused an update   130 143 interrupted, terminated

    """
  }

  private static func lines(_ entries: [(String, String)]) -> String {
    let width = 22
    return entries.map { name, text in
      "  " + name + String(repeating: " ", count: max(1, width - name.count)) + text
    }
    .joined(separator: "\n")
  }
}

/// The beginning of a hint, if one of the candidates is near to what was typed.
func suggestion(for word: String, among candidates: [String]) -> String {
  let near = candidates.map { ($0, editDistance(word, $0)) }.min { $0.1 < $1.1 }
  guard let (candidate, distance) = near, distance <= max(2, candidate.count / 3) else { return "" }
  return "; did you mean \(candidate)?"
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

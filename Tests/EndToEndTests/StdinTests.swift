import Testing

/// `demo stdin`, from lines of events to lines of updates.
@Suite(.watched) struct StdinTests {
  @Test(arguments: 0..<UInt64(SeededGenerator.rounds(10, long: 500)))
  func `a random script gives the list of the naive model after every line`(seed: UInt64) async throws {
    var script = EventScript(seed: seed)
    var lines: [String] = []
    // What the list is after each line that changed it.
    var expected = [JSONList()]
    for _ in 0..<200 {
      lines.append(try script.next())
      if script.model != expected.last { expected.append(script.model) }
    }
    let result = try await Program.run("stdin", "--json", "--lockstep", lines: lines)
    #expect(result.status == 0, "seed \(seed): \(result.errors)")
    var (list, previous) = (JSONList(), JSONList())
    let messages = try result.objects()
    #expect(messages.count == expected.count + 1, "seed \(seed): one message for each change, and the end")
    for (message, model) in zip(messages, expected) {
      try list.fold(message)
      #expect(list.sections == model.sections, "seed \(seed): \(message)")
      if message["kind"] as? String == "changes" {
        let moves = ["rows", "sections"].map { key in
          ((message[key] as? [String: Any])?["moves"] as? [Any])?.count ?? -1
        }
        let least = previous.leastMoves(to: list)
        #expect(moves == [least.rows, least.sections], "seed \(seed): \(message)")
      }
      previous = list
    }
    let end = try #require(messages.last)
    #expect(end["kind"] as? String == "end" && end["revision"] as? Int == list.revision)
    #expect(end["updates"] as? Int == expected.count)
    guard seed % 5 == 0 else { return }
    let free = try await Program.run("stdin", "--json", lines: lines)
    #expect(try free.list().sections == script.model.sections, "seed \(seed), without lockstep")
  }

  private func titles(_ result: Program.Result) throws -> [String] {
    try result.list().sections.flatMap { $0.rows.map(\.title) }
  }

  private static let good = #"{"op":"upsert","id":"a","section":"s","title":"kept"}"#

  @Test(arguments: [
    ("garbage", "no JSON"),
    ("{\"op\":\"upsert\"}", "the field \"id\" is missing"),
    ("{\"op\":\"upsrt\",\"id\":\"a\"}", "there is no op \"upsrt\" (did you mean upsert?)"),
    ("{\"op\":\"delete\",\"id\":\"zz\"}", "no row has the id zz"),
    ("{\"op\":\"upsert\",\"id\":\"new\"}", "the row \"new\" is new, so \"section\" is required"),
    ("{\"op\":\"move\",\"id\":\"a\",\"section\":\"zz\"}", "no section has the id zz"),
    ("{\"op\":\"move\",\"id\":\"a\",\"index\":7}", "row index 7 is out of range"),
    ("{\"op\":\"moveSection\",\"id\":\"s\",\"index\":-1}", "section index -1 is out of range"),
    ("{\"op\":\"upsert\",\"id\":\"a\",\"index\":\"x\"}", "index: expected an integer"),
    ("{\"op\":\"upsert\",\"id\":[1]}", "an id is a string or an integer"),
    (
      "{\"op\":\"batch\",\"events\":[{\"op\":\"delete\",\"id\":\"a\"},{\"op\":\"delete\",\"id\":\"a\"}]}",
      "event 1 of the batch"
    ),
    ("{\"op\":\"batch\",\"events\":[{\"op\":\"batch\",\"events\":[]}]}", "a batch cannot hold another batch"),
    (
      "{\"op\":\"replace\",\"sections\":[{\"id\":\"s\",\"rows\":[{\"id\":1},{\"id\":\"1\"}]}]}",
      "supplied item identifiers are not unique. Duplicate identifiers: 1"
    ),
    ("{\"op\":\"upsert\",\"id\":\"\\ud800\",\"section\":\"s\"}", "no JSON"),
    ("[]", "expected an object"),
    (String(repeating: "[", count: 5_000), "no JSON"),
  ])
  func `a bad line is reported with its number and changes nothing`(line: String, reason: String) async throws {
    let result = try await Program.run("stdin", "--json", lines: [Self.good, line, ""])
    #expect(result.status == 0)
    #expect(try titles(result) == ["kept"])
    #expect(result.errors.contains("line 2: ") && result.errors.contains(reason), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test(arguments: [[], ["--duration", "60"]])
  func `with --strict-input a bad line ends the program with 1, and what came before is kept`(
    _ others: [String]
  ) async throws {
    let after = #"{"op":"upsert","id":"b","section":"s","title":"late"}"#
    let input = Data([Self.good, "oops", after].map { $0 + "\n" }.joined().utf8)
    let result = try await Program.run(["stdin", "--json", "--strict-input"] + others, input: input)
    #expect(result.status == 1)
    #expect(result.errors.contains("line 2: no JSON"))
    #expect(try titles(result) == ["kept"])
  }

  @Test(arguments: [
    ("", [], ""), ("\r\n\n  \n\(good)\r\n{\"op\":\"upsert\",\"id\":\"b\",\"section\":\"s\"}", ["kept", "b"], ""),
    ("\(good)\n\u{FF}\n\(good)", ["kept"], "line 2: the line is not valid UTF-8"),
    (
      "\(good.replacing("kept", with: String(repeating: "x", count: 1_000_000)))\n"
        + "\(String(repeating: "y", count: 17_000_000))\n\(good)", ["kept"], "line 2: the line is longer than 16 MiB"
    ),
  ])
  func `a last line without an end counts, blank lines do not, and what is no text or too long is reported`(
    input: String, titles: [String], reason: String
  ) async throws {
    // In Latin-1 a letter that is no ASCII is no UTF-8.
    let result = try await Program.run(["stdin", "--json"], input: try #require(input.data(using: .isoLatin1)))
    #expect(result.status == 0)
    #expect(reason.isEmpty ? result.errors.isEmpty : result.errors.contains(reason), "\(result.errors)")
    #expect(try self.titles(result) == titles)
    #expect(try result.objects().compactMap { $0["kind"] as? String }.last == "end")
  }

  @Test func `hostile text cannot leave the line it is in, in any mode`() async throws {
    for text in HostileText.samples {
      let hostile = try HostileText.quoted(text)
      let lines = [
        upsert(hostile, hostile, section: hostile, subtitle: hostile), "{\"op\":\"delete\",\"id\":\"\(hostile)!\"}",
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\n" })),
      ]
      for mode in ["--json", "--log"] {
        let result = try await Program.run("stdin", mode, lines: lines)
        #expect(result.status == 0)
        #expect(!HostileText.acts(result.output) && !HostileText.acts(result.errors), "\(mode)")
        #expect(result.errors.split(separator: "\n").count == 2)
      }
    }
  }

  @Test func `a closed output ends the program quietly`() async throws {
    let folder = try TestFolder()
    let lines = (0..<5_000).map { #"{"op":"upsert","id":\#($0),"section":"s"}"# }.joined(separator: "\n")
    try folder.write("in", lines)
    let program = "'\(Program.url.path)' stdin --json --lockstep"
    try folder.run("bash -c \"set -o pipefail; \(program) < in 2> told | head -n 1 > /dev/null\"; echo $? >> told")
    #expect(try folder.read("told") == "0\n")
  }
}

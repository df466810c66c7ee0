import Testing

@testable import RowcastDemo

/// Lists that `demo` keeps in files.
@Suite(.watched) struct ArchiveTests {
  /// Lines of events, and the lists that they lead to.
  private struct Script {
    var lines: [String] = []
    /// The list at each revision, and the number of the lines that it has seen.
    var states: [(list: JSONList, lines: Int)] = [(JSONList(), 0)]

    init(seed: UInt64, count: Int) throws {
      var script = EventScript(seed: seed)
      for _ in 0..<count {
        lines.append(try script.next())
        if script.model.sections != states[states.count - 1].list.sections {
          states.append((script.model, lines.count))
        }
      }
    }
  }

  private func upserts(_ ids: Range<Int>, subtitle: String = "") -> [String] {
    ids.map { #"{"op":"upsert","id":"\#($0)","section":"s","title":"row \#($0)","subtitle":"\#(subtitle)"}"# }
  }

  @Test(arguments: [["stdin", "--json"], ["stdin", "--json", "--lockstep"], ["stdin", "--log"]])
  func `a list goes on where it was, and its file can be replayed`(arguments: [String]) async throws {
    let folder = try TestFolder()
    var former: (list: JSONList, epoch: String?) = (JSONList(), nil)
    for run in 0..<3 {
      let input = Data(upserts(run * 10..<(run + 1) * 10).map { $0 + "\n" }.joined().utf8)
      let result = try await Program.run(arguments + ["--archive", folder.archive], input: input)
      #expect(result.status == 0, "\(result.errors)")
      let replayed = try await Program.run(["replay", folder.archive, "--json"])
      let list = try replayed.list()
      #expect(list.sections.flatMap { $0.rows.map(\.id) } == (0..<(run + 1) * 10).map { "\($0)" })
      #expect(replayed.status == 0, "\(replayed.errors)")
      guard arguments.contains("--json") else { continue }
      let messages = try result.objects()
      var own = JSONList()
      try own.fold(try #require(messages.first))
      let epoch = messages.first?["epoch"] as? String
      // Without lockstep, the first lines may have been read already.
      if run > 0 { #expect(epoch != former.epoch && own.revision ?? 0 >= former.list.revision ?? 0) }
      if run > 0, arguments.contains("--lockstep") { #expect(own == former.list) }
      for message in messages.dropFirst() { try own.fold(message) }
      #expect(own.revision == (run + 1) * 10)
      former = (own, epoch)
    }
  }

  @Test func `the feed goes on in its file, in a run of its own whatever its seed`() async throws {
    let folder = try TestFolder()
    let arguments = ["feed", "--json", "--lockstep", "--archive", folder.archive]
    let first = try await Program.run(arguments + ["--seed", "7"])
    let second = try await Program.run(arguments + ["--max-updates", "1"])
    #expect(first.status == 0 && second.status == 0, "\(first.errors)\(second.errors)")
    let list = try first.list()
    var next = JSONList()
    let initial = try #require(try second.objects().first)
    try next.fold(initial)
    #expect(next == list)
    let lineage = try #require(initial["lineage"] as? [[String: Any]])
    let third = try await Program.run(arguments + ["--seed", "7", "--max-updates", "1"])
    let epochs = try [first, second, third].map { try $0.objects().first?["epoch"] as? String }
    #expect(Set(epochs).count == 3 && lineage.map { $0["epoch"] as? String } == Array(epochs.prefix(2)))
  }

  @Test func `a file that cannot be used is refused before anything is shown`() async throws {
    let folder = try TestFolder()
    try folder.write("list.jsonl", "{}\n")
    for (path, reason) in [
      (folder.archive, "line 1 is damaged"), (folder.path, "it is a directory"),
      (folder.path + "/none/list", "its folder does not exist; create it first"),
    ] {
      let result = try await Program.run(["stdin", "--json", "--archive", path])
      #expect(result.status == 1 && result.output.isEmpty)
      #expect(result.errors.contains(reason), "\(result.errors)")
    }
  }

  @Test func `a damaged file continues with --recover, and the damaged line is kept beside it`() async throws {
    let folder = try TestFolder()
    let arguments = ["stdin", "--json", "--lockstep", "--archive", folder.archive]
    // A program that ends leaves one line, with the whole list; a killed one those of its edits.
    let (input, output) = (Pipe(), Pipe())
    let program = Process.of(arguments)
    (program.standardInput, program.standardOutput) = (input, output)
    try program.run()
    let events = (1...3).map { upsert("\($0)", "row \($0)") + "\n" }
    try input.fileHandleForWriting.write(contentsOf: Data(events.joined().utf8))
    let reading = output.fileHandleForReading
    for try await line in FileLines(descriptor: reading.fileDescriptor, keeping: reading).prefix(4) {
      #expect(!line.bytes.isEmpty)
    }
    program.kill()
    program.waitUntilExit()
    var lines = try folder.read("list.jsonl").split(separator: "\n").map(String.init)
    let place = try #require(lines.firstIndex { $0.contains("row 2") })
    lines[place] = lines[place].replacing("row 2", with: "row 0")
    try folder.write("list.jsonl", lines.joined(separator: "\n") + "\n")
    let refused = try await Program.run(arguments)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("line \(place + 1) is damaged; add --recover"), "\(refused.errors)")
    let recovered = try await Program.run(arguments + ["--recover"])
    #expect(recovered.status == 0 && recovered.errors.hasPrefix("demo: \(folder.archive) was damaged; "))
    let rest = try #require(recovered.errors.split(separator: " ").last).trimmingCharacters(in: .newlines)
    // The line after the damaged one depends on it.
    #expect(recovered.errors.contains("; 2 lines are not in the list"), "\(recovered.errors)")
    #expect(try String(contentsOfFile: rest, encoding: .utf8) == lines[place...].joined(separator: "\n") + "\n")
    #expect(try recovered.list().sections.flatMap(\.rows).map(\.title) == ["row 1"])
    let next = try await Program.run(arguments + ["--recover"])
    #expect(try next.status == 0 && next.errors.isEmpty && next.list() == recovered.list())
    try folder.write("list.jsonl", "{}\n")
    let lost = try await Program.run(arguments + ["--recover"])
    #expect(lost.status == 1 && lost.errors.contains("line 1 is damaged, and no line has a whole list; move"))
  }

  @Test func `every error of a file names it, and no word of it is for the author of a program`() {
    let path = "/some/list.jsonl"
    let errors: [ArchiveError] = [
      .inUse(path: path, process: 7), .inUse(path: path, process: nil), .failed(reason: "\(path): Is a directory"),
      .replaced(path: path), .damaged(path: path, line: 4), .unreadable(path: path, line: 4, reason: "a reason"),
      .unencodable(reason: "a reason"),
    ]
    for error in errors {
      for recovers in [false, true] {
        let text = error.advice(for: path, recovers: recovers)
        #expect(text.hasPrefix(path))
        for word in ["`", "archive", "encoder", "recovering"] { #expect(!text.contains(word), "\(text)") }
        #expect(!recovers || !text.contains("--recover"), "\(text)")
      }
    }
  }

  /// The revision of the last complete line of a file.
  private func lastRevision(in folder: TestFolder) throws -> Int {
    let lines = try folder.read("list.jsonl").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let line = String(try #require(lines.last))
    return try #require(Program.objects(of: [line])[0]["revision"] as? Int)
  }

  @Test func `a killed process leaves a list that it had, and no older one than it has told`() async throws {
    var random = SeededGenerator.forFuzzing("killed archives")
    let folder = try TestFolder()
    var script = try Script(seed: random.next(), count: 1_500)
    var (told, kept) = (0, 0)
    for round in 0..<SeededGenerator.rounds(5, long: 500) {
      let program = try LiveProgram(
        ["stdin", "--lockstep", "--quiet", "--archive", folder.archive],
        lines: Array(script.lines[script.states[kept].lines...].prefix(400)))
      var rest = Int.random(in: 0...120, using: &random)
      while let message = try await program.next() {
        let revision = try #require(program.list.revision)
        #expect(program.list.sections == script.states[revision].list.sections, "round \(round), revision \(revision)")
        if message["kind"] as? String == "initial" { #expect(revision == kept, "round \(round)") }
        told = revision
        if rest == 0 { kill(program.id, SIGKILL) }
        rest -= 1
      }
      program.terminate(kills: true)
      kept = try lastRevision(in: folder)
      #expect(kept >= told, "round \(round): \(told) was told, and \(kept) is in the file")
      if script.lines.count - script.states[kept].lines < 500 {
        try FileManager.default.removeItem(atPath: folder.archive)
        script = try Script(seed: random.next(), count: 1_500)
        (told, kept) = (0, 0)
      }
    }
  }

  @Test func `a second program is told which one has the file, and a killed one is not in the way`() async throws {
    let folder = try TestFolder()
    let (input, output) = (Pipe(), Pipe())
    let first = Process.of(["stdin", "--json", "--archive", folder.archive])
    (first.standardInput, first.standardOutput) = (input, output)
    try first.run()
    let reading = output.fileHandleForReading
    var lines = FileLines(descriptor: reading.fileDescriptor, keeping: reading).makeAsyncIterator()
    _ = try await lines.next()
    let second = try await Program.run(["stdin", "--archive", folder.archive])
    #expect(second.status == 1)
    #expect(second.errors.contains("the file is in use by process \(first.processIdentifier)"), "\(second.errors)")
    first.kill()
    first.waitUntilExit()
    let third = try await Program.run(["stdin", "--archive", folder.archive])
    #expect(third.status == 0, "\(third.errors)")
  }

  @Test func `a full disk ends the program with an error, and the list is as it was told`() async throws {
    let folder = try TestFolder()
    let events = upserts(0..<200, subtitle: String(repeating: "-", count: 12_000))
    try folder.write("in", events.map { $0 + "\n" }.joined())
    // Without the signal, writing beyond the limit of one or two megabytes fails as on a full disk. Pipes have no limit, and
    // ThreadSanitizer begins with a file of half a megabyte.
    let demo = "'\(Program.url.path)' stdin --json --lockstep --archive '\(folder.archive)'"
    try folder.run("trap '' XFSZ; (ulimit -f 2048; exec \(demo) < in 2> errors) | cat > out")
    let errors = try folder.read("errors")
    #expect(errors.contains("cannot write \(folder.archive): File too large"), "\(errors)")
    let lines = try folder.read("out").split(separator: "\n").map(String.init)
    let list = try Program.list(of: lines)
    let again = try await Program.run(["stdin", "--json", "--archive", folder.archive])
    var kept = JSONList()
    try kept.fold(try #require(try again.objects().first))
    #expect(kept == list && (10..<199).contains(kept.revision ?? 0))
  }
}

extension TestFolder {
  fileprivate var archive: String { "\(path)/list.jsonl" }
}

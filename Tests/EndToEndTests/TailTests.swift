import Testing

@testable import RowcastDemo

@Suite(.watched) struct TailTests {
  /// A log in a folder of its own.
  private struct Log {
    let folder: TestFolder
    var path: String { "\(folder.path)/app.log" }

    init() throws { folder = try TestFolder() }

    func append(_ text: String, to name: String = "app.log") throws { try append(Array(text.utf8), to: name) }

    func append(_ bytes: [UInt8], to name: String = "app.log") throws {
      if !FileManager.default.fileExists(atPath: "\(folder.path)/\(name)") { try folder.write(name, "") }
      try open(name) {
        try $0.seekToEnd()
        try $0.write(contentsOf: bytes)
      }
    }

    func open(_ name: String = "app.log", _ write: (FileHandle) throws -> Void) throws {
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder.path)/\(name)"))
      defer { try? handle.close() }
      try write(handle)
    }

    func truncate() throws { try open { try $0.truncate(atOffset: 0) } }

    /// A pipe in the place of the log. The call reads the path alone.
    func makePipe() throws { try #require(unsafe mkfifo(path, 0o600) == 0) }
  }

  @Test func `a log that grows, is rotated and truncated loses no line and repeats none`() async throws {
    let log = try Log()
    var expected = ["INFO one", "WARN two"]
    try log.append("INFO one\nWARN two\n")
    let program = try LiveProgram(["tail", log.path])
    func see(_ new: [String]) async throws {
      expected += new
      try await program.read { $0.lines == expected }
    }
    try await see([])
    try log.append("three\nfo")
    // The beginning of a line is shown when nothing follows, and becomes the line.
    try await see(["three", "fo"])
    expected.removeLast()
    try log.append("ur\n")
    try await see(["four"])
    try log.append(Array("ERROR caf".utf8) + [0xC3, 0x28, 0xFF] + Array(" \u{1B}[31m\n".utf8))
    try await see(["ERROR caf\u{FFFD}(\u{FFFD} \u{1B}[31m"])
    // By renaming; its writer is slow to notice.
    try log.folder.move("app.log", "app.log.1")
    try log.append("late 1\n", to: "app.log.1")
    try await see(["late 1"])
    try log.append("late 2\n", to: "app.log.1")
    try log.append("first of the next\n")
    try await see(["late 2", "first of the next"])
    // By truncating; the new content is longer than the old.
    try log.truncate()
    let burst = (0..<3_000).map { "DEBUG burst \($0)" }
    try log.append(burst.map { $0 + "\n" }.joined())
    try await see(burst)
    // By deleting.
    try FileManager.default.removeItem(atPath: log.path)
    try log.append("FATAL again\n")
    try await see(["FATAL again"])
    #expect(program.list.sections.map(\.id) == ["fatal", "error", "warning", "info", "debug", "other"])
    #expect(program.terminate() == 143)
  }

  @Test func `the newest line stands last, or first if that is wanted`() async throws {
    let log = try Log()
    try log.append("1\n2\n3\n")
    for (order, expected) in [("last", ["2", "3", "4"]), ("first", ["4", "3", "2"])] {
      let program = try LiveProgram(["tail", log.path, "--newest", order, "--lines", "2"])
      try await program.read { $0.lines.count == 2 }
      try log.append("4\n")
      try await program.read { $0.lines.count == 3 }
      #expect(program.list.sections.map { $0.rows.map(\.title) } == [expected])
      try log.truncate()
      try log.append("1\n2\n3\n")
    }
  }

  @Test func `in lockstep each line is one update, and the log in words holds every line`() async throws {
    let log = try Log()
    try log.append("INFO a\nERROR b\n  at c\nINFO d\n")
    let json = try await Program.run(["tail", log.path, "--json", "--lockstep", "--max-updates", "5"])
    #expect(try json.objects().compactMap { $0["revision"] as? Int } == [0, 1, 2, 3, 4, 4])
    let words = try await Program.run(["tail", log.path, "--lockstep", "--max-updates", "5"])
    for line in ["INFO a", "ERROR b", "  at c", "INFO d"] { #expect(words.output.contains(": \(line)\n"), "\(line)") }
    #expect(words.status == 0 && words.errors.isEmpty)
  }

  @Test func `a log may be standard input`() async throws {
    let result = try await Program.run("tail", "-", "--json", lines: ["\u{FEFF}INFO one", "ERROR two", "last"])
    let list = try result.list()
    #expect(list.lines == ["INFO one", "ERROR two", "last"] && result.status == 0)
  }

  @Test func `a pipe with a name is followed over all its writers`() async throws {
    let log = try Log()
    try log.makePipe()
    let program = try LiveProgram(["tail", log.path])
    for (text, lines) in [("one\ntwo\n", ["one", "two"]), ("three\n", ["one", "two", "three"])] {
      try log.open { try $0.write(contentsOf: Data(text.utf8)) }
      try await program.read { $0.lines == lines }
    }
    #expect(program.terminate() == 143)
  }

  @Test func `a recording in a pipe that nobody writes is waited for as long as the run is to take`() async throws {
    let log = try Log()
    try log.makePipe()
    let result = try await Program.run(["replay", log.path, "--duration", "0.2", "--json"])
    #expect(result.status == 0 && result.errors.isEmpty)
  }
}

extension JSONList {
  /// The lines of a log, in their order of arrival.
  fileprivate var lines: [String] {
    sections.flatMap(\.rows).sorted { (Int($0.id) ?? 0) < (Int($1.id) ?? 0) }.map(\.title)
  }
}

@Suite(.watched) struct LogLevelTests {
  @Test(arguments: [
    ("2026-11-21 12:00:01 ERROR cannot open", LogLevel.error), ("[warn] low disk", .warning),
    (#"{"time":1,"level":"debug","msg":"error"}"#, .debug), ("time=1 level=info msg=x", .info),
    ("error: no such file", .error), ("Warning: old", .warning), ("<crit> x", .fatal), ("kernel PANIC", .fatal),
    ("2026 VERBOSE x ERROR", .trace), ("12:00 | notice | x", nil), ("no error found", nil), ("ERRORS: 0", nil),
    ("an informer", nil), ("", nil), (String(repeating: "x", count: 200) + " ERROR", nil),
  ])
  func `a level is found where levels stand`(line: String, level: LogLevel?) {
    #expect(LogLevel(in: line) == level)
  }
}

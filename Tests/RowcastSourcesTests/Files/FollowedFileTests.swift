@testable import RowcastSources

@Suite(.watched) struct FollowedFileTests {
  private let folder = TestFolder()

  @Test func `the last lines of a long file are found across its chunks`() async throws {
    let all = (0..<4_000).map { "line \($0) " + String(repeating: "x", count: $0 % 97) }
    try folder.write(all.map { $0 + "\n" }.joined(), to: "log")
    for count in [1, 700, 1_500, 3_999, 4_000, 5_000] {
      var lines = FollowedFile(folder.path("log"), from: .lastLines(count), method: watchMethods[1]).makeAsyncIterator()
      let expected = Array(all.suffix(count))
      #expect(try await lines.texts(expected.count) == expected)
    }
  }

  @Test(arguments: watchMethods)
  func `the beginning of a line comes when nothing follows for a while, and the line has its number`(
    method: WatchMethod
  ) async throws {
    try folder.write("\u{FEFF}old\nname?", to: "log")
    var lines = FollowedFile(folder.path("log"), from: .beginning, method: method, incompleteAfter: .milliseconds(1))
      .makeAsyncIterator()
    func next() async throws -> [String] {
      let line = try #require(try await lines.next())
      return ["\(line.number)", line.text, line.isComplete ? "" : "…"]
    }
    #expect(try await next() == ["1", "old", ""])
    #expect(try await next() == ["2", "name?", "…"])
    try folder.append(" ada", to: "log")
    #expect(try await next() == ["2", "name? ada", "…"])
    try folder.append("\nage", to: "log")
    #expect(try await next() == ["2", "name? ada", ""])
    #expect(try await next() == ["3", "age", "…"])
    // What takes the place of the file ends the line.
    try folder.rename("log", to: "log.1")
    try folder.write("new\n", to: "log")
    #expect(try await next() == ["3", "age", ""])
    #expect(try await next() == ["4", "new", ""])
  }

  @Test func `the beginning of a line comes once, however long nothing follows`() async throws {
    for name in ["log", "other"] { try folder.write("name?", to: name) }
    func file(_ name: String) -> FollowedFile {
      FollowedFile(folder.path(name), from: .beginning, method: watchMethods[1], incompleteAfter: .milliseconds(1))
    }
    let texts = Recorder<String>()
    let reader = Task { [log = file("log")] in
      for try await line in log { await texts.note(line.isComplete ? line.text : line.text + "…") }
    }
    await eventually { await !texts.values.isEmpty }
    // Another file is quiet for as long, three times.
    var others = file("other").makeAsyncIterator()
    for _ in 0..<3 {
      _ = try await others.next()
      try folder.append("a", to: "other")
    }
    try folder.append("\n", to: "log")
    await eventually { await texts.values.count > 1 }
    #expect(await texts.values == ["name?…", "name?"])
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
  }

  @Test(arguments: ["/dev/null", "log"])
  func `what takes the place of a log and cannot be read is told, after the log was read to its end`(
    linked: String
  ) throws {
    try folder.write("1\n", to: "log")
    let file = GrowingFile(path: folder.path("log"), start: .beginning, cutter: LineCutter(limit: 100))
    while try file.look() != nil {}
    try folder.rename("log", to: "log.1")
    try folder.append("2\n", to: "log.1")
    // A device, or a loop of links.
    try folder.link("log", to: linked)
    #expect(try file.look()?.map(\.text) == ["2"])
    #expect(throws: SystemError.self) { try file.look() }
    // The reader continues as soon as it can.
    try folder.remove("log")
    #expect(try file.look() == nil)
    try folder.write("3\n", to: "log")
    #expect(try file.look() == [])
    #expect(try file.look()?.map(\.text) == ["3"])
  }

  @Test func `following starts where it is told to, also if the first look fails`() throws {
    try folder.link("log", to: "log")
    let file = GrowingFile(path: folder.path("log"), start: .lastLines(1), cutter: LineCutter(limit: 100))
    #expect(throws: SystemError.self) { try file.look() }
    try folder.remove("log")
    try folder.write("1\n2\n", to: "log")
    #expect(try file.look() == [])
    #expect(try file.look()?.map(\.text) == ["2"])
  }

  @Test func `a symbolic link is followed, also when it leads elsewhere`() async throws {
    try folder.write("a\n", to: "one")
    try folder.write("b\n", to: "two")
    try folder.link("log", to: "one")
    var lines = FollowedFile(folder.path("log"), from: .beginning, lineLimit: 4).makeAsyncIterator()
    #expect(try await lines.texts(1) == ["a"])
    try folder.append("more than four\n", to: "one")
    #expect(try await lines.texts(1) == ["more"])
    try folder.remove("log")
    try folder.link("log", to: "two")
    #expect(try await lines.texts(1) == ["b"])
  }

  @Test func `what cannot be followed is named`() async throws {
    var device = FollowedFile("/dev/null").makeAsyncIterator()
    await #expect(throws: FileError.self) { _ = try await device.next() }
  }

  @Test func `cancelling ends the reading of a line, however long it is`() async throws {
    try folder.write("", to: "log")
    // A hole, which takes no space, and half an hour to read: on a busy machine the cancellation may be late.
    try folder.truncate("log", to: 1 << 36)
    try folder.append("end\n", to: "log")
    let lines = FollowedFile(folder.path("log"), from: .beginning, lineLimit: 100).makeAsyncIterator()
    let reached = Gate()
    let task = Task { [lines] in
      var lines = lines
      await reached.open()
      return try await lines.next()
    }
    await reached.pass()
    // The task gets beyond its first check.
    for _ in 0..<10 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(arguments: watchMethods)
  func `whatever happens to a log is noticed, and its lines come once and in order`(method: WatchMethod) async throws {
    try folder.write("", to: "log")
    var lines = FollowedFile(folder.path("log"), from: .beginning, method: method).makeAsyncIterator()
    for round in 0..<12 {
      try folder.append("\(round) a\n\(round) b", to: "log")
      #expect(try await lines.texts(1) == ["\(round) a"])
      try folder.append(" c\n", to: "log")
      #expect(try await lines.texts(1) == ["\(round) b c"])
      switch round % 3 {
      case 0: try folder.truncate("log")
      case 1: try folder.remove("log")
      default:
        try folder.rename("log", to: "log.1")
        try folder.append("\(round) late\n", to: "log.1")
        if round < 6 { #expect(try await lines.texts(1) == ["\(round) late"]) }
        try folder.append("\(round) new\n", to: "log")
        #expect(try await lines.texts(round < 6 ? 1 : 2).last == "\(round) new")
      }
    }
  }
}

import Foundation
import RowcastPlatform
import RowcastTestSupport
import Testing

@testable import RowcastSources

@Suite(.watched) struct FollowedFileTests {
  private func follow(
    _ folder: TestFolder, from start: FollowedFile.Start = .end, _ watching: Watching
  ) -> FollowedFile.AsyncIterator {
    FollowedFile(folder.path("log"), from: start, method: watching.method).makeAsyncIterator()
  }

  @Test(arguments: [
    (FollowedFile.Start.beginning, ["1", "2", "3", "part done"]),
    (.lastLines(.max), ["1", "2", "3", "part done"]),
    (.lastLines(2), ["2", "3", "part done"]),
    (.end, ["part done"]),
  ])
  func `following starts where it is told to, and never within a line`(
    start: FollowedFile.Start, expected: [String]
  ) async throws {
    let folder = try TestFolder()
    try folder.write("1\n2\n3\npart", to: "log")
    var file = GrowingFile(path: folder.path("log"), start: start, lineLimit: .max)
    var texts: [String] = []
    while let lines = try file.look() { texts += lines.map(\.text) }
    #expect(texts == expected.dropLast())
    try folder.append(" done\n", to: "log")
    while let lines = try file.look() { texts += lines.map(\.text) }
    #expect(texts == expected)
  }

  @Test func `the last lines of a long file are found across its chunks`() async throws {
    let folder = try TestFolder()
    let all = (0..<4_000).map { "line \($0) " + String(repeating: "x", count: $0 % 97) }
    try folder.write(all.map { $0 + "\n" }.joined(), to: "log")
    for count in [1, 700, 1_500, 3_999, 4_000, 5_000] {
      var lines = follow(folder, from: .lastLines(count), .polling)
      let expected = Array(all.suffix(count))
      #expect(try await lines.texts(expected.count) == expected)
    }
  }

  @Test(arguments: Watching.allCases)
  func `the beginning of a line comes when nothing follows for a while, and the line has its number`(
    watching: Watching
  ) async throws {
    let folder = try TestFolder()
    try folder.write("\u{FEFF}old\nname?", to: "log")
    var lines = FollowedFile(
      folder.path("log"), from: .beginning, method: watching.method, incompleteAfter: .milliseconds(1)
    ).makeAsyncIterator()
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
    let folder = try TestFolder()
    for name in ["log", "other"] { try folder.write("name?", to: name) }
    func file(_ name: String) -> FollowedFile {
      let polling = Watching.polling.method
      return FollowedFile(folder.path(name), from: .beginning, method: polling, incompleteAfter: .milliseconds(1))
    }
    let seen = CallCount()
    let texts = Task { [log = file("log")] in
      var texts: [String] = []
      for try await line in log {
        texts.append(line.isComplete ? line.text : line.text + "…")
        seen.note(())
        if line.isComplete { break }
      }
      return texts
    }
    await eventually { seen.value > 0 }
    // Another file is quiet for as long, three times.
    var others = file("other").makeAsyncIterator()
    for _ in 0..<3 {
      _ = try await others.next()
      try folder.append("a", to: "other")
    }
    try folder.append("\n", to: "log")
    #expect(try await texts.value == ["name?…", "name?"])
  }

  @Test(arguments: ["a device", "a loop of links"])
  func `what takes the place of a log and cannot be read is told, after the log was read to its end`(
    successor: String
  ) throws {
    let folder = try TestFolder()
    try folder.write("1\n", to: "log")
    var file = GrowingFile(path: folder.path("log"), start: .beginning, lineLimit: 100)
    while try file.look() != nil {}
    try folder.rename("log", to: "log.1")
    try folder.append("2\n", to: "log.1")
    if successor == "a device" {
      try FileManager.default.createSymbolicLink(atPath: folder.path("log"), withDestinationPath: "/dev/null")
    } else {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("log"), withDestinationPath: folder.path("log"))
    }
    #expect(try file.look()?.map(\.text) == ["2"])
    #expect(throws: SystemError.self) { try file.look() }
    // The reader goes on as soon as it can.
    try folder.remove("log")
    #expect(try file.look() == nil)
    try folder.write("3\n", to: "log")
    #expect(try file.look() == [])
    #expect(try file.look()?.map(\.text) == ["3"])
  }

  @Test(arguments: [FollowedFile.Start.end, .lastLines(1)])
  func `following starts where it is told to, also if the first look fails`(start: FollowedFile.Start) throws {
    let folder = try TestFolder()
    try folder.write("1\n2\n", to: "real")
    // A loop of links, which cannot be looked at.
    try FileManager.default.createSymbolicLink(atPath: folder.path("log"), withDestinationPath: folder.path("log"))
    var file = GrowingFile(path: folder.path("log"), start: start, lineLimit: 100)
    #expect(throws: SystemError.self) { try file.look() }
    try folder.remove("log")
    try FileManager.default.createSymbolicLink(atPath: folder.path("log"), withDestinationPath: folder.path("real"))
    var texts: [String] = []
    while let lines = try file.look() { texts += lines.map(\.text) }
    #expect(texts == (start == .end ? [] : ["2"]))
  }

  @Test func `a symbolic link is followed, also when it leads elsewhere`() async throws {
    let folder = try TestFolder()
    try folder.write("a\n", to: "one")
    try folder.write("b\n", to: "two")
    try FileManager.default.createSymbolicLink(atPath: folder.path("log"), withDestinationPath: folder.path("one"))
    var lines = FollowedFile(folder.path("log"), from: .beginning, lineLimit: 4).makeAsyncIterator()
    #expect(try await lines.texts(1) == ["a"])
    try folder.append("more than four\n", to: "one")
    #expect(try await lines.texts(1) == ["more"])
    try folder.remove("log")
    try FileManager.default.createSymbolicLink(atPath: folder.path("log"), withDestinationPath: folder.path("two"))
    #expect(try await lines.texts(1) == ["b"])
  }

  @Test func `what cannot be followed is named`() async throws {
    var device = FollowedFile("/dev/null").makeAsyncIterator()
    await #expect(throws: FileError.self) { _ = try await device.next() }
  }

  @Test(arguments: Watching.allCases)
  func `cancelling ends the wait`(watching: Watching) async throws {
    let folder = try TestFolder()
    try folder.write("1\n", to: "log")
    let path = folder.path("log")
    let reached = Gate()
    let task = Task {
      for try await _ in FollowedFile(path, from: .beginning, method: watching.method) { await reached.open() }
    }
    await reached.pass()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `cancelling ends the reading of a line, however long it is`() async throws {
    let folder = try TestFolder()
    try folder.write("", to: "log")
    // A hole, which takes no space, and half an hour to read: on a busy machine the cancellation may come late.
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

  @Test(arguments: Watching.allCases)
  func `a wait that was cancelled is no end of those after it`(watching: Watching) async throws {
    let folder = try TestFolder()
    try folder.write("1\n", to: "log")
    var waiter = PathWaiter(path: folder.path("log"), method: watching.method)
    waiter.prepare()
    for _ in 0..<3 {
      let cancelled = Task { [waiter] in
        while true { _ = try await waiter.wait() }
      }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
    try folder.append("2\n", to: "log")
    #expect(try await waiter.wait() == (watching == .automatic))
  }

  @Test(arguments: Watching.allCases)
  func `whatever happens to a log, its lines come once and in order`(watching: Watching) async throws {
    var random = SeededGenerator.forFuzzing("followed file")
    for _ in 0..<SeededGenerator.rounds(8, long: 100) {
      let folder = try TestFolder()
      try folder.write("", to: "log")
      var lines = follow(folder, from: .beginning, watching)
      var script = LogScript(folder: folder)
      for _ in 0..<60 {
        if try script.step(using: &random) {
          // What was not read before it is truncated, or before the file is replaced twice, would be gone.
          #expect(try await lines.texts(script.unread.count) == script.unread)
          try script.replace(truncating: Bool.random(using: &random))
        }
      }
      try script.finishLine()
      #expect(try await lines.texts(script.unread.count) == script.unread)
    }
  }
}

/// A logger with all its habits, and the lines that a reader is to see.
private struct LogScript {
  let folder: TestFolder
  private(set) var unread: [String] = []
  private var partial = ""
  private var number = 0

  init(folder: TestFolder) {
    self.folder = folder
  }

  /// Writes something. Returns whether the log is to be replaced next.
  mutating func step(using random: inout SeededGenerator) throws -> Bool {
    if Int.random(in: 0..<6, using: &random) > 0 {
      try write(lines: Int.random(in: 0...40, using: &random), endsLine: Bool.random(using: &random))
      return false
    }
    try finishLine()
    return true
  }

  mutating func finishLine() throws { try write(lines: 1, endsLine: true) }

  /// Goes on in an empty file: the same one, or another one after a last line to the one that is renamed.
  mutating func replace(truncating: Bool) throws {
    unread = []
    if truncating {
      try folder.truncate("log")
    } else {
      try folder.rename("log", to: "log.1")
      try write(lines: 1, endsLine: true, to: "log.1")
    }
    try write(lines: 1, endsLine: false)
  }

  private mutating func write(lines: Int, endsLine: Bool, to name: String = "log") throws {
    var text = ""
    for _ in 0..<lines {
      number += 1
      text += "\(number) " + String(repeating: "é", count: number % 31) + "\n"
    }
    if !endsLine { text += "part \(number)" }
    guard !text.isEmpty else { return }
    try folder.append(text, to: name)
    let parts = (partial + text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    unread += parts.dropLast()
    partial = parts.last ?? ""
  }
}

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

  @Test(arguments: Watching.allCases)
  func `a line comes when it is complete`(watching: Watching) async throws {
    let folder = try TestFolder()
    try folder.write("old\n", to: "log")
    var lines = follow(folder, from: .beginning, watching)
    #expect(try await lines.texts(1) == ["old"])
    try folder.append("one\ntw", to: "log")
    #expect(try await lines.texts(1) == ["one"])
    try folder.append("o\nthree", to: "log")
    #expect(try await lines.texts(1) == ["two"])
    try folder.append("\n", to: "log")
    let last = try #require(try await lines.next())
    #expect(last.text == "three" && last.number == 4)
  }

  @Test(arguments: [
    (FollowedFile.Start.beginning, ["1", "2", "3", "part done"]),
    (.lastLines(9), ["1", "2", "3", "part done"]),
    (.lastLines(2), ["2", "3", "part done"]),
    (.end, ["part done"]),
  ])
  func `following starts where it is told to, and never within a line`(
    start: FollowedFile.Start, expected: [String]
  ) async throws {
    let folder = try TestFolder()
    try folder.write("1\n2\n3\npart", to: "log")
    var file = GrowingFile(path: folder.path("log"), start: start, lineLimit: 100)
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
  func `a file that is renamed is read to its end before the one that takes its place`(watching: Watching) async throws
  {
    let folder = try TestFolder()
    try folder.write("1\n", to: "log")
    var lines = follow(folder, from: .beginning, watching)
    #expect(try await lines.texts(1) == ["1"])
    try folder.append("2\n", to: "log")
    try folder.rename("log", to: "log.1")
    // Its writer has not noticed yet.
    try folder.append("3\n", to: "log.1")
    #expect(try await lines.texts(2) == ["2", "3"])
    try folder.write("", to: "log")
    try folder.append("4\n", to: "log.1")
    #expect(try await lines.texts(1) == ["4"])
    try folder.append("5\nunfinished", to: "log.1")
    try folder.append("6\n", to: "log")
    #expect(try await lines.texts(3) == ["5", "unfinished", "6"])
    try folder.append("7\n", to: "log")
    #expect(try await lines.texts(1) == ["7"])
  }

  @Test func `a file that was renamed is read as long as the one in its place is empty`() throws {
    let folder = try TestFolder()
    try folder.write("1\n", to: "log")
    var file = GrowingFile(path: folder.path("log"), start: .end, lineLimit: 100)
    #expect(try file.look() == [])
    try folder.rename("log", to: "log.1")
    try folder.write("", to: "log")
    #expect(try file.look() == nil)
    try folder.append("late\n", to: "log.1")
    #expect(try file.look()?.map(\.text) == ["late"])
    try folder.append("next\n", to: "log")
    #expect(try file.look() == [])
    #expect(try file.look()?.map(\.text) == ["next"])
    #expect(try file.look() == nil)
  }

  @Test(arguments: Watching.allCases, ["", "new\n", "twice as new\n", "the same\n"])
  func `a file that is truncated is read from its beginning`(watching: Watching, content: String) async throws {
    let folder = try TestFolder()
    try folder.write("the same\n", to: "log")
    var lines = follow(folder, from: .beginning, watching)
    #expect(try await lines.texts(1) == ["the same"])
    try folder.truncate("log")
    // Shorter than before, longer, as long, and equal: what is equal cannot be told from what was read.
    try folder.append(content, to: "log")
    try folder.append("end\n", to: "log")
    let isSeen = content != "" && content != "the same\n"
    #expect(try await lines.texts(isSeen ? 2 : 1) == (isSeen ? [String(content.dropLast()), "end"] : ["end"]))
  }

  @Test func `a line that is incomplete when its file is truncated counts as it is`() throws {
    let folder = try TestFolder()
    try folder.write("1\nhalf", to: "log")
    var file = GrowingFile(path: folder.path("log"), start: .beginning, lineLimit: 100)
    var texts: [String] = []
    while let lines = try file.look() { texts += lines.map(\.text) }
    try folder.truncate("log")
    try folder.append("2\n", to: "log")
    while let lines = try file.look() { texts += lines.map(\.text) }
    #expect(texts == ["1", "half", "2"])
  }

  @Test func `a file whose content is replaced by a longer one is read from its beginning`() throws {
    let folder = try TestFolder()
    try folder.write("old 1\nold 2\n", to: "log")
    var file = GrowingFile(path: folder.path("log"), start: .beginning, lineLimit: 100)
    var texts: [String] = []
    while let lines = try file.look() { texts += lines.map(\.text) }
    // In one step, so that no look finds the file shorter than it was.
    try folder.overwrite("new 1\nnew 2\nnew 3\n", in: "log")
    while let lines = try file.look() { texts += lines.map(\.text) }
    #expect(texts == ["old 1", "old 2", "new 1", "new 2", "new 3"])
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

  @Test func `beginnings of lines double no line, whatever pieces a log is written in`() async throws {
    var random = SeededGenerator.forFuzzing("incomplete lines")
    for _ in 0..<SeededGenerator.rounds(10, long: 300) {
      let folder = try TestFolder()
      try folder.write("", to: "log")
      var lines = FollowedFile(
        folder.path("log"), from: .beginning, method: .polling(every: .milliseconds(1)),
        incompleteAfter: .milliseconds(1)
      ).makeAsyncIterator()
      var (text, shown) = ("", [Int: String]())
      for _ in 0..<20 {
        let piece = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          ["a", "b", "\n"].randomElement(using: &random) ?? ""
        }
        .joined()
        text += piece
        try folder.append(piece, to: "log")
        let expected = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let wanted = expected.last == "" ? expected.dropLast() : expected[...]
        while shown.count < wanted.count || wanted.enumerated().contains(where: { shown[$0.offset + 1] != $0.element })
        {
          let line = try #require(try await lines.next())
          shown[line.number] = line.text
        }
        #expect(shown.count == wanted.count)
      }
    }
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

  @Test(arguments: Watching.allCases)
  func `a file that is not there is waited for`(watching: Watching) async throws {
    let folder = try TestFolder()
    let path = folder.path("log")
    let first = Task {
      var lines = FollowedFile(path, from: .beginning, method: watching.method).makeAsyncIterator()
      return try await lines.texts(1)
    }
    var file = GrowingFile(path: path, start: .end, lineLimit: 100)
    #expect(try file.look() == nil)
    try folder.write("first\n", to: "log")
    #expect(try file.look() == [])
    #expect(try file.look()?.map(\.text) == ["first"])
    #expect(try await first.value == ["first"])
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

  @Test func `a folder in the place of a file is waited for, as a missing file is`() throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(atPath: folder.path("log"), withIntermediateDirectories: false)
    var file = GrowingFile(path: folder.path("log"), start: .end, lineLimit: 100)
    #expect(try file.look() == nil)
    try folder.remove("log")
    try folder.write("1\n", to: "log")
    #expect(try file.look() == [])
    #expect(try file.look()?.map(\.text) == ["1"])
  }

  @Test func `a folder that takes the place of a log leaves the reader where it is`() throws {
    let folder = try TestFolder()
    try folder.write("1\n", to: "log")
    var file = GrowingFile(path: folder.path("log"), start: .beginning, lineLimit: 100)
    while try file.look() != nil {}
    try folder.rename("log", to: "log.1")
    try FileManager.default.createDirectory(atPath: folder.path("log"), withIntermediateDirectories: false)
    try folder.append("2\n", to: "log.1")
    #expect(try file.look()?.map(\.text) == ["2"])
    #expect(try file.look() == nil)
    try folder.remove("log")
    try folder.write("3\n", to: "log")
    #expect(try file.look() == [])
    #expect(try file.look()?.map(\.text) == ["3"])
  }

  @Test(arguments: Watching.allCases)
  func `a file that is deleted and made again goes on from its beginning`(watching: Watching) async throws {
    let folder = try TestFolder()
    try folder.write("1\n", to: "log")
    var lines = follow(folder, from: .beginning, watching)
    #expect(try await lines.texts(1) == ["1"])
    for round in 0..<5 {
      try folder.remove("log")
      try folder.write("again \(round)\n", to: "log")
      #expect(try await lines.texts(1) == ["again \(round)"])
    }
  }

  @Test func `a symbolic link is followed, also when it leads elsewhere`() async throws {
    let folder = try TestFolder()
    try folder.write("a\n", to: "one")
    try folder.write("b\n", to: "two")
    try FileManager.default.createSymbolicLink(atPath: folder.path("log"), withDestinationPath: folder.path("one"))
    var lines = follow(folder, from: .beginning, .automatic)
    #expect(try await lines.texts(1) == ["a"])
    try folder.append("more\n", to: "one")
    #expect(try await lines.texts(1) == ["more"])
    try folder.remove("log")
    try FileManager.default.createSymbolicLink(atPath: folder.path("log"), withDestinationPath: folder.path("two"))
    #expect(try await lines.texts(1) == ["b"])
  }

  @Test func `bytes that are no UTF-8 are repaired, and long lines cut`() async throws {
    let folder = try TestFolder()
    try folder.append([0x61, 0xFF, 0x62, 0x0A] + Array("123456789\n".utf8), to: "log")
    var lines = FollowedFile(folder.path("log"), from: .beginning, lineLimit: 5).makeAsyncIterator()
    #expect(try await lines.texts(2) == ["a\u{FFFD}b", "12345"])
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

@testable import RowcastSources

@Suite(.watched) struct WatchedPathTests {
  private let folder = TestFolder()

  /// The next state that fulfils a condition: one change may lead to several.
  private func state(
    of states: inout WatchedPath.AsyncIterator, where condition: (PathState) -> Bool
  ) async throws -> PathState? {
    while let state = try await states.next() { if condition(state) { return state } }
    return nil
  }

  private func size(_ state: PathState) -> Int? { if case .file(let stamp) = state { stamp.size } else { nil } }

  @Test(arguments: watchMethods)
  func `a file is seen to come, change, be replaced and go`(method: WatchMethod) async throws {
    var states = WatchedPath(folder.path("file"), method: method).makeAsyncIterator()
    #expect(try await states.next() == .missing)
    try folder.append("1", to: "file")
    let first = try await state(of: &states) { size($0) == 1 }
    try folder.append("2", to: "file")
    _ = try await state(of: &states) { size($0) == 2 }
    // As editors save: another file takes the name.
    try folder.append("3", to: "other")
    try folder.rename("other", to: "file")
    let replaced = try await state(of: &states) { size($0) == 1 }
    #expect(replaced != first)
    try folder.append("4", to: "file")
    _ = try await state(of: &states) { size($0) == 2 }
    try folder.remove("file")
    #expect(try await state(of: &states) { $0 == .missing } == .missing)
  }

  @Test(arguments: watchMethods)
  func `the entries of a directory are seen to come, change and go`(method: WatchMethod) async throws {
    func names(_ state: PathState) -> Set<String>? {
      if case .directory(let entries) = state { Set(entries.keys) } else { nil }
    }
    var states = WatchedPath(folder.path(""), method: method).makeAsyncIterator()
    #expect(try await states.next() == .directory([:]))
    try folder.write("1", to: "a")
    _ = try await state(of: &states) { names($0) == ["a"] }
    try folder.write("1", to: "b")
    _ = try await state(of: &states) { names($0) == ["a", "b"] }
    try folder.append("23", to: "a")
    _ = try await state(of: &states) {
      if case .directory(let entries) = $0 { entries["a"]?.size == 3 } else { false }
    }
    try folder.remove("a")
    _ = try await state(of: &states) { names($0) == ["b"] }
  }

  #if os(Linux)
    @Test func `entries are seen whose names are no UTF-8, or equal as texts`() async throws {
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      // Neither is UTF-8. The letter é, in two forms. What the first would be called, and that again.
      shell.arguments = [
        "-c",
        #"cd "$0" && for n in 'a\351' 'b\350' 'c\303\251' 'ce\314\201' 'a\\xE9' 'a\\x5CxE9'; do : > "$(printf "$n")"; done"#,
        folder.path(""),
      ]
      try shell.run()
      shell.waitUntilExit()
      var states = WatchedPath(folder.path("")).makeAsyncIterator()
      guard case .directory(let entries) = try await states.next() else { return }
      #expect(
        entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
          == [
            #"a\x5CxE9"#, #"a\x5Cx5CxE9"#, #"a\xE9"#, #"b\xE8"#, #"c\xC3\xA9"#, "ce\u{301}",
          ].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test func `the system tells of what is, was or comes at the path, and of nothing else`() async throws {
      try folder.write("1", to: "file")
      var queue = PathWaiter(path: folder.path("file"), method: .automatic)
      queue.prepare()
      /// Whether the system tells of something, and of nothing more.
      func isTold() async throws -> Bool {
        let isTold = try await queue.wait(atMost: 10_000)
        while try await queue.wait(atMost: 1) {}
        return isTold
      }
      try folder.append("2", to: "file")
      #expect(try await isTold())
      try folder.rename("file", to: "old")
      #expect(try await isTold())
      try folder.append("3", to: "old")
      #expect(try await isTold())
      try folder.append("1", to: "file")
      #expect(try await isTold())
      queue.prepare()
      try folder.append("2", to: "file")
      #expect(try await isTold())
      try folder.write("1", to: "other")
      try folder.remove("other")
      #expect(try await queue.wait(atMost: 1) == false)
    }

    @Test func `what happens to other files in the folder does not put off the next look`() async throws {
      try folder.write("1", to: "file")
      var queue = PathWaiter(path: folder.path("file"), method: .automatic)
      queue.prepare()
      // More than is read at once, with the news at its end.
      let other = String(repeating: "x", count: 200)
      for _ in 0..<200 {
        try folder.write("", to: other)
        try folder.remove(other)
      }
      try folder.append("2", to: "file")
      #expect(try await queue.wait(atMost: 0) == false)
      #expect(try await queue.wait(atMost: 10_000))
    }

    @Test func `the entries of a directory are told of, also if its path names it as its own entry`() async throws {
      var queue = PathWaiter(path: folder.path("") + "/.", method: .automatic)
      queue.prepare()
      try folder.write("1", to: "file")
      #expect(try await queue.wait())
    }

    @Test func `a file that was written with the same size in the same moment is told of by the system`() async throws {
      try folder.write("1", to: "file")
      var states = WatchedPath(folder.path("file")).makeAsyncIterator()
      let first = try await states.next()
      let date = try FileManager.default.attributesOfItem(atPath: folder.path("file"))[.modificationDate] as? Date
      try folder.overwrite("2", in: "file")
      try FileManager.default.setAttributes([.modificationDate: try #require(date)], ofItemAtPath: folder.path("file"))
      // It may look as before, and is delivered all the same.
      #expect(size(try #require(try await states.next())) == 1)
      #expect(size(try #require(first)) == 1)
    }
  #endif

  @Test(arguments: watchMethods)
  func `cancelling ends a wait, and none of those after it`(method: WatchMethod) async throws {
    try folder.write("1\n", to: "log")
    var waiter = PathWaiter(path: folder.path("log"), method: method)
    waiter.prepare()
    for _ in 0..<3 {
      let cancelled = Task { [waiter] in
        while true { _ = try await waiter.wait() }
      }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
    try folder.append("2\n", to: "log")
    #expect(try await waiter.wait() == method.isAutomatic)
  }

  @Test func `a path that cannot be looked at is named`() async throws {
    let path = "/" + String(repeating: "x", count: 300)
    var states = WatchedPath(path).makeAsyncIterator()
    await #expect(throws: FileError(path: path, reason: "File name too long")) { _ = try await states.next() }
  }

  @Test(arguments: [
    ("file", ".", "file"), ("/file", "/", "file"), ("a/b/file", "a/b", "file"), ("/a/dir//", "/a", "dir"),
    ("/", "/", ""),
  ])
  func `a path is cut into directory and name`(path: String, directory: String, name: String) {
    #expect(PathWaiter.split(path) == (directory, name))
  }

  @Test func `messages of the system are read as they are packed`() {
    func message(_ watch: Int32, name: String, padding: Int) -> [UInt8] {
      func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
      }
      let length = UInt32(name.utf8.count + padding)
      return bytes(watch) + bytes(UInt32(2)) + bytes(UInt32(0)) + bytes(length) + Array(name.utf8)
        + Array(repeating: 0, count: padding)
    }
    let events = Platform.changes(in: message(1, name: "log", padding: 13) + message(2, name: "", padding: 0))
    let expected: [(watch: Int32, name: [UInt8])] = [(1, Array("log".utf8)), (2, [])]
    #expect(events.elementsEqual(expected, by: ==))
    // What is cut short does not trap.
    for count in 0..<40 { _ = Platform.changes(in: Array(message(1, name: "name", padding: 16).prefix(count))) }
  }
}

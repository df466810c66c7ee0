@testable import RowcastSources

@Suite(.watched) struct FileLinesTests {
  @Test func `the lines of a pipe come as they arrive, also the last one without an end`() async throws {
    let pipe = Pipe()
    var lines = FileLines(descriptor: pipe.fileHandleForReading.fileDescriptor, keeping: pipe.fileHandleForReading)
      .makeAsyncIterator()
    try pipe.fileHandleForWriting.write(contentsOf: Data("one\ntw".utf8))
    #expect(try await lines.next()?.text == "one")
    try pipe.fileHandleForWriting.write(contentsOf: Data("o\nlast".utf8))
    #expect(try await lines.next()?.text == "two")
    try pipe.fileHandleForWriting.close()
    #expect(try await lines.next() == TextLine(number: 3, bytes: Array("last".utf8)))
    #expect(try await lines.next() == nil)
  }

  @Test func `a file is read to its end`() async throws {
    let folder = TestFolder()
    let texts = (0..<10_000).map { "line \($0)" }
    try folder.write(texts.joined(separator: "\r\n"), to: "file")
    let handle = try #require(FileHandle(forReadingAtPath: folder.path("file")))
    var read: [String] = []
    for try await line in FileLines(descriptor: handle.fileDescriptor, keeping: handle) { read.append(line.text) }
    #expect(read == texts)
  }

  @Test func `a descriptor of no file is a bug of the caller, and says so in every build`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FileLines(descriptor: -1)
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("A file cannot have the descriptor -1; is it open?"))
  }

  @Test func `what cannot be read says why`() async throws {
    let handle = try #require(FileHandle(forReadingAtPath: "/"))
    var lines = FileLines(descriptor: handle.fileDescriptor, keeping: handle).makeAsyncIterator()
    await #expect(throws: FileError(reason: "Is a directory")) { _ = try await lines.next() }
  }

  @Test func `a reader that is cancelled, or has waited long enough, lets go of its input`() async throws {
    for isCancelled in [false, true] {
      let pipe = Pipe()
      let reader = DescriptorReader(pipe.fileHandleForReading.fileDescriptor)
      if isCancelled {
        let waiting = Task { try await reader.read(upTo: 1) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
      } else {
        #expect(try await reader.read(upTo: 1, timeout: 1) == nil)
      }
      try pipe.fileHandleForReading.close()
      // As long as something waits for the input, the writer has a reader; also for a moment while another test starts a process.
      let writer = pipe.fileHandleForWriting.fileDescriptor
      await eventually { !Platform.wait(forInputOn: [writer], timeout: 0).isEmpty }
    }
  }

  @Test func `a task that is cancelled reads nothing, though there is input`() async throws {
    let pipe = Pipe()
    let reader = DescriptorReader(pipe.fileHandleForReading.fileDescriptor)
    try pipe.fileHandleForWriting.write(contentsOf: Data([7]))
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await reader.read(upTo: 1)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await reader.read(upTo: 1) == [7])
  }

  @Test func `more inputs are waited for than a process has threads`() async throws {
    // A process has 255 threads for them at most. With more than 1,300 open files, Foundation's `Process` reads past the end of the
    // entries of /proc/self/fd, in whichever test starts one at that time.
    let pipes = (0..<300).map { _ in Pipe() }
    let tasks = pipes.map { pipe in
      Task {
        let handle = pipe.fileHandleForReading
        var lines = FileLines(descriptor: handle.fileDescriptor, keeping: handle).makeAsyncIterator()
        return try await lines.next()?.text
      }
    }
    for (number, (pipe, task)) in zip(pipes, tasks).enumerated().reversed() {
      try pipe.fileHandleForWriting.write(contentsOf: Data("\(number)\n".utf8))
      #expect(try await task.value == "\(number)")
    }
  }

  @Test func `of tasks that share an input one gets what there is, and the others can be cancelled`() async throws {
    for round in 0..<50 {
      let pipe = Pipe()
      let lines = FileLines(descriptor: pipe.fileHandleForReading.fileDescriptor, keeping: pipe)
      let (read, note) = AsyncStream.makeStream(of: String?.self)
      let tasks = (0..<3).map { _ in
        Task {
          var lines = lines
          do { note.yield(try await lines.next()?.text) } catch is CancellationError {}
        }
      }
      for _ in 0..<round { await Task.yield() }
      try pipe.fileHandleForWriting.write(contentsOf: Data("7\n".utf8))
      #expect(await read.first { _ in true } == "7", "round \(round)")
      for task in tasks { task.cancel() }
      for task in tasks { try await task.value }
    }
  }

  @Test func `waits of all kinds end as they should, however they meet`() async throws {
    var random = SeededGenerator.forFuzzing("inputs")
    for round in 0..<SeededGenerator.rounds(4, long: 2_000) {
      // The outcome of each reader: a byte, the end of the input, a timeout, or the cancellation of its task.
      let fates = (0..<20).map { _ in Int.random(in: 0..<4, using: &random) }
      let pipes = fates.map { _ in Pipe() }
      let tasks = zip(pipes, fates).map { pipe, fate in
        Task {
          do {
            let reader = DescriptorReader(pipe.fileHandleForReading.fileDescriptor)
            return try await reader.read(upTo: 9, timeout: fate == 2 ? 3 : nil).map { "\($0)" } ?? "late"
          } catch is CancellationError { return "cancelled" }
        }
      }
      for index in fates.indices.shuffled(using: &random) {
        switch fates[index] {
        case 0: try pipes[index].fileHandleForWriting.write(contentsOf: Data([7]))
        case 1: try pipes[index].fileHandleForWriting.close()
        case 2: break
        default: tasks[index].cancel()
        }
        if Bool.random(using: &random) { await Task.yield() }
      }
      for (task, fate) in zip(tasks, fates) {
        #expect(
          try await task.value == ["[7]", "[]", "late", "cancelled"][fate], "seed \(random.seed), round \(round)")
      }
    }
  }
}

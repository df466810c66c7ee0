import Foundation
import RowcastTestSupport
import Testing

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
    let folder = try TestFolder()
    let texts = (0..<10_000).map { "line \($0)" }
    try folder.write(texts.joined(separator: "\r\n"), to: "file")
    let handle = try #require(FileHandle(forReadingAtPath: folder.path("file")))
    var read: [String] = []
    for try await line in FileLines(descriptor: handle.fileDescriptor, keeping: handle) { read.append(line.text) }
    #expect(read == texts)
  }

  @Test func `a reader that waits for input is cancelled at once, and another can go on`() async throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let reached = Gate()
    let task = Task {
      for try await _ in FileLines(descriptor: descriptor) { await reached.open() }
    }
    try pipe.fileHandleForWriting.write(contentsOf: Data("one\n".utf8))
    await reached.pass()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try pipe.fileHandleForWriting.write(contentsOf: Data("two\n".utf8))
    var lines = FileLines(descriptor: descriptor).makeAsyncIterator()
    #expect(try await lines.next()?.text == "two")
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

  @Test func `a reader leaves nothing behind`() async throws {
    let pipe = Pipe()
    weak var reader: DescriptorReader?
    do {
      let strong = try DescriptorReader(pipe.fileHandleForReading.fileDescriptor)
      reader = strong
      #expect(try await strong.read(upTo: 1, timeout: 1) == nil)
      let waiting = Task { try await strong.read(upTo: 1) }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    // The queue lets go of its last piece of work in a moment of its own.
    await eventually { reader == nil }
  }

  @Test func `any number of last lines can be asked for`() throws {
    let folder = try TestFolder()
    try folder.write("1\n2\n", to: "log")
    var file = GrowingFile(path: folder.path("log"), start: .lastLines(.max), lineLimit: .max)
    var texts: [String] = []
    while let lines = try file.look() { texts += lines.map(\.text) }
    #expect(texts == ["1", "2"])
  }
}

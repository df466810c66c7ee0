/// A `demo` that runs while a test does something. Its list is read as it arrives.
final class LiveProgram {
  private let process: Process
  private var lines: FileLines.AsyncIterator
  private(set) var list = JSONList()

  /// Why a program is no longer of use.
  struct Ended: Error {}

  /// Starts `demo` with `--json`, on request with lines to read, or as a user who is not the superuser.
  init(_ arguments: [String], lines input: [String] = [], asNobody: Bool = false) throws {
    let output = Pipe()
    let all = arguments + ["--json"]
    process =
      asNobody && geteuid() == 0
      ? .of(["--reuid=65534", "--clear-groups", Program.url.path] + all, at: "/usr/bin/setpriv") : .of(all)
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    if !input.isEmpty {
      let folder = try TestFolder()
      let file = try folder.write("in", input.map { $0 + "\n" }.joined())
      process.standardInput = try FileHandle(forReadingFrom: file)
      withExtendedLifetime(folder) {}
    }
    lines = FileLines(descriptor: output.fileHandleForReading.fileDescriptor, keeping: output.fileHandleForReading)
      .makeAsyncIterator()
    try process.run()
  }

  deinit { process.kill() }

  var id: Int32 { process.processIdentifier }

  /// The next message, which the list has then; `nil` at the end, which may be in the midst of a line.
  func next() async throws -> [String: Any]? {
    guard let line = try await lines.next(), let object = try? JSONSerialization.jsonObject(with: Data(line.bytes)),
      let message = object as? [String: Any]
    else { return nil }
    try list.fold(message)
    return message
  }

  /// Reads updates until the list is as it should be. A list that never is ends with the test's time limit.
  func read(until condition: (JSONList) -> Bool) async throws {
    while !condition(list) { if try await next() == nil { throw Ended() } }
  }

  /// Asks the program to end, or kills it. Returns its exit code or, as shells do, 128 and the number of the signal that ended it:
  /// its output is not read during that time.
  @discardableResult
  func terminate(kills: Bool = false) -> Int32 {
    if kills { process.kill() } else { process.terminate() }
    process.waitUntilExit()
    return process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
  }
}

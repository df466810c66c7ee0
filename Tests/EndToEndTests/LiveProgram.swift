/// A `demo` that runs while a test does something, and whose list is read as it comes.
final class LiveProgram {
  private let process = Process()
  private var lines: FileLines.AsyncIterator
  private(set) var list = JSONList()

  /// Why a program is of no use any more.
  struct Ended: Error {}

  /// Starts `demo` with `--json`, on request as a user who is not the superuser.
  init(_ arguments: [String], asNobody: Bool = false) throws {
    let output = Pipe()
    process.executableURL = Program.url
    process.arguments = arguments + ["--json"]
    if asNobody, geteuid() == 0 {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      process.arguments = ["--reuid=65534", "--clear-groups", Program.url.path] + arguments + ["--json"]
    }
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    lines = FileLines(descriptor: output.fileHandleForReading.fileDescriptor, keeping: output.fileHandleForReading)
      .makeAsyncIterator()
    try process.run()
  }

  // A program may have inherited blocked signals, and one that goes on holds what others wait for: Foundation learns of the end of
  // a process by a socket that processes which were started at the same time inherit.
  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  var id: Int32 { process.processIdentifier }

  /// Reads updates until the list is as it should be. A list that never is ends with the test's time limit.
  func read(until condition: (JSONList) -> Bool) async throws {
    while !condition(list) {
      guard let line = try await lines.next() else { throw Ended() }
      for message in try Program.objects(of: [line.text]) { try list.fold(message) }
    }
  }

  /// Asks the program to end. Returns its exit code or, as shells do, 128 and the number of the signal that ended it: nobody reads
  /// what it writes meanwhile.
  func terminate() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
  }
}

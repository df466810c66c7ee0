import Testing

/// Runs the built `demo` as a user's shell would.
enum Program {
  struct Result {
    var status: Int32
    var output: String
    var errors: String

    private var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The lines of the output as JSON objects.
    func objects() throws -> [[String: Any]] { try Program.objects(of: lines) }

    /// The list that the output leads to.
    func list() throws -> JSONList { try Program.list(of: lines) }
  }

  static func objects(of lines: [String]) throws -> [[String: Any]] {
    try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
  }

  static func list(of lines: [String]) throws -> JSONList {
    var list = JSONList()
    for message in try objects(of: lines) { try list.fold(message) }
    return list
  }

  /// The executable, which is built beside the tests.
  static var url: URL {
    // The tests run from a bundle or an executable in the same folder; that differs between systems.
    let here = Bundle(for: Marker.self).bundleURL
    let folders = [here, here.deletingLastPathComponent(), Bundle.main.bundleURL]
    return folders.map { $0.appendingPathComponent("demo") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? here.appendingPathComponent("demo")
  }

  private final class Marker {}

  /// Runs `demo` to its end.
  static func run(
    _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rowcast-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files, not pipes: no side can make the other wait, so no thread is needed for either.
    let files = ["in", "out", "err"].map { folder.appendingPathComponent($0) }
    try input.write(to: files[0])
    for file in files.dropFirst() { try Data().write(to: file) }
    let process = Process.of(arguments)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    let status = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    return Result(
      status: status, output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
  }

  static func run(_ arguments: String..., lines: [String]) async throws -> Result {
    try await run(arguments, input: Data(lines.map { $0 + "\n" }.joined().utf8))
  }
}

extension Process {
  /// A program that is not started yet: `demo`, or another one.
  static func of(_ arguments: [String], at path: String = Program.url.path) -> Process {
    let process = Process()
    (process.executableURL, process.arguments) = (URL(fileURLWithPath: path), arguments)
    return process
  }

  // A program may have inherited blocked signals, and a program that continues keeps open what others wait for: Foundation learns
  // of the end of a process by a socket that processes which were started at the same time inherit.
  func kill() { if isRunning { _ = Foundation.kill(processIdentifier, SIGKILL) } }
}

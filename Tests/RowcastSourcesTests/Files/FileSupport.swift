/// How the tests notice changes: both ways must do.
let watchMethods = [WatchMethod.automatic, .polling(every: .milliseconds(1))]

/// A folder of its own for a test, deleted with it.
final class TestFolder {
  private let url: URL

  /// Where no folder can be made, nothing can be written to it, either.
  init() {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("rowcast-\(UUID())")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The names of all that is in the folder.
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path(".")).sorted() } }

  func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path(name)))) }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  func write(_ text: String, to name: String) throws { try write(text.utf8, to: name) }

  private func open(_ name: String, _ change: (FileHandle) throws -> Void) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path(name)))
    defer { try? handle.close() }
    try change(handle)
  }

  func append(_ text: String, to name: String) throws { try append(Array(text.utf8), to: name) }

  /// Appends as a logger does, which opens the file each time.
  func append(_ bytes: [UInt8], to name: String) throws {
    if !FileManager.default.fileExists(atPath: path(name)) { try write("", to: name) }
    try open(name) { file in
      try file.seekToEnd()
      try file.write(contentsOf: bytes)
    }
  }

  /// Takes the content away and leaves the file, or makes it as long as it is told to.
  func truncate(_ name: String, to size: UInt64 = 0) throws { try open(name) { try $0.truncate(atOffset: size) } }

  /// Writes over the content from its beginning, without emptying the file first.
  func overwrite(_ text: String, in name: String) throws {
    try open(name) { try $0.write(contentsOf: Data(text.utf8)) }
  }

  func rename(_ name: String, to other: String) throws {
    try? FileManager.default.removeItem(atPath: path(other))
    try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
  }

  /// Makes a symbolic link, to a name in the folder or to a path.
  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
}

extension FollowedFile.AsyncIterator {
  /// The texts of the next lines.
  mutating func texts(_ count: Int) async throws -> [String] {
    var texts: [String] = []
    while texts.count < count, let line = try await next() { texts.append(line.text) }
    return texts
  }
}

/// A directory for a test, removed with it.
final class TestFolder {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("rowcast-\(UUID())").path

  init() throws { try make("") }

  deinit { try? run("chmod -R u+rwX . && rm -r \(path)") }

  func make(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> URL {
    let file = URL(fileURLWithPath: "\(path)/\(name)")
    try Data(text.utf8).write(to: file)
    return file
  }

  func write(_ name: String, _ size: Int) throws { try write(name, String(repeating: "x", count: size)) }

  func read(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

  func move(_ name: String, _ new: String) throws {
    try FileManager.default.moveItem(atPath: "\(path)/\(name)", toPath: "\(path)/\(new)")
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
  }

  func chmod(_ name: String, _ mode: Int = 0o755) {
    try? FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
  }

  /// Runs a line of the shell in the directory.
  func run(_ line: String) throws {
    let shell = Process.of(["-c", line], at: "/bin/sh")
    shell.currentDirectoryURL = URL(fileURLWithPath: path)
    try shell.run()
    shell.waitUntilExit()
  }

  /// The ids and sizes of all files, depth first and by name, found in another way than the demo's.
  func rows(in folder: String = "") throws -> [String] {
    try names(in: folder).sorted().flatMap { name in
      let id = folder.isEmpty ? name : "\(folder)/\(name)"
      return try ["\(id) \(size(id))"] + (isFolder(id) ? rows(in: id) : [])
    }
  }

  private func size(_ id: String) throws -> Int {
    if try isFolder(id) { return try names(in: id).reduce(0) { try $0 + size("\(id)/\($1)") } }
    return try attributes(id)[.size] as? Int ?? 0
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")
  }

  func isFolder(_ id: String) throws -> Bool { try attributes(id)[.type] as? FileAttributeType == .typeDirectory }

  private func attributes(_ id: String) throws -> [FileAttributeKey: Any] {
    try FileManager.default.attributesOfItem(atPath: "\(path)/\(id)")
  }
}

import Foundation
import Rowcast
import RowcastTestSupport
import RowcastTesting
import Testing

@testable import RowcastDemo

#if os(Linux)
  /// A directory for a test.
  private final class Folder {
    let path: String

    init() throws {
      path = FileManager.default.temporaryDirectory.appendingPathComponent("rowcast-\(UUID())").path
      try make("")
    }

    deinit {
      chmod("")
      try? FileManager.default.removeItem(atPath: path)
    }

    func make(_ name: String) throws {
      try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    func write(_ name: String, _ size: Int) throws {
      try Data(repeating: 0x78, count: size).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

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

    /// The rows that there should be, read in another way: depth first, by name.
    func rows(_ folder: String = "") throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted().flatMap { name in
        let id = folder.isEmpty ? name : "\(folder)/\(name)"
        let type = try FileManager.default.attributesOfItem(atPath: "\(path)/\(id)")[.type] as? FileAttributeType
        return try ["\(id) \(size(id))"] + (type == .typeDirectory ? rows(id) : [])
      }
    }

    private func size(_ id: String) throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(id)")
      if attributes[.type] as? FileAttributeType != .typeDirectory { return attributes[.size] as? Int ?? 0 }
      return try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(id)").reduce(0) { try $0 + size("\(id)/\($1)") }
    }
  }
#endif

import Foundation
import RowcastPlatform

/// A file that is written as a whole: a reader sees the former content or the new, never a part of it.
enum WholeFile {
  /// Writes a file beside the one to be replaced, then renames it.
  ///
  /// A file keeps its permissions, and a symbolic link still leads to it. A pipe or a device is
  /// written into.
  ///
  /// - Throws: ``SystemError`` with the system's reason; the path is then unchanged.
  static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    if let status = try Platform.status(ofPath: target), !status.isFile {
      return try write(bytes, into: Platform.openForWriting(target, isNew: false))
    }
    let draft = "\(target).\(UInt32.random(in: 0 ... .max)).part"
    let descriptor = try Platform.openForWriting(draft, isNew: true)
    do {
      Platform.copyPermissions(ofPath: target, to: descriptor)
      try write(bytes, into: descriptor)
      try Platform.move(draft, to: target)
    } catch {
      Platform.remove(draft)
      throw error
    }
  }

  private static func write(_ bytes: [UInt8], into descriptor: Int32) throws(SystemError) {
    defer { Platform.close(descriptor) }
    try Platform.write(bytes, to: descriptor)
  }
}

#if canImport(RowcastPlatform)
  import RowcastPlatform

  /// The file of an archive, locked for others.
  ///
  /// The lock is on another file beside it, which stays, since the file itself is replaced from time to time.
  final actor ArchiveFile: ArchiveStorage {
    /// An open file, and the path that leads to it.
    private final class PlacedFile: Sendable {
      let path: String
      let file: OpenFile
      let status: Platform.FileStatus

      var descriptor: Int32 { file.descriptor }

      init(_ descriptor: Int32, at path: String) throws(SystemError) {
        (self.path, file) = (path, OpenFile(descriptor: descriptor))
        status = try Platform.status(of: descriptor)
      }

      /// True if the file is at its path; `nil` if nothing is. A link does not count: under the target's name the lock is another
      /// one.
      func isInPlace() throws(SystemError) -> Bool? {
        try Platform.status(ofPath: path, followsLinks: false)?.isSameFile(as: status)
      }
    }

    private let executor = QueueExecutor("rowcast.archive")
    /// The path, without links.
    nonisolated let path: String
    /// The path that the app has given, if it is not the one without links.
    private let link: String?
    private var lock: PlacedFile?
    private var file: PlacedFile
    private(set) var isUnlocked = false
    /// True if the device may not have the name of the file yet.
    private var isRenamed: Bool
    /// The size of the file, including an incomplete line at its end.
    private var end = Int.max

    /// System calls may block their thread, which must not be shared by tasks.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private init(lock: PlacedFile, file: PlacedFile, link: String?, isRenamed: Bool) {
      (path, self.link) = (file.path, link == file.path ? nil : link)
      self.lock = lock
      self.file = file
      self.isRenamed = isRenamed
    }

    /// The change to a file when it is opened: the line that is written, the size to which the file is cut first, `nil` if it is
    /// rewritten, and the bytes that the new file lacks, which are kept in another one.
    typealias Opening = (line: [UInt8], size: Int?, rest: [UInt8])

    /// Opens and locks a file, and reads it; if `isSynced`, it is on disk afterwards.
    ///
    /// The closure parses the bytes (empty for a new file), and gets the path without links. The result has the path of the file
    /// with the bytes that are not in the new file, if there are any.
    static func open(
      _ path: String, isSynced: Bool, read: (_ bytes: [UInt8], _ path: String) throws(ArchiveError) -> Opening
    ) throws(ArchiveError) -> (file: ArchiveFile, rest: String) {
      if path.isEmpty || Array(path.utf8).contains(0) {
        throw .failed(reason: "\"\(path)\" is no path; give that of a file")
      }
      // Under any of its names a file has the same lock, and a link stays a link when the file is replaced.
      let (link, path) = try wrap(path) { () throws(SystemError) in
        (try Platform.absolute(path), try Platform.resolve(path))
      }
      _ = try wrap(path) { () throws(SystemError) in try existing(path) }
      let name = path + ".lock"
      let isNew = try wrap(name) { () throws(SystemError) in
        try Platform.status(ofPath: name, followsLinks: false) == nil
      }
      do throws(ArchiveError) {
        let lock = try wrap(name) { () throws(SystemError) in try Self.lock(name) }
        guard let lock else { throw .inUse(path: path, process: owner(of: name)) }
        return try open(path, lock, link: link, isSynced: isSynced, read: read)
      } catch {
        // An archive that has opened the lock checks afterwards that it is in place.
        if case .inUse = error {} else if isNew { Platform.remove(name) }
        throw error
      }
    }

    private static func open(
      _ path: String, _ lock: PlacedFile, link: String?, isSynced: Bool,
      read: (_ bytes: [UInt8], _ path: String) throws(ArchiveError) -> Opening
    ) throws(ArchiveError) -> (file: ArchiveFile, rest: String) {
      // The file of a process that ended while it wrote a new one.
      Platform.remove(path + Self.draft)
      let (former, bytes) = try wrap(path) { () throws(SystemError) in
        guard let size = try existing(path)?.size else { return (PlacedFile?.none, [UInt8]()) }
        let file = try PlacedFile(try Platform.openForUpdating(path, creates: false), at: path)
        return (file, try Platform.read(from: file.descriptor, at: 0, upTo: size))
      }
      let opening = try read(bytes, path)
      return try wrap(path) { () throws(SystemError) in
        guard let size = opening.size, let former else {
          let rest = try opening.rest.isEmpty ? "" : keep(opening.rest, of: path, like: former)
          do throws(SystemError) {
            let opened = try replace(path, with: opening.line, like: former)
            if isSynced { try synchronize(opened, isRenamed: true) }
            return (ArchiveFile(lock: lock, file: opened, link: link, isRenamed: !isSynced), rest)
          } catch {
            // Not if the new file is in place, and only the wait for the device failed.
            if !rest.isEmpty, (try? former?.isInPlace()) == true { Platform.remove(rest) }
            throw error
          }
        }
        try append(opening.line, at: size, replacing: bytes[size...], in: former, isSynced: isSynced)
        return (ArchiveFile(lock: lock, file: former, link: link, isRenamed: false), "")
      }
    }

    private static func append(
      _ line: [UInt8], at size: Int, replacing rest: ArraySlice<UInt8>, in file: PlacedFile, isSynced: Bool
    ) throws(SystemError) {
      do throws(SystemError) {
        try Platform.truncate(file.descriptor, to: size)
        try Platform.write(line, to: file.descriptor, at: size)
        if isSynced { try synchronize(file, isRenamed: false) }
      } catch {
        // The space of the former end is still allocated.
        try? Platform.truncate(file.descriptor, to: size)
        try? Platform.write(rest, to: file.descriptor, at: size)
        throw error
      }
    }

    /// The status of the file at a path, if there is one.
    private static func existing(_ path: String) throws(SystemError) -> Platform.FileStatus? {
      guard let status = try Platform.status(ofPath: path) else {
        if try Platform.status(ofPath: folder(of: path)) == nil {
          throw .failed("its folder does not exist; create it first")
        }
        return nil
      }
      if !status.isFile {
        throw .failed("it is \(status.isDirectory ? "a directory" : "no regular file"); take another path")
      }
      if status.nameCount > 1 {
        // Under another name it would have another lock, and the other name would keep the former file.
        throw .failed(
          "the file has \(status.nameCount) names" + (otherName(of: path, status).map { ", also \($0)" } ?? ""))
      }
      return status
    }

    /// Another name of a file, in the same folder.
    private static func otherName(of path: String, _ status: Platform.FileStatus) -> String? {
      let folder = folder(of: path)
      for entry in (try? Platform.entries(ofDirectory: folder)) ?? [] {
        let name = folder + entry
        let found = name == path ? nil : try? Platform.status(ofPath: name, followsLinks: false)
        if found?.isSameFile(as: status) == true { return name }
      }
      return nil
    }

    private static func folder(of path: String) -> String {
      path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    /// Locks a file, which is created if it does not exist; `nil` if another archive has locked it.
    private static func lock(_ name: String) throws(SystemError) -> PlacedFile? {
      while true {
        // A lock behind a link would never be in its place.
        guard try Platform.status(ofPath: name, followsLinks: false)?.isFile != false else {
          throw .failed("it is no regular file; remove it")
        }
        let lock = try PlacedFile(try Platform.openForUpdating(name), at: name)
        if try !Platform.lock(lock.descriptor) { return nil }
        // Another archive may have removed it, and a third one made another.
        guard try lock.isInPlace() == true else { continue }
        try Platform.truncate(lock.descriptor, to: 0)
        try Platform.write("\(Platform.processID)".utf8, to: lock.descriptor, at: 0)
        return lock
      }
    }

    /// The process that has locked a file, if it is known.
    private static func owner(of name: String) -> Int? {
      guard let descriptor = try? Platform.open(name) else { return nil }
      let lock = OpenFile(descriptor: descriptor)
      guard let digits = try? Platform.read(from: lock.descriptor, at: 0, upTo: 32), !digits.isEmpty else { return nil }
      var number = 0
      for byte in digits {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), number < .max / 100 else { return nil }
        number = 10 * number + Int(byte - UInt8(ascii: "0"))
      }
      return number
    }

    private static func wrap<Result>(
      _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(ArchiveError) -> Result {
      do throws(SystemError) { return try body() } catch { throw .failed(reason: "\(path): \(error)") }
    }

    /// The suffix of a new file that will replace the file at a path. No list has such a name.
    private static let draft = ".lock.new"

    /// Writes a new file beside the old one, and renames it. If that fails, or the process ends before, the old one is left.
    private static func replace(
      _ path: String, with bytes: [UInt8], like former: PlacedFile?
    ) throws(SystemError) -> PlacedFile {
      let name = path + draft
      // One is left if making or removing it failed, and would always be in the way.
      Platform.remove(name)
      let file = try write(bytes, to: name, like: former)
      do throws(SystemError) {
        let placed = try PlacedFile(file, at: path)
        do throws(SystemError) { try Platform.move(name, to: path) } catch {
          // Over a network, a call that succeeded may be reported as an error.
          guard (try? placed.isInPlace()) == true else { throw error }
        }
        return placed
      } catch {
        Platform.remove(name)
        throw error
      }
    }

    /// Writes a new file with the permissions of another, and waits until it is on disk. Returns its descriptor.
    private static func write(_ bytes: [UInt8], to name: String, like former: PlacedFile?) throws(SystemError) -> Int32
    {
      let file: Int32
      do throws(SystemError) { file = try Platform.openForUpdating(name, isNew: true) } catch {
        throw .failed("cannot make \(name): \(error)")
      }
      do throws(SystemError) {
        if let former { Platform.copyPermissions(of: former.descriptor, to: file) }
        try Platform.write(bytes, to: file, at: 0)
        try Platform.synchronize(file)
        return file
      } catch {
        Platform.close(file)
        Platform.remove(name)
        throw error
      }
    }

    /// Keeps bytes in a new file beside another. Returns its path.
    private static func keep(_ bytes: [UInt8], of path: String, like former: PlacedFile?) throws(SystemError) -> String
    {
      var number = 1
      while try Platform.status(ofPath: "\(path).damaged-\(number)", followsLinks: false) != nil { number += 1 }
      let name = "\(path).damaged-\(number)"
      Platform.close(try write(bytes, to: name, like: former))
      return name
    }

    /// Waits until a file is on disk, and its name if that is new. The name is part of the folder.
    private static func synchronize(_ file: PlacedFile, isRenamed: Bool) throws(SystemError) {
      try Platform.synchronize(file.descriptor)
      if !isRenamed { return }
      let folder = OpenFile(descriptor: try Platform.open(folder(of: file.path)))
      try Platform.synchronize(folder.descriptor)
    }

    // MARK: - ArchiveStorage

    func append(_ bytes: [UInt8], at size: Int) throws(ArchiveError) {
      try verifyLock()
      try Self.wrap(file.path) { () throws(SystemError) in
        if end > size { try Platform.truncate(file.descriptor, to: size) }
        end = .max
        do throws(SystemError) { try Platform.write(bytes, to: file.descriptor, at: size) } catch {
          // If this fails, too, it is the first thing that the next attempt does.
          try? Platform.truncate(file.descriptor, to: size)
          throw error
        }
        end = size + bytes.count
      }
      try verify(orNothing: false)
    }

    func synchronize() throws(ArchiveError) {
      try Self.wrap(file.path) { () throws(SystemError) in try Self.synchronize(file, isRenamed: isRenamed) }
      isRenamed = false
      try verify(orNothing: false)
    }

    func replace(keeping range: Range<Int>, appending bytes: [UInt8]) throws(ArchiveError) {
      try verify(orNothing: true)
      file = try Self.wrap(file.path) { () throws(SystemError) in
        let kept = try Platform.read(from: file.descriptor, at: range.lowerBound, upTo: range.count)
        guard kept.count == range.count else { throw .failed("the file has become shorter") }
        return try Self.replace(file.path, with: kept + bytes, like: file)
      }
      (end, isRenamed) = (range.count + bytes.count, true)
    }

    func verify(orNothing: Bool) throws(ArchiveError) {
      let isInPlace = try Self.isInPlace(file)
      if !(isInPlace ?? orNothing) { throw .replaced(path: file.path) }
      // The next run will open the file that the app's path leads to, even if it is missing now.
      if let link {
        let leadsThere = try Self.wrap(link) { () throws(SystemError) in
          if isInPlace == nil { return try Platform.resolve(link) == file.path }
          return try Platform.status(ofPath: link)?.isSameFile(as: file.status) == true
        }
        if !leadsThere { throw .replaced(path: link) }
      }
      try verifyLock()
    }

    /// Throws unless the lock is in place, and was in place each time.
    private func verifyLock() throws(ArchiveError) {
      guard let lock else { return }
      if try Self.isInPlace(lock) != true { isUnlocked = true }
      if isUnlocked { throw .replaced(path: lock.path) }
    }

    private static func isInPlace(_ file: PlacedFile) throws(ArchiveError) -> Bool? {
      try wrap(file.path) { () throws(SystemError) in try file.isInPlace() }
    }

    func close() {
      if let lock { try? Platform.truncate(lock.descriptor, to: 0) }
      lock = nil
    }
  }
#endif

#if canImport(RowcastPlatform)
  import Dispatch
  import RowcastPlatform

  /// The file of an archive, locked for others.
  ///
  /// The lock is on another file beside it, which stays, since the file itself is replaced from time to time.
  actor ArchiveFile: ArchiveStorage {
    private let path: String
    private let executor = QueueExecutor()
    private var lock: OpenFile?
    private var file: OpenFile
    /// True if the device may not have the name of the file yet.
    private var isRenamed: Bool
    /// True if a part of a line may stand at the end of the file.
    private var isTorn = false

    /// System calls may block their thread, which must not be one that tasks share.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private init(path: String, lock: OpenFile, file: OpenFile, isRenamed: Bool) {
      self.path = path
      self.lock = lock
      self.file = file
      self.isRenamed = isRenamed
    }

    /// Opens and locks a file, and reads it; the device has it then, if `isSynced`.
    ///
    /// The closure makes the content of the bytes, of which there are none in a new file. It also returns the size to which the file
    /// is cut, or all of its bytes if it has to be written anew.
    static func open<Content>(
      _ path: String, isSynced: Bool,
      read: ([UInt8]) throws(ArchiveError) -> (content: Content, size: Int, replacement: [UInt8]?)
    ) throws(ArchiveError) -> (file: ArchiveFile, content: Content) {
      // Under any of its names a file has the same lock, and a link stays one when the file is replaced.
      let path = Platform.resolve(path)
      let lock = try Self.lock(path)
      // The file of a process that ended while it wrote a new one.
      Platform.remove(path + ".new")
      let (file, bytes) = try wrap { () throws(SystemError) in try existing(path) }
      let (content, size, replacement) = try read(bytes)
      let opened = try wrap { () throws(SystemError) in
        if let replacement { return try Self.replace(path, with: replacement) }
        guard let file else { return try Self.replace(path, with: []) }
        if size < bytes.count { try Platform.truncate(file.descriptor, to: size) }
        return file
      }
      let isRenamed = opened !== file
      if isSynced { try wrap { () throws(SystemError) in try synchronize(opened, at: isRenamed ? path : nil) } }
      return (ArchiveFile(path: path, lock: lock, file: opened, isRenamed: isRenamed && !isSynced), content)
    }

    /// The file at a path and its bytes, if there is one.
    private static func existing(_ path: String) throws(SystemError) -> (file: OpenFile?, bytes: [UInt8]) {
      guard let status = try Platform.status(ofPath: path) else { return (nil, []) }
      if !status.isFile { throw .failed(status.isDirectory ? "it is a directory" : "it is no regular file") }
      let file = OpenFile(descriptor: try Platform.openForUpdating(path, creates: false))
      return (file, try Platform.read(from: file.descriptor, at: 0, upTo: status.size))
    }

    private static func lock(_ path: String) throws(ArchiveError) -> OpenFile {
      let (lock, isTaken) = try wrap { () throws(SystemError) in
        let lock = OpenFile(descriptor: try Platform.openForUpdating(path + ".lock"))
        return (lock, try !Platform.lock(lock.descriptor))
      }
      let owner = isTaken ? try? Platform.read(from: lock.descriptor, at: 0, upTo: 32) : nil
      if isTaken { throw .inUse(process: owner.flatMap { Int(String(decoding: $0, as: UTF8.self)) }) }
      try wrap { () throws(SystemError) in
        try Platform.truncate(lock.descriptor, to: 0)
        try Platform.write("\(Platform.processID)".utf8, to: lock.descriptor, at: 0)
      }
      return lock
    }

    private static func wrap<Result>(_ body: () throws(SystemError) -> Result) throws(ArchiveError) -> Result {
      do throws(SystemError) { return try body() } catch { throw .failed(reason: "\(error)") }
    }

    /// Writes a new file beside and gives it the name. If that fails, or the process ends meanwhile, the old one is left.
    private static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) -> OpenFile {
      let name = path + ".new"
      let file = OpenFile(descriptor: try Platform.openForUpdating(name, empties: true))
      do {
        Platform.copyPermissions(ofPath: path, to: file.descriptor)
        try Platform.write(bytes, to: file.descriptor, at: 0)
        try Platform.synchronize(file.descriptor)
        try Platform.move(name, to: path)
      } catch {
        Platform.remove(name)
        throw error
      }
      return file
    }

    /// Waits until the device has a file, and its name if a path is given. The name is part of the folder.
    private static func synchronize(_ file: OpenFile, at path: String?) throws(SystemError) {
      try Platform.synchronize(file.descriptor)
      guard let path else { return }
      let end = path.lastIndex(of: "/")
      let folder = OpenFile(descriptor: try Platform.open(end.map { String(path[...$0]) } ?? "."))
      try Platform.synchronize(folder.descriptor)
    }

    // MARK: - ArchiveStorage

    func append(_ bytes: [UInt8], at size: Int) throws(ArchiveError) {
      try Self.wrap { () throws(SystemError) in
        if isTorn { try Platform.truncate(file.descriptor, to: size) }
        isTorn = true
        do throws(SystemError) { try Platform.write(bytes, to: file.descriptor, at: size) } catch {
          // If this fails, too, it is the first thing that the next attempt does.
          try? Platform.truncate(file.descriptor, to: size)
          throw error
        }
        isTorn = false
      }
    }

    func synchronize() throws(ArchiveError) {
      try Self.wrap { () throws(SystemError) in try Self.synchronize(file, at: isRenamed ? path : nil) }
      isRenamed = false
    }

    func replace(keeping range: Range<Int>, appending bytes: [UInt8]) throws(ArchiveError) {
      file = try Self.wrap { () throws(SystemError) in
        let kept = try Platform.read(from: file.descriptor, at: range.lowerBound, upTo: range.count)
        guard kept.count == range.count else { throw .failed("the file has become shorter") }
        return try Self.replace(path, with: kept + bytes)
      }
      (isTorn, isRenamed) = (false, true)
    }

    func close() {
      if let lock { try? Platform.truncate(lock.descriptor, to: 0) }
      lock = nil
    }
  }

  /// Runs the actor of a file on a serial queue, as its calls block.
  private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "rowcast.archive")

    func enqueue(_ job: UnownedJob) {
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
#endif

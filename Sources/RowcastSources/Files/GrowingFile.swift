#if canImport(RowcastPlatform)
  import RowcastPlatform

  /// Reads a file at a path as it grows, and the files that take its place.
  struct GrowingFile {
    private let path: String
    private let start: FollowedFile.Start
    /// The file that is being read, possibly under another name by now.
    private var file: OpenFile?
    /// The number of bytes that were read.
    private var position = 0
    /// The bytes before ``position``, to notice when others replace them.
    private var recent: [UInt8] = []
    private var cutter: LineCutter
    /// True after the first look.
    private var hasBegun = false

    /// A file that exists at the first look is read from `start` on, any other from its beginning.
    init(path: String, start: FollowedFile.Start, lineLimit: Int) {
      self.path = path
      self.start = start
      cutter = LineCutter(limit: lineLimit)
    }

    private static let chunkSize = 65_536
    private static let recentSize = 256

    /// Looks at the file once. Returns the completed lines; `nil` if there was nothing new.
    mutating func look() throws(SystemError) -> [TextLine]? {
      guard let file else { return try begin() ? [] : nil }
      // Looked up before the old file is read, so that all is seen that its writer wrote before it changed to the next one.
      let successor = Result { () throws(SystemError) in try self.successor(of: file) }
      if let lines = try read(file) { return lines }
      guard let successor = try successor.get() else { return nil }
      self.file = successor
      return goToBeginning()
    }

    /// Opens the first file. Returns false if there is none.
    private mutating func begin() throws(SystemError) -> Bool {
      let isFirstLook = !hasBegun
      hasBegun = true
      guard let found = try Platform.status(ofPath: path), let file = try open(found) else { return false }
      let size = try Platform.status(of: file.descriptor).size
      if isFirstLook, case .lastLines(let count) = start {
        position = try Self.beginning(ofLast: count, in: file, size: size)
        let offset = max(0, position - Self.recentSize)
        recent = try Platform.read(from: file.descriptor, at: offset, upTo: position - offset)
      }
      self.file = file
      return true
    }

    /// Takes the next chunk. Returns `nil` at the end of the file.
    private mutating func read(_ file: OpenFile) throws(SystemError) -> [TextLine]? {
      let bytes = try Platform.read(
        from: file.descriptor, at: position - recent.count, upTo: recent.count + Self.chunkSize)
      guard bytes.starts(with: recent) else { return goToBeginning() }
      let chunk = bytes.dropFirst(recent.count)
      if chunk.isEmpty { return nil }
      position += chunk.count
      recent = Array(bytes.suffix(Self.recentSize))
      assert(recent.count <= min(position, Self.recentSize), "\(recent.count) bytes are known before byte \(position)")
      return cutter.lines(in: chunk)
    }

    /// Continues at the beginning of a file. Returns the incomplete line before it, if any.
    private mutating func goToBeginning() -> [TextLine] {
      position = 0
      recent = []
      return cutter.last().map { [$0] } ?? []
    }

    /// The file that took the place of another one, if it has content.
    ///
    /// - Throws: ``SystemError`` if it cannot be followed.
    private func successor(of file: OpenFile) throws(SystemError) -> OpenFile? {
      let known = try Platform.status(of: file.descriptor)
      guard let found = try Platform.status(ofPath: path),
        (found.device, found.number) != (known.device, known.number)
      else { return nil }
      return !found.isFile || found.size > 0 ? try open(found) : nil
    }

    /// Opens the file that was found at the path, unless it is gone. It must be regular: opening a pipe would wait for its
    /// writer.
    private func open(_ found: Platform.FileStatus) throws(SystemError) -> OpenFile? {
      guard found.isFile else {
        throw .failed(found.isDirectory ? "Is a directory" : "It is no regular file and cannot be followed")
      }
      return try Platform.openExisting(path).map { OpenFile(descriptor: $0) }
    }

    /// The position of the last lines of a file, in bytes: after the line end before them.
    ///
    /// - Complexity: O(b) for the b bytes of these lines.
    private static func beginning(ofLast count: Int, in file: OpenFile, size: Int) throws(SystemError) -> Int {
      var missing = count < .max ? count + 1 : count
      var end = size
      while end > 0 {
        let offset = max(0, end - chunkSize)
        let bytes = try Platform.read(from: file.descriptor, at: offset, upTo: end - offset)
        for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "\n") {
          missing -= 1
          if missing == 0 { return offset + index + 1 }
        }
        end = offset
      }
      return 0
    }
  }
#endif

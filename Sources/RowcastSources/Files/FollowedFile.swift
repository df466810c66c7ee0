#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastPlatform

  /// The lines of a file that grows: a log, whose writers replace, rename or truncate it from time to time.
  ///
  ///     for try await line in FollowedFile("/var/log/app.log", from: .lastLines(100)) { print(line.text) }
  ///
  /// - A line is delivered when it is complete. On request the beginning of a line is delivered before that, if nothing more is
  ///   written for a while: `demo tail` shows what a program asks at the end of its log. The line follows with the same number.
  /// - A file that is renamed is read to its end, with everything that is still written to it, until there is another file with
  ///   content at the path; then the new file is read from its beginning.
  /// - A file that is truncated, or has other content, is read from its beginning. Its unread content is lost.
  /// - The incomplete last line of a file is delivered when the file is replaced.
  /// - A missing file is waited for, and then read from its beginning; so is a file with a folder in its place.
  /// - A byte order mark at the beginning of a file is not part of its first line.
  ///
  /// Lines that are written to a file after another one with content took its place are not seen, nor is a file that appears and
  /// disappears between two looks. The sequence does not end by itself. Iterating throws `CancellationError`, and ``FileError``
  /// if the file at the path cannot be read or is a pipe or a device, also if it replaces a file that was read to its end. The
  /// iterator stays valid: it looks again when the next line is requested.
  public struct FollowedFile: AsyncSequence, Sendable {
    /// The position where following starts.
    public enum Start: Hashable, Sendable {
      /// At the first line.
      case beginning
      /// At a number of complete lines before the end.
      case lastLines(Int)
      /// After the last complete line.
      public static let end = Start.lastLines(0)
    }

    private let path: String
    private let start: Start
    private let method: WatchMethod
    /// A cutter of its lines, which has cut none.
    private let cutter: LineCutter
    private let quiet: Duration?

    /// Follows a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file; a symbolic link is followed, also when it leads elsewhere later.
    ///   - start: The position where following starts, in a file that already exists.
    ///   - method: The way in which changes are noticed.
    ///   - lineLimit: The greatest number of bytes that are kept of a line, at least 1.
    ///   - quiet: The time after which the beginning of an incomplete line is delivered, if nothing is written before:
    ///     ``TextLine/isComplete`` is false then. If the file is polled, this is the time between two looks instead. `nil`, the
    ///     default, delivers complete lines alone.
    public init(
      _ path: String, from start: Start = .end, method: WatchMethod = .automatic, lineLimit: Int = 1_024 * 1_024,
      incompleteAfter quiet: Duration? = nil
    ) {
      if case .lastLines(let count) = start {
        require(count >= 0, "The number of last lines must not be negative, got \(count)")
      }
      (self.path, self.start, self.method, self.quiet) = (path, start, method, quiet)
      cutter = LineCutter(limit: lineLimit)
    }

    /// Reads the lines one by one. Copies of an iterator share the place in the file: use one of them.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let path: String
      private var waiter: PathWaiter
      private let reader: GrowingFile
      private var ready: ArraySlice<TextLine> = []
      private let quiet: Duration?
      /// The number and the size of the incomplete line that was delivered, and of the line of the last wait.
      private var delivered = (number: 0, size: 0)
      private var awaited = (number: 0, size: 0)

      fileprivate init(_ source: FollowedFile) {
        quiet = source.quiet
        path = source.path
        waiter = PathWaiter(path: source.path, method: source.method)
        reader = GrowingFile(path: source.path, start: source.start, cutter: source.cutter)
      }

      /// The next line, as soon as it is complete.
      public mutating func next() async throws -> TextLine? {
        var line = try look()
        while line == nil { line = try await waitForQuiet() ?? look() }
        return line
      }

      /// Looks for the next line that is complete.
      private mutating func look() throws -> TextLine? {
        if let line = ready.popFirst() { return line }
        try Task.checkCancellation()
        waiter.prepare()
        do {
          // A long line may take many looks. The wait throws after a cancellation.
          while ready.isEmpty, !Task.isCancelled, let lines = try reader.look() { ready = lines[...] }
        } catch {
          throw FileError(path: path, reason: "\(error)")
        }
        return ready.popFirst()
      }

      /// Waits for a change. Returns an incomplete line that has not changed during a wait.
      private mutating func waitForQuiet() async throws -> TextLine? {
        var (state, timeout) = ((number: 0, size: 0), Int32(1_000))
        if let quiet, let line = reader.incomplete {
          state = (line.number, reader.incompleteSize)
          if state != delivered {
            if state == awaited {
              delivered = state
              return line
            }
            timeout = Int32(Swift.min(Swift.max(1, quiet / .milliseconds(1)), 1e9))
          }
        }
        awaited = try await waiter.wait(atMost: timeout) ? (0, 0) : state
        return nil
      }
    }

    /// Starts following.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
  }

  /// Reads a file at a path as it grows, and the files that take its place.
  final class GrowingFile {
    private let path: String
    private let start: FollowedFile.Start
    /// The file that is being read, possibly under another name by now.
    private var file: OpenFile?
    /// The number of bytes that were read.
    private var position = 0
    /// The bytes before ``position``, to notice when others replace them.
    private var recent: [UInt8] = []
    private var cutter: LineCutter
    /// True after a look that found no file: the first one that appears is new.
    private var wasMissing = false

    /// A file that exists at the first successful look is read from `start` on, any other file from its beginning.
    init(path: String, start: FollowedFile.Start, cutter: LineCutter) {
      (self.path, self.start, self.cutter) = (path, start, cutter)
    }

    /// The incomplete last line, as far as it was read, and its size in bytes.
    var incomplete: TextLine? { cutter.incomplete }
    var incompleteSize: Int { cutter.incompleteSize }

    private static let chunkSize = 65_536
    private static let recentSize = 256

    /// Looks at the file once. Returns the completed lines; `nil` if there was nothing new.
    func look() throws(SystemError) -> [TextLine]? {
      guard let file else { return try begin() ? [] : nil }
      // Looked up before the old file is read, so that nothing is missed that its writer wrote before it opened the next one.
      let successor = Result { () throws(SystemError) in try self.successor(of: file) }
      if let lines = try read(file) { return lines }
      guard let successor = try successor.get() else { return nil }
      self.file = successor
      return goToBeginning()
    }

    /// Opens the first file. Returns false if there is none.
    private func begin() throws(SystemError) -> Bool {
      guard let found = try Platform.status(ofPath: path), let file = try open(found) else {
        wasMissing = true
        return false
      }
      let size = try Platform.status(of: file.descriptor).size
      if !wasMissing, case .lastLines(let count) = start {
        let beginning = try Self.beginning(ofLast: count, in: file, size: size)
        let offset = max(0, beginning - Self.recentSize)
        recent = try Platform.read(from: file.descriptor, at: offset, upTo: beginning - offset)
        position = beginning
        if beginning > 0 { cutter.skipBeginning() }
      }
      self.file = file
      return true
    }

    /// Takes the next chunk. Returns `nil` at the end of the file.
    private func read(_ file: OpenFile) throws(SystemError) -> [TextLine]? {
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
    private func goToBeginning() -> [TextLine] {
      position = 0
      recent = []
      defer { cutter.begin() }
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

    /// Opens the file that was found at the path, unless it was removed or is a folder. It must be regular: opening a pipe would
    /// wait for its writer.
    private func open(_ found: Platform.FileStatus) throws(SystemError) -> OpenFile? {
      if found.isDirectory { return nil }
      guard found.isFile else { throw .failed("It is no regular file and cannot be followed") }
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

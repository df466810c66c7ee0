#if canImport(RowcastPlatform)
  import RowcastDiff
  import RowcastPlatform

  /// The lines of a file that grows: a log, whose writers replace, rename or truncate it from time to time.
  ///
  ///     for try await line in FollowedFile("/var/log/app.log", from: .lastLines(100)) { print(line.text) }
  ///
  /// - A line comes when it is complete. The last one, while it has no end, is kept until it has one.
  /// - A file that is renamed is read to its end, also what is still written to it, until there is another one with content
  ///   at the path; that one then follows from its beginning.
  /// - A file that is truncated, or has other content, follows from its beginning. What was not read of it before is gone.
  /// - A line that a file leaves incomplete when it is replaced counts as it is.
  /// - A file that is not there is waited for, and then read from its beginning.
  ///
  /// What is written to a file after another one with content took its place is not seen, nor a file that comes and goes
  /// between two looks. The sequence does not end by itself. Iterating throws `CancellationError`, and ``FileError`` if what is
  /// at the path cannot be read or is not a regular file, also if that takes the place of a file that was read to its end.
  /// The iterator stays valid: it looks again when it is asked for the next line.
  public struct FollowedFile: AsyncSequence, Sendable {
    /// Where following begins.
    public enum Start: Hashable, Sendable {
      /// At the first line.
      case beginning
      /// So many complete lines before the end.
      case lastLines(Int)
      /// After the last complete line.
      public static let end = Start.lastLines(0)
    }

    private let path: String
    private let start: Start
    private let method: WatchMethod
    private let lineLimit: Int

    /// Follows a file.
    ///
    /// - Parameters:
    ///   - path: Of the file; a symbolic link is followed, also when it leads elsewhere later.
    ///   - start: Where following begins, in a file that is there already.
    ///   - method: How changes are noticed.
    ///   - lineLimit: The most bytes that are kept of a line, at least 1.
    public init(
      _ path: String, from start: Start = .end, method: WatchMethod = .automatic, lineLimit: Int = 1_024 * 1_024
    ) {
      require(lineLimit > 0, "A line cannot be limited to \(lineLimit) bytes; use 1 or more")
      if case .lastLines(let count) = start {
        require(count >= 0, "A file cannot be followed from its last \(count) lines; use 0 or more")
      }
      self.path = path
      self.start = start
      self.method = method
      self.lineLimit = lineLimit
    }

    /// Reads what the file has, and waits for more.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let path: String
      private var waiter: PathWaiter
      private var reader: GrowingFile
      private var ready: ArraySlice<TextLine> = []

      fileprivate init(_ source: FollowedFile) {
        path = source.path
        waiter = PathWaiter(path: source.path, method: source.method)
        reader = GrowingFile(path: source.path, start: source.start, lineLimit: source.lineLimit)
      }

      /// The next line, as soon as it is complete.
      public mutating func next() async throws -> TextLine? {
        while true {
          if let line = ready.popFirst() { return line }
          try Task.checkCancellation()
          waiter.prepare()
          do {
            while let lines = try reader.look() {
              ready = lines[...]
              if !ready.isEmpty { break }
            }
          } catch {
            throw FileError(path: path, reason: "\(error)")
          }
          if ready.isEmpty { _ = try await waiter.wait() }
        }
      }
    }

    /// Starts following.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
  }
#endif
